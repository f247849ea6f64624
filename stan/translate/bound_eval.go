package translate

import (
	"math"
	"slices"
	"strconv"

	"github.com/sgppl/sgppl/runtime/math/size"
)

// An evaluation computes nodes that data alone give. nil is the value of what it does not know.
type evaluation struct {
	t   *translator
	env map[*sym]*Given
}

// of is the value of a node, nil where data alone do not give it.
func (e *evaluation) of(n node) *Given {
	switch n := n.(type) {
	case number:
		x, err := strconv.ParseFloat(n.text, 64)
		if err != nil {
			return nil
		}
		return scalar(x)
	case ref:
		return e.name(n.s)
	case whole:
		return e.poly(n.p)
	case unary:
		x := e.of(n.x)
		if n.op == "not" {
			return each(x, func(x float64) float64 { return truthful(x == 0).X[0] })
		}
		return each(x, func(x float64) float64 { return -x })
	case binary:
		return e.binary(n)
	case array:
		return e.array(n)
	case index:
		return e.index(n)
	case cond:
		c := e.of(n.c)
		switch {
		case c == nil || len(c.Shape) > 0 || n.b == nil:
			return nil
		case c.X[0] != 0:
			return e.of(n.a)
		}
		return e.of(n.b)
	case comp:
		return e.comp(n)
	case call:
		return e.call(n)
	case *scan:
		return e.scan(n)
	}
	return nil
}

// name is the value of what a name stands for: an input, a let, or an index of a loop.
func (e *evaluation) name(s *sym) *Given {
	switch s {
	case trueSym:
		return scalar(1)
	case falseSym:
		return scalar(0)
	case infSym:
		return scalar(math.Inf(1))
	}
	if x := e.env[s]; x != nil {
		return x
	}
	if s.unk {
		return nil
	}
	b := e.t.bound
	if g := b.values[s]; g != nil {
		b.read[s] = true
		if shift := e.t.ints[s].shift; shift != 0 {
			return each(g, func(x float64) float64 { return x - float64(shift) })
		}
		return g
	}
	if s.def == nil {
		return nil
	}
	x, known := b.memo[s]
	if !known {
		x = (&evaluation{t: e.t}).of(s.def)
		b.memo[s] = x
	}
	return x
}

// poly is the value of a polynomial of sizes and indices.
func (e *evaluation) poly(p size.Poly) *Given {
	sum := 0.0
	for _, term := range p.Terms {
		x := float64(term.Coef)
		for _, d := range term.Dims {
			s := e.t.syms[d]
			if s == nil {
				return nil
			}
			v := (*Given)(nil)
			if s.atom != nil {
				v = e.of(s.atom)
			} else {
				v = e.name(s)
			}
			if v == nil || len(v.Shape) > 0 {
				return nil
			}
			x *= v.X[0]
		}
		sum += x
	}
	if p.Over > 1 {
		sum /= float64(p.Over)
	}
	return scalar(sum)
}

// size is a whole number.
func (e *evaluation) size(p size.Poly) (int, bool) {
	if n, ok := p.Number(); ok {
		return n, true
	}
	v := e.poly(p)
	if v == nil {
		return 0, false
	}
	return int(v.X[0]), true
}

var operations = map[string]func(a, b float64) float64{
	"+": func(a, b float64) float64 { return a + b }, "-": func(a, b float64) float64 { return a - b },
	"*": func(a, b float64) float64 { return a * b }, "/": func(a, b float64) float64 { return a / b },
	"%": func(a, b float64) float64 { return a - b*math.Floor(a/b) }, "^": math.Pow,
	"<":   func(a, b float64) float64 { return truthful(a < b).X[0] },
	"<=":  func(a, b float64) float64 { return truthful(a <= b).X[0] },
	">":   func(a, b float64) float64 { return truthful(a > b).X[0] },
	">=":  func(a, b float64) float64 { return truthful(a >= b).X[0] },
	"==":  func(a, b float64) float64 { return truthful(a == b).X[0] },
	"!=":  func(a, b float64) float64 { return truthful(a != b).X[0] },
	"and": func(a, b float64) float64 { return truthful(a != 0 && b != 0).X[0] },
	"or":  func(a, b float64) float64 { return truthful(a != 0 || b != 0).X[0] },
}

// binary computes an operator of two operands, entry by entry.
func (e *evaluation) binary(n binary) *Given {
	x := e.of(n.x)
	if x == nil {
		return nil
	}
	if len(x.Shape) == 0 && (n.op == "and" && x.X[0] == 0 || n.op == "or" && x.X[0] != 0) {
		return truthful(n.op == "or")
	}
	y := e.of(n.y)
	if y == nil {
		return nil
	}
	if n.op == "@" {
		return matrixProduct(x, y)
	}
	return both(x, y, operations[n.op])
}

// array is an array of the values of its entries, all of one shape.
func (e *evaluation) array(n array) *Given {
	out := &Given{Shape: []int{len(n.elems)}}
	for i, x := range n.elems {
		v := e.of(x)
		if v == nil {
			return nil
		}
		if i == 0 {
			out.Shape = append(out.Shape, v.Shape...)
		} else if !slices.Equal(v.Shape, out.Shape[1:]) {
			return nil
		}
		out.X = append(out.X, v.X...)
	}
	return out
}

// index takes entries, slices, and the entries that an array of indices names.
func (e *evaluation) index(n index) *Given {
	x := e.of(n.x)
	if x == nil || len(n.subs) > len(x.Shape) {
		return nil
	}
	var places [][]int
	var sh []int
	for k, s := range n.subs {
		at, isOne := e.places(s, x.Shape[k])
		if at == nil {
			return nil
		}
		for _, i := range at {
			if i < 0 || i >= x.Shape[k] {
				return nil
			}
		}
		places = append(places, at)
		if !isOne {
			sh = append(sh, len(at))
		}
	}
	inner := 1
	for _, k := range x.Shape[len(n.subs):] {
		inner *= k
		sh = append(sh, k)
	}
	out := &Given{Shape: sh}
	var walk func(k, at int)
	walk = func(k, at int) {
		if k == len(places) {
			out.X = append(out.X, x.X[at*inner:(at+1)*inner]...)
			return
		}
		for _, i := range places[k] {
			walk(k+1, at*x.Shape[k]+i)
		}
	}
	walk(0, 0)
	return out
}

// places are the entries of an axis of n that a subscript names; one is true of a single one.
func (e *evaluation) places(s node, n int) (at []int, one bool) {
	at = []int{}
	if r, ok := s.(slice); ok {
		lo, hi := 0, n
		for _, end := range []struct {
			x node
			p *int
		}{{r.lo, &lo}, {r.hi, &hi}} {
			if end.x == nil {
				continue
			}
			v := e.of(end.x)
			if v == nil || len(v.Shape) > 0 {
				return nil, false
			}
			*end.p = int(v.X[0])
		}
		for i := lo; i < hi; i++ {
			at = append(at, i)
		}
		return at, false
	}
	v := e.of(s)
	if v == nil || len(v.Shape) > 1 {
		return nil, false
	}
	for _, x := range v.X {
		at = append(at, int(x))
	}
	return at, len(v.Shape) == 0
}

var numeric = map[string]func(float64) float64{
	"exp": math.Exp, "log": math.Log, "sqrt": math.Sqrt, "abs": math.Abs, "log1p": math.Log1p,
	"expm1": math.Expm1, "floor": math.Floor, "ceil": math.Ceil, "round": math.Round,
	"tanh": math.Tanh, "sinh": math.Sinh, "cosh": math.Cosh, "sin": math.Sin, "cos": math.Cos,
	"tan": math.Tan, "asin": math.Asin, "acos": math.Acos, "atan": math.Atan, "erf": math.Erf,
	"erfc": math.Erfc, "square": func(x float64) float64 { return x * x },
	"sigmoid": func(x float64) float64 { return 1 / (1 + math.Exp(-x)) },
	"logit":   func(x float64) float64 { return math.Log(x / (1 - x)) },
	"log1m":   func(x float64) float64 { return math.Log1p(-x) },
	"relu":    func(x float64) float64 { return math.Max(x, 0) },
	"lgamma":  func(x float64) float64 { y, _ := math.Lgamma(x); return y },
	"sign": func(x float64) float64 {
		switch {
		case x > 0:
			return 1
		case x < 0:
			return -1
		}
		return x
	},
}

// call computes a function of values.
func (e *evaluation) call(n call) *Given {
	if n.user != nil || len(n.kw) > 0 {
		return nil
	}
	var args []*Given
	for _, a := range n.args {
		v := e.of(a)
		if v == nil {
			return nil
		}
		args = append(args, v)
	}
	if f := numeric[n.fun]; f != nil && len(args) == 1 {
		return each(args[0], f)
	}
	if len(args) == 2 {
		switch n.fun {
		case "max":
			return both(args[0], args[1], math.Max)
		case "min":
			return both(args[0], args[1], math.Min)
		case "pow":
			return both(args[0], args[1], math.Pow)
		case "dot":
			return matrixProduct(args[0], args[1])
		}
	}
	return shaped(n.fun, args)
}
