package lsp

import (
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/lang/ast"
)

// A term is a scalar expression that can be differentiated. Terms are not changed once made.
type term struct {
	op   string // + - * / ^ neg, name, number or call
	text string // of a name, number or call: its function
	num  float64
	args []*term
}

func number(x float64) *term {
	return &term{op: "number", num: x, text: strconv.FormatFloat(x, 'g', 15, 64)}
}

func (t *term) is(x float64) bool { return t.op == "number" && t.num == x }

// readTerm makes a term of an expression. Names in env are replaced. It gives up, with nil, on what
// it cannot differentiate.
func readTerm(e ast.Expr, env map[string]*term) *term {
	switch e := e.(type) {
	case *ast.Number:
		return &term{op: "number", num: e.Value, text: e.Text}
	case *ast.Name:
		if t, ok := env[e.Name]; ok {
			return t
		}
		return &term{op: "name", text: e.Name}
	case *ast.Paren:
		return readTerm(e.X, env)
	case *ast.Unary:
		if x := readTerm(e.X, env); x != nil && e.Op == "-" {
			return negated(x)
		}
	case *ast.Binary:
		x, y := readTerm(e.X, env), readTerm(e.Y, env)
		if x == nil || y == nil {
			return nil
		}
		switch e.Op {
		case "+":
			return plus(x, y)
		case "-":
			return minus(x, y)
		case "*":
			return times(x, y)
		case "/":
			return over(x, y)
		case "^":
			return power(x, y)
		}
	case *ast.Call:
		return readCall(e, env)
	}
	return nil
}

func readCall(e *ast.Call, env map[string]*term) *term {
	name, ok := e.Fun.(*ast.Name)
	if !ok || arity()[name.Name] == 0 {
		return nil
	}
	out := &term{op: "call", text: name.Name}
	for _, a := range e.Args {
		x := readTerm(a.Value, env)
		if x == nil || a.Name.Name != "" {
			return nil
		}
		out.args = append(out.args, x)
	}
	if len(out.args) != arity()[name.Name] {
		return nil
	}
	return out
}

func make2(op string, x, y *term) *term { return &term{op: op, args: []*term{x, y}} }

func negated(x *term) *term {
	switch x.op {
	case "number":
		return number(-x.num)
	case "neg":
		return x.args[0]
	case "-":
		return minus(x.args[1], x.args[0])
	case "*", "/":
		if first := x.args[0]; first.op == "number" || first.op == "-" {
			return make2(x.op, negated(first), x.args[1])
		}
	}
	return &term{op: "neg", args: []*term{x}}
}

// negative says that a term begins with a minus that can be taken away.
func (t *term) negative() bool {
	switch t.op {
	case "number":
		return t.num < 0
	case "*", "/":
		return t.args[0].op == "number" && t.args[0].num < 0
	}
	return t.op == "neg"
}

func plus(x, y *term) *term {
	switch {
	case x.is(0):
		return y
	case y.is(0):
		return x
	case y.negative():
		return minus(x, negated(y))
	case x.op == "neg":
		return minus(y, x.args[0])
	}
	return make2("+", x, y)
}

func minus(x, y *term) *term {
	switch {
	case y.is(0):
		return x
	case x.is(0):
		return negated(y)
	case y.negative():
		return plus(x, negated(y))
	}
	return make2("-", x, y)
}

func times(x, y *term) *term {
	p := &product{over: 1, under: 1}
	p.multiply(x, false)
	p.multiply(y, false)
	return p.term()
}

func over(x, y *term) *term {
	p := &product{over: 1, under: 1}
	p.multiply(x, false)
	p.multiply(y, true)
	return p.term()
}

func power(x, y *term) *term {
	switch {
	case y.is(0):
		return number(1)
	case y.is(1):
		return x
	}
	return make2("^", x, y)
}

// mostParts bounds the terms that are differentiated: others have no short derivative.
const mostParts = 200

// parts counts the parts of a term, up to the bound.
func (t *term) parts() int {
	n := 1
	for _, a := range t.args {
		if n += a.parts(); n > mostParts {
			break
		}
	}
	return n
}

// mentions says that a term has a name.
func (t *term) mentions(name string) bool {
	if t.op == "name" && t.text == name {
		return true
	}
	for _, a := range t.args {
		if a.mentions(name) {
			return true
		}
	}
	return false
}

// replace puts terms in the place of names.
func (t *term) replace(env map[string]*term) *term {
	if t.op == "name" && env[t.text] != nil {
		return env[t.text]
	}
	if len(t.args) == 0 {
		return t
	}
	args := make([]*term, len(t.args))
	for i, a := range t.args {
		args[i] = a.replace(env)
	}
	switch t.op {
	case "neg":
		return negated(args[0])
	case "+":
		return plus(args[0], args[1])
	case "-":
		return minus(args[0], args[1])
	case "*":
		return times(args[0], args[1])
	case "/":
		return over(args[0], args[1])
	case "^":
		return power(args[0], args[1])
	}
	return &term{op: t.op, text: t.text, args: args}
}

var binding = map[string]int{"+": 1, "-": 1, "*": 2, "/": 2, "neg": 3, "^": 4}

// String writes a term in the language.
func (t *term) String() string {
	inner := func(i, least int) string {
		a := t.args[i]
		b, bound := binding[a.op]
		if a.op == "number" && a.num < 0 {
			b, bound = 3, true
		}
		text := a.String()
		if bound && b < least {
			return "(" + text + ")"
		}
		return text
	}
	switch t.op {
	case "+", "-":
		return inner(0, 1) + " " + t.op + " " + inner(1, 2)
	case "*", "/":
		return inner(0, 2) + " " + t.op + " " + inner(1, 3)
	case "^":
		return inner(0, 5) + "^" + inner(1, 4)
	case "neg":
		return "-" + inner(0, 3)
	case "call":
		parts := make([]string, len(t.args))
		for i, a := range t.args {
			parts[i] = a.String()
		}
		return t.text + "(" + strings.Join(parts, ", ") + ")"
	}
	return t.text
}
