package translate

import (
	"slices"
	"strings"

	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/math/size"
	"github.com/sgppl/sgppl/stan/syntax"
)

// arith is an arithmetic operation on values.
func (t *translator) arith(op string, x, y *value, at source.Span) *value {
	wrong := func() {
		t.fail(syntax.WrongType, at, "%s does not take %v and %v", op, x.t, y.t)
	}
	if x.t.base == tupleBase || y.t.base == tupleBase || x.t.arr > 0 || y.t.arr > 0 {
		wrong()
	}
	if x.scalar() && y.scalar() {
		return t.scalarOp(op, x, y, at)
	}
	bare := strings.TrimPrefix(op, ".")
	switch {
	case x.scalar() || y.scalar():
		if bare == "*" || bare == "/" || bare == "^" || op == "+" || op == "-" {
			if bare == "/" && y.t.base == matrixBase && op == "/" {
				wrong()
			}
			return t.elementwise(bare, x, y)
		}
	case op == "+" || op == "-" || op[0] == '.':
		if x.t != y.t {
			wrong()
		}
		return t.elementwise(bare, x, y)
	case op == "*":
		return t.product(x, y, wrong)
	case op == "\\":
		if x.t == (typ{matrixBase, 0}) {
			return (&calling{t, "mdivide_left", []*value{x, y}, at}).divide()
		}
	case op == "/":
		if y.t == (typ{matrixBase, 0}) {
			return library["mdivide_right"](&calling{t, "mdivide_right", []*value{x, y}, at})
		}
	}
	wrong()
	return nil
}

// arrange is an operation on nodes, simplified.
func arrange(op string, x, y node) node {
	switch op {
	case "+":
		return plus(x, y)
	case "-":
		return minus(x, y)
	case "*":
		return times(x, y)
	}
	return binary{op, x, y}
}

func (t *translator) elementwise(op string, x, y *value) *value {
	big := x
	if x.scalar() {
		big = y
	}
	out := &value{t: big.t, sh: big.sh, unk: x.unk || y.unk}
	a, b := t.raw(x), t.raw(y)
	if t.lazy(big) {
		n := t.eachOf(big.sh, func(r []size.Poly) node {
			p, q := a, b
			if !x.scalar() {
				p = t.atAll(x, r).n
			}
			if !y.scalar() {
				q = t.atAll(y, r).n
			}
			return arrange(op, p, q)
		})
		out.n = n
		return out
	}
	if !x.scalar() && !y.scalar() {
		b = t.reshaped(b, y.sh, x.sh)
	}
	out.n = arrange(op, a, b)
	return out
}

// lazy reports whether the length of a value is known to an index or to data alone: it is then
// written entry by entry where it is read.
func (t *translator) lazy(v *value) bool {
	return slices.ContainsFunc(v.sh, t.moves)
}

// eachOf is a comprehension over a shape.
func (t *translator) eachOf(sh []size.Poly, f func(r []size.Poly) node) node {
	var binds []bind
	var r []size.Poly
	for k, p := range sh {
		s := t.newIndex(axisName(k, len(sh)), size.Poly{}, p)
		binds = append(binds, bind{s, size.Poly{}, p})
		r = append(r, size.Dim(s.key))
	}
	n := f(r)
	return comp{elem: n, binds: binds}
}

func (t *translator) scalarOp(op string, x, y *value, at source.Span) *value {
	a, b := t.raw(x), t.raw(y)
	out := &value{t: typ{realBase, 0}, unk: x.unk || y.unk}
	if x.isInt() && y.isInt() {
		out.t = typ{intBase, 0}
		p, q := whole{t.intOf(&value{n: a, t: out.t}, at)}, whole{t.intOf(&value{n: b, t: out.t}, at)}
		nonneg := t.atLeast(p.p, size.Poly{}) && t.atLeast(q.p, size.Poly{})
		switch op {
		case "+", "-", "*", ".*":
			out.n = arrange(strings.TrimPrefix(op, "."), p, q)
			return out
		case "%/%", "/":
			out.n = whole{t.atom(t.quotient(p, q, nonneg), &sym{neg: !nonneg})}
			if m, ok := q.p.Number(); ok {
				if exact, ok := p.p.Quotient(m); ok {
					out.n = whole{exact}
				}
			}
			return out
		case "%":
			n := node(binary{"%", p, q})
			if !nonneg {
				n = binary{"-", p, binary{"*", q, t.quotient(p, q, false)}}
			}
			out.n = whole{t.atom(n, &sym{neg: !nonneg})}
			return out
		case "^", ".^":
			out.t = typ{realBase, 0}
			out.n = binary{"^", p, q}
			return out
		}
	}
	switch op {
	case "+", "-", "*", ".*", "/", "./", "^", ".^":
		out.n = arrange(strings.TrimPrefix(op, "."), a, b)
		return out
	}
	t.fail(syntax.WrongType, at, "%s does not take %v and %v", op, x.t, y.t)
	return nil
}

// quotient is a whole quotient, rounded towards 0.
func (t *translator) quotient(p, q node, nonneg bool) node {
	d := binary{"/", p, q}
	floor := call{fun: "floor", args: []node{d}}
	if nonneg {
		return floor
	}
	return cond{binary{">=", d, num(0)}, floor, call{fun: "ceil", args: []node{d}}}
}

// product is x * y of vectors and matrices.
func (t *translator) product(x, y *value, wrong func()) *value {
	type pair struct{ a, b base }
	out := &value{unk: x.unk || y.unk}
	a, b := x, y
	switch (pair{x.t.base, y.t.base}) {
	case pair{rowBase, vectorBase}:
		out.t = typ{realBase, 0}
	case pair{vectorBase, rowBase}:
		out.t, out.sh = typ{matrixBase, 0}, []size.Poly{x.sh[0], y.sh[0]}
		out.n = call{fun: "outer", args: []node{x.n, y.n}}
		return out
	case pair{matrixBase, vectorBase}:
		out.t, out.sh = typ{vectorBase, 0}, x.sh[:1]
	case pair{rowBase, matrixBase}:
		out.t, out.sh = typ{rowBase, 0}, y.sh[1:]
	case pair{matrixBase, matrixBase}:
		out.t, out.sh = typ{matrixBase, 0}, []size.Poly{x.sh[0], y.sh[1]}
	default:
		wrong()
	}
	if t.lazy(a) || t.lazy(b) {
		if out.t.base == realBase {
			return &value{n: t.lazySum(t.elementwise("*", x, &value{n: y.n, t: x.t, sh: y.sh, unk: y.unk})),
				t: out.t, unk: out.unk}
		}
		t.fail(syntax.NoIndex, t.here, "a product with a slice whose length depends on data or on an "+
			"index has no counterpart")
	}
	inner := x.sh[len(x.sh)-1]
	bn := b.n
	if !inner.Equal(b.sh[0]) {
		bn = t.reshaped(b.n, b.sh, append([]size.Poly{inner}, b.sh[1:]...))
	}
	out.n = binary{"@", a.n, bn}
	return out
}

// lazySum sums a value that is written entry by entry.
func (t *translator) lazySum(v *value) node {
	if c, ok := v.n.(comp); ok && c.fun == "" && len(c.binds) == len(v.sh) {
		c.fun = "sum"
		return t.masked(c, num(0))
	}
	n := t.eachOf(v.sh, func(r []size.Poly) node { return t.atAll(v, r).n }).(comp)
	n.fun = "sum"
	return t.masked(n, num(0))
}
