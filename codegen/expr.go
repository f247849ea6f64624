package codegen

import (
	"fmt"
	"go/ast"
	"go/parser"
	"math"
	"sort"
	"strconv"
	"strings"
	"sync"

	"github.com/sgppl/sgppl/ir"
)

// Precedences of Go besides those of binary operators, which are 1 to 5.
const (
	precUnary   = 6
	precPrimary = 7
)

// An expr is Go text with the precedence of its outermost operator.
type expr struct {
	text string
	prec int
}

func primary(format string, args ...any) expr {
	return expr{fmt.Sprintf(format, args...), precPrimary}
}

// in writes the expression as an operand that must bind at least so tightly.
func (e expr) in(prec int) string {
	if e.prec < prec {
		return "(" + e.text + ")"
	}
	return e.text
}

func (e expr) zero() bool { return e.text == "0" }
func (e expr) one() bool  { return e.text == "1" }

// simple expressions may be repeated freely.
func (e expr) simple() bool {
	return e.prec == precPrimary && !strings.ContainsAny(e.text, "()[]") || isNumber(e.text)
}

func isNumber(text string) bool {
	_, err := strconv.ParseFloat(text, 64)
	return err == nil
}

func add(a, b expr) expr {
	switch {
	case a.zero():
		return b
	case b.zero():
		return a
	}
	return expr{a.in(4) + " + " + b.in(5), 4}
}

func sub(a, b expr) expr {
	if b.zero() {
		return a
	}
	return expr{a.in(4) + " - " + b.in(5), 4}
}

func mul(a, b expr) expr {
	switch {
	case a.zero() || b.zero():
		return primary("0")
	case a.one():
		return b
	case b.one():
		return a
	}
	return expr{a.in(5) + "*" + b.in(6), 5}
}

// number writes a constant: the shortest decimal that Go reads as the same bits.
func number(x float64) expr {
	switch {
	case math.IsNaN(x):
		return primary("math.NaN()")
	case math.IsInf(x, 0):
		return primary("math.Inf(%d)", int(math.Copysign(1, x)))
	case x == 0 && math.Signbit(x):
		return primary("math.Copysign(0, -1)")
	}
	text := strconv.FormatFloat(x, 'g', -1, 64)
	if x < 0 {
		return expr{text, precUnary}
	}
	return primary("%s", text)
}

// A template is how Go writes an op, cut at the places of its arguments.
type template struct {
	parts []string // one more than slots
	slots []slot
	prec  int
}

type slot struct{ arg, prec int }

// templates are made at the first use, since most commands print no Go. They are made in a
// function, so that the linker leaves it out of programs that never call it.
func templates() map[*ir.Op]template {
	made.Do(func() {
		made.all = map[*ir.Op]template{}
		for _, op := range ir.Ops() {
			if op.Go != "" {
				made.all[op] = parseTemplate(op.Name, op.Go)
			}
		}
	})
	return made.all
}

var made struct {
	sync.Once
	all map[*ir.Op]template
}

// parseTemplate finds, from Go's own grammar, where an argument needs
// parentheses, so that the op table need not say.
func parseTemplate(op, text string) template {
	names := []any{"arg_0", "arg_1", "arg_2"}
	for i, n := range names {
		text = strings.ReplaceAll(text, fmt.Sprintf("%%[%d]s", i+1), n.(string))
	}
	root, err := parser.ParseExpr(text)
	if err != nil {
		panic(fmt.Sprintf("codegen: the op %s is written %q: %v", op, text, err))
	}
	type found struct{ at, arg, prec int }
	var all []found
	var walk func(n ast.Expr, prec int)
	walk = func(n ast.Expr, prec int) {
		switch n := n.(type) {
		case *ast.Ident:
			if i := strings.TrimPrefix(n.Name, "arg_"); i != n.Name {
				k, _ := strconv.Atoi(i)
				all = append(all, found{int(n.Pos()) - 1, k, prec})
			}
		case *ast.BinaryExpr:
			walk(n.X, n.Op.Precedence())
			walk(n.Y, n.Op.Precedence()+1)
		case *ast.UnaryExpr:
			walk(n.X, precPrimary)
		case *ast.ParenExpr:
			walk(n.X, 0)
		case *ast.CallExpr:
			for _, a := range n.Args {
				walk(a, 0)
			}
		}
	}
	walk(root, 0)
	sort.Slice(all, func(i, j int) bool { return all[i].at < all[j].at })
	t := template{prec: precPrimary}
	switch n := root.(type) {
	case *ast.BinaryExpr:
		t.prec = n.Op.Precedence()
	case *ast.UnaryExpr:
		t.prec = precUnary
	}
	last := 0
	for _, f := range all {
		t.parts = append(t.parts, text[last:f.at])
		t.slots = append(t.slots, slot{f.arg, f.prec})
		last = f.at + len("arg_0")
	}
	t.parts = append(t.parts, text[last:])
	return t
}

// apply writes an op on its arguments: exactly the operations of the op's Go
// text, in that order.
func apply(op *ir.Op, args []expr) (expr, error) {
	t, ok := templates()[op]
	if !ok {
		return expr{}, fmt.Errorf("the op %s has no Go text", op.Name)
	}
	return t.fill(args, "float64"), nil
}

// fill puts arguments of a type into the places of a template.
func (t template) fill(args []expr, typ string) expr {
	constants := true
	for _, a := range args {
		constants = constants && isNumber(a.text)
	}
	var b strings.Builder
	for i, s := range t.slots {
		b.WriteString(t.parts[i])
		a := args[s.arg]
		if constants { // of numbers alone Go would compute exactly, and 1/2 is 0
			a = primary("%s(%s)", typ, a.text)
		}
		b.WriteString(a.in(s.prec))
	}
	b.WriteString(t.parts[len(t.slots)])
	return expr{b.String(), t.prec}
}
