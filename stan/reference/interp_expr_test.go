package reference

import (
	"math"
	"strconv"

	"github.com/sgppl/sgppl/stan/syntax"
)

func (m *machine) expr(e syntax.Expr) any {
	switch e := e.(type) {
	case *syntax.Int:
		n, _ := strconv.Atoi(e.Text)
		return n
	case *syntax.Real:
		x, err := strconv.ParseFloat(e.Text, 64)
		if err != nil {
			fail("%v", err)
		}
		return x
	case *syntax.Name:
		return m.find(e.Name)[e.Name]
	case *syntax.Unary:
		x := m.expr(e.X)
		switch e.Op {
		case "-":
			if n, ok := x.(int); ok {
				return -n
			}
			return each(func(a float64) float64 { return -a }, x)
		case "+":
			return x
		case "!":
			return truth(num(x) == 0)
		}
		l := x.(*list)
		switch l.kind {
		case 'v':
			return &list{'r', l.elems}
		case 'r':
			return &list{'v', l.elems}
		}
		return mat(transpose(rows(l)))
	case *syntax.Binary:
		if e.Op == "&&" || e.Op == "||" {
			a := num(m.expr(e.X)) != 0
			if a == (e.Op == "||") {
				return truth(a)
			}
			return truth(num(m.expr(e.Y)) != 0)
		}
		return m.op(e.Op, m.expr(e.X), m.expr(e.Y))
	case *syntax.Cond:
		if num(m.expr(e.Cond)) != 0 {
			return m.expr(e.Then)
		}
		return m.expr(e.Else)
	case *syntax.Index:
		return m.load(m.expr(e.X), e.Subs)
	case *syntax.Array:
		out := &list{kind: 'a'}
		real := false
		for _, x := range e.Elems {
			v := clone(m.expr(x))
			_, is := v.(float64)
			real = real || is
			out.elems = append(out.elems, v)
		}
		if e.Row {
			out.kind = 'r'
			if _, is := out.elems[0].(*list); is {
				out.kind = 'm'
			} else {
				real = true
			}
		}
		for i, v := range out.elems {
			if n, ok := v.(int); ok && real {
				out.elems[i] = float64(n)
			}
		}
		return out
	case *syntax.Tuple:
		out := &list{kind: 't'}
		for _, x := range e.Elems {
			out.elems = append(out.elems, clone(m.expr(x)))
		}
		return out
	case *syntax.Field:
		return m.expr(e.X).(*list).elems[e.N-1]
	case *syntax.Call:
		return m.call(e)
	}
	fail("%T", e)
	return nil
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

func kindOf(v any) byte {
	if l, ok := v.(*list); ok {
		return l.kind
	}
	return 0
}

func (m *machine) op(op string, x, y any) any {
	a, isA := x.(int)
	b, isB := y.(int)
	if isA && isB {
		switch op {
		case "+":
			return a + b
		case "-":
			return a - b
		case "*":
			return a * b
		case "/", "%/%":
			return a / b
		case "%":
			return a % b
		}
	}
	switch op {
	case "==":
		return truth(num(x) == num(y))
	case "!=":
		return truth(num(x) != num(y))
	case "<":
		return truth(num(x) < num(y))
	case "<=":
		return truth(num(x) <= num(y))
	case ">":
		return truth(num(x) > num(y))
	case ">=":
		return truth(num(x) >= num(y))
	case "+":
		return both(func(a, b float64) float64 { return a + b }, x, y)
	case "-":
		return both(func(a, b float64) float64 { return a - b }, x, y)
	case ".*":
		return both(func(a, b float64) float64 { return a * b }, x, y)
	case "/":
		if kindOf(x) != 0 && kindOf(y)|32 == 'm' {
			return library["mdivide_right_spd"]([]any{x, y})
		}
		return both(func(a, b float64) float64 { return a / b }, x, y)
	case "./":
		return both(func(a, b float64) float64 { return a / b }, x, y)
	case "\\":
		return library["mdivide_left"]([]any{x, y})
	case "^", ".^":
		return both(math.Pow, x, y)
	case "*":
		switch string([]byte{kindOf(x) | 32, kindOf(y) | 32}) {
		case "rv":
			s := 0.0
			u, v := flat(x), flat(y)
			for i := range u {
				s += u[i] * v[i]
			}
			return s
		case "vr":
			var out [][]float64
			for _, p := range flat(x) {
				var row []float64
				for _, q := range flat(y) {
					row = append(row, p*q)
				}
				out = append(out, row)
			}
			return mat(out)
		case "mv":
			return vec('v', flat(mat(product(rows(x), transpose([][]float64{flat(y)})))))
		case "rm":
			return vec('r', product([][]float64{flat(x)}, rows(y))[0])
		case "mm":
			return mat(product(rows(x), rows(y)))
		}
		return both(func(a, b float64) float64 { return a * b }, x, y)
	}
	fail("operator %s", op)
	return nil
}
