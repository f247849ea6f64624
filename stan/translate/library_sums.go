package translate

import (
	"github.com/sgppl/sgppl/runtime/math/size"
	"github.com/sgppl/sgppl/stan/syntax"
)

func (c *calling) abs() *value {
	c.count(1)
	a := c.args[0]
	out := c.made(a.t, f1("abs", c.raw(a)), a.sh...)
	if out.isIntScalar() {
		out.n = whole{c.atom(out.n, &sym{})}
	}
	return out
}

func (c *calling) extreme() *value {
	if len(c.args) == 2 {
		x, y := c.want(0, 0), c.want(1, 0)
		out := c.made(x.t, f1(c.name, c.raw(x), c.raw(y)))
		if !y.isInt() {
			out.t = y.t
		}
		if out.isInt() {
			out.n = whole{c.atom(out.n, &sym{neg: true})}
		}
		return out
	}
	return c.reduce()
}

func (c *calling) reduce() *value {
	a := c.want(0, -1)
	c.count(1)
	if a.t.rank() == 0 {
		return a
	}
	out := &value{t: typ{realBase, 0}, unk: a.unk}
	switch {
	case c.lazy(a):
		out.n = c.lazyReduce(a)
	default:
		out.n = f1(c.name, flatted(c.raw(a), a.t.rank()))
	}
	if a.t.base == intBase && c.name != "mean" && c.name != "sd" && c.name != "variance" {
		out.t = typ{intBase, 0}
		out.n = whole{c.atom(out.n, &sym{neg: true})}
	}
	return out
}

// lazyReduce reduces a slice whose length data or an index give.
func (c *calling) lazyReduce(a *value) node {
	zero := map[string]node{"sum": num(0), "prod": num(1), "log_sum_exp": unary{"-", ref{infSym}},
		"max": unary{"-", ref{infSym}}, "min": ref{infSym}}[c.name]
	if c.name == "mean" {
		n := size.Const(1)
		for _, p := range a.sh {
			n = n.Mul(p)
		}
		return binary{"/", c.lazySum(a), whole{n}}
	}
	if zero == nil {
		c.fail(syntax.NoIndex, c.at, "%s of a slice whose length depends on data or on an index has no "+
			"counterpart", c.name)
	}
	n := c.eachOf(a.sh, func(r []size.Poly) node { return c.atAll(a, r).n }).(comp)
	n.fun = c.name
	return c.masked(n, zero)
}

func (c *calling) total() *value {
	c.count(1)
	a := c.want(0, -1)
	if a.t.rank() == 0 {
		return a
	}
	if x, ok := a.n.(comp); ok && x.fun == "" && len(x.binds) == a.t.rank() && a.t.base != intBase {
		return &value{n: c.sum(a), t: typ{realBase, 0}, unk: a.unk}
	}
	return c.reduce()
}

func (c *calling) logSumExp() *value {
	if len(c.args) == 2 {
		x, y := c.want(0, 0), c.want(1, 0)
		return c.made(typ{realBase, 0}, f1("log_sum_exp", array{[]node{c.raw(x), c.raw(y)}}))
	}
	v := c.reduce()
	if x, ok := c.args[0].n.(comp); ok && x.fun == "" && len(x.binds) == c.args[0].t.rank() {
		x.fun = "log_sum_exp"
		v.n = c.masked(x, unary{"-", ref{infSym}})
	}
	return v
}

func (c *calling) logMix() *value {
	if len(c.args) == 2 {
		p, l := c.want(0, 1), c.want(1, -1)
		if l.t == (typ{vectorBase, 1}) { // the sum over the vectors
			n := c.eachOf(l.sh[:1], func(r []size.Poly) node {
				return f1("log_sum_exp", binary{"+", f1("log", p.n),
					c.reshaped(c.raw(c.value(l, r[0])), l.sh[1:], p.sh)})
			}).(comp)
			n.fun = "sum"
			return c.made(typ{realBase, 0}, n)
		}
		c.want(1, 1)
		return c.made(typ{realBase, 0}, f1("log_sum_exp", binary{"+", f1("log", p.n),
			c.reshaped(l.n, l.sh, p.sh)}))
	}
	c.count(3)
	p, a, b := c.raw(c.want(0, 0)), c.raw(c.want(1, 0)), c.raw(c.want(2, 0))
	return c.made(typ{realBase, 0}, f1("log_sum_exp", array{[]node{plus(f1("log", p), a),
		plus(f1("log1m", p), b)}}))
}

// declaredExtent is the size of a variable by its declaration, which is known before anything is
// assigned to it; nil for other calls.
func (t *translator) declaredExtent(c *syntax.Call) *value {
	switch c.Fun {
	case "size", "num_elements", "rows", "cols":
	default:
		return nil
	}
	if len(c.Args) != 1 {
		return nil
	}
	n, ok := c.Args[0].(*syntax.Name)
	if !ok {
		return nil
	}
	v := t.lookup(n.Name)
	if v == nil || v.t.base == tupleBase || v.base != nil || len(v.writes) > 0 || v.isBroken() {
		return nil
	}
	k := &calling{t, c.Fun, []*value{{n: zeros(v.sh), t: v.t, sh: v.sh}}, c.Pos()}
	return k.extent()
}

func (c *calling) extent() *value {
	if len(c.args) == 1 && c.args[0].t.base == tupleBase && c.args[0].t.arr > 0 {
		return intVal(c.args[0].sh[0])
	}
	c.count(1)
	a := c.want(0, -1)
	switch {
	case a.t.rank() == 0:
		return intVal(size.Const(1))
	case c.name == "size" && a.t.arr > 0:
		return intVal(a.sh[0])
	case c.name == "rows":
		if a.t.base == rowBase && a.t.arr == 0 {
			return intVal(size.Const(1))
		}
		return intVal(a.sh[0])
	case c.name == "cols":
		if a.t.base == vectorBase && a.t.arr == 0 {
			return intVal(size.Const(1))
		}
		return intVal(a.sh[len(a.sh)-1])
	}
	n := size.Const(1)
	for _, p := range a.sh {
		n = n.Mul(p)
	}
	return intVal(n)
}

func (c *calling) dot() *value {
	x := c.want(0, 1)
	y := x
	if c.name == "dot_product" {
		c.count(2)
		y = c.want(1, 1)
	}
	a := &value{n: c.raw(x), t: typ{rowBase, 0}, sh: x.sh, unk: x.unk}
	b := &value{n: c.raw(y), t: typ{vectorBase, 0}, sh: y.sh, unk: y.unk}
	return c.arith("*", a, b, c.at)
}

func (c *calling) distance() *value {
	c.count(2)
	x, y := c.want(0, -1), c.want(1, -1)
	if x.t.rank() != y.t.rank() || x.t.rank() > 1 {
		c.want(0, 1)
		c.want(1, 1)
	}
	d := minus(c.raw(x), c.reshaped(c.raw(y), y.sh, x.sh))
	if x.t.rank() == 0 {
		if c.name == "distance" {
			return c.made(typ{realBase, 0}, f1("abs", d))
		}
		return c.made(typ{realBase, 0}, f1("square", d))
	}
	if c.name == "distance" {
		return c.made(typ{realBase, 0}, f1("norm", d))
	}
	return c.made(typ{realBase, 0}, f1("sum", f1("square", d)))
}

func (c *calling) norm() *value {
	c.count(1)
	x := c.want(0, 1)
	if c.name == "norm1" {
		return c.made(typ{realBase, 0}, f1("sum", f1("abs", c.raw(x))))
	}
	return c.made(typ{realBase, 0}, f1("norm", c.raw(x)))
}

// flatted is an array that a reduction takes: a comprehension of arrays would be reduced along its
// own axes alone.
func flatted(n node, rank int) node {
	if c, ok := n.(comp); ok && c.fun == "" && len(c.binds) < rank {
		return f1("flatten", n)
	}
	return n
}
