package translate

import (
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/math/size"
	"github.com/sgppl/sgppl/stan/syntax"
)

// truncated subtracts the log probability of an interval, for every entry.
func (t *translator) truncated(l *lawCall, v *value, lo, hi *value, at source.Span) *value {
	fam := t.family(l)
	one := func(r []size.Poly) node {
		pick := func(x *value, own int) *value {
			if k := x.t.rank() - own; k > 0 {
				return t.atAll(x, r[:k])
			}
			return x
		}
		var args []node
		for i, a := range l.args {
			args = append(args, t.argument(l, i, pick(a, l.d.args[i])))
		}
		f := func(name string, x node) node {
			return call{fun: l.to() + "." + name, args: append([]node{x}, args...)}
		}
		below := func() node { // the end that is not in the interval any more
			n := t.raw(pick(lo, 0))
			if l.d.discrete {
				n = minus(n, num(1))
			}
			return n
		}
		var z node
		switch {
		case hi == nil:
			z = f("logccdf", below())
		case lo == nil:
			z = f("logcdf", t.raw(pick(hi, 0)))
		default:
			up := f("logcdf", t.raw(pick(hi, 0)))
			z = plus(up, call{fun: "log1m_exp", args: []node{minus(f("logcdf", below()), up)}})
		}
		if lo == nil || !l.d.discrete {
			return z
		}
		// below 0 a count has probability 0, and its logarithm is no number
		n := below()
		whole := node(num(0))
		if hi != nil {
			whole = f("logcdf", t.raw(pick(hi, 0)))
		}
		return t.choose(t.compare("<", n, num(0)), whole, z)
	}
	var z node
	if len(fam) == 0 {
		z = one(nil)
	} else {
		c := t.eachOf(fam, one).(comp)
		c.fun = "sum"
		z = t.masked(c, num(0))
	}
	n := minus(v.n, z)
	if in := t.inside(l, lo, hi, at); len(in) > 0 {
		n = t.choose(and(in), n, unary{"-", ref{infSym}})
	}
	return &value{n: n, t: typ{realBase, 0}, unk: true}
}

// inside are the conditions under which a truncated value has a density above 0, where its type
// does
// not say them already.
func (t *translator) inside(l *lawCall, lo, hi *value, at source.Span) []node {
	var in []node
	y := t.raw(l.y)
	test := func(op string, end *value, upper bool) {
		if end == nil || t.within(rootRef(l.y.n), end.n, upper) {
			return
		}
		c := t.compare(op, y, t.raw(end))
		switch {
		case l.y.t.rank() == 0:
			in = append(in, c)
		case l.y.unk:
			t.failNote("declare them with <lower=…, upper=…>",
				syntax.NoTruncation, at, "the truncation of several unknowns at once needs their "+
					"bounds in their declaration")
		default:
			in = append(in, f1("all", c))
		}
	}
	test(">=", lo, false)
	test("<=", hi, true)
	return in
}

func nodeOf(v *value) node {
	if v == nil {
		return nil
	}
	return v.n
}

func rootRef(n node) node {
	if x, ok := n.(index); ok {
		return x.x
	}
	return n
}

// within reports whether a param's type keeps it on the right side of an end; no end is kept.
func (t *translator) within(n, end node, upper bool) bool {
	if end == nil {
		return true
	}
	p := t.paramOf(n)
	if p == nil {
		return false
	}
	b := p.lower
	if upper {
		b = p.upper
	}
	return b != nil && t.same(b, end)
}

// paramOf is the param that a node is, or is an entry of.
func (t *translator) paramOf(n node) *param {
	r, ok := rootRef(n).(ref)
	if !ok {
		return nil
	}
	for _, p := range t.params {
		if p.s == r.s {
			return p
		}
	}
	return nil
}
