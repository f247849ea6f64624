package translate

import (
	"github.com/sgppl/sgppl/runtime/math/size"
	"github.com/sgppl/sgppl/stan/syntax"
)

// scaled multiplies the rows and columns of a matrix by the entries of a vector.
func (c *calling) scaled() *value {
	c.count(2)
	m, v := c.args[0], c.args[1]
	if c.name == "diag_pre_multiply" {
		v, m = m, v
	}
	if m.t != (typ{matrixBase, 0}) || v.t.rank() != 1 {
		c.fail(syntax.WrongType, c.at, "%s does not take %v and %v", c.name, c.args[0].t, c.args[1].t)
	}
	n := c.eachOf(m.sh, func(r []size.Poly) node {
		x := c.atAll(m, r).n
		if c.name != "diag_pre_multiply" {
			x = times(x, c.value(v, r[1]).n)
		}
		if c.name != "diag_post_multiply" {
			x = times(c.value(v, r[0]).n, x)
		}
		return x
	})
	return c.made(m.t, n, m.sh...)
}

// quad is B' A B, or b' A b.
func (c *calling) quad() *value {
	c.count(2)
	a, b := c.want(0, 2), c.want(1, -1)
	if b.t.rank() == 1 {
		x := c.reshaped(b.n, b.sh, a.sh[:1])
		return c.made(typ{realBase, 0}, binary{"@", binary{"@", x, a.n}, x})
	}
	c.want(1, 2)
	return c.made(a.t, binary{"@", transposed(b.n), binary{"@", a.n, b.n}}, b.sh[1], b.sh[1])
}

func (c *calling) traceQuad() *value {
	q := c.quad()
	if q.t.rank() == 0 {
		return q
	}
	return c.made(typ{realBase, 0}, f1("trace", q.n))
}

func (c *calling) cross() *value {
	c.count(1)
	a := c.want(0, 2)
	if c.name == "crossprod" {
		return c.made(a.t, binary{"@", transposed(a.n), a.n}, a.sh[1], a.sh[1])
	}
	return c.made(a.t, binary{"@", a.n, transposed(a.n)}, a.sh[0], a.sh[0])
}

// solve is A \ b and b / A for triangular and positive definite A.
func (c *calling) solve() *value {
	c.count(2)
	fun := map[string]string{"mdivide_left_tri_low": "triangular_solve",
		"mdivide_left_spd":      "solve_spd",
		"mdivide_right_tri_low": "triangular_solve_t", "mdivide_right_spd": "solve_spd"}[c.name]
	left := c.name[:12] == "mdivide_left"
	m, b := c.args[0], c.args[1]
	if !left {
		m, b = b, m
	}
	if m.t != (typ{matrixBase, 0}) || b.t.arr > 0 || b.t.rank() == 0 {
		c.fail(syntax.WrongType, c.at, "%s does not take %v and %v", c.name, c.args[0].t, c.args[1].t)
	}
	if b.t.rank() == 1 {
		return c.made(b.t, f1(fun, m.n, c.reshaped(b.n, b.sh, m.sh[:1])), b.sh...)
	}
	// a matrix, column by column on the left, row by row on the right
	if left {
		n := c.eachOf(b.sh[1:], func(r []size.Poly) node {
			return f1(fun, m.n, c.subscripted(b.n, []node{slice{}, whole{r[0]}}))
		})
		return c.made(b.t, transposed(n), b.sh...)
	}
	n := c.eachOf(b.sh[:1], func(r []size.Poly) node { return f1(fun, m.n, c.value(b, r[0]).n) })
	return c.made(b.t, n, b.sh...)
}

// factors are Q and R of a square matrix, named.
func (c *calling) factors(a *value) (q, r node) {
	if a.t != (typ{matrixBase, 0}) {
		c.fail(syntax.WrongType, c.at, "%s takes a matrix, and not %v", c.name, a.t)
	}
	n := c.reshaped(a.n, a.sh, []size.Poly{a.sh[0], a.sh[0]})
	sh := []size.Poly{a.sh[0], a.sh[0]}
	name := func(fun, as string) node {
		s := c.let(c.blk, as, &value{n: f1(fun, n), t: a.t, sh: sh, unk: a.unk})
		c.auto[s] = true
		return ref{s}
	}
	return name("qr_thin_Q", "Q"), name("qr_thin_R", "R")
}

// inverse is that of a square matrix: by its Cholesky factor where its form says that it has one,
// else R⁻¹ Q' by columns.
func (c *calling) inverse() *value {
	c.count(1)
	a := c.want(0, 2)
	if c.isSpd(a.n) {
		return c.made(a.t, f1("inverse_spd", a.n), a.sh...)
	}
	q, r := c.factors(a)
	n := c.eachOf(a.sh[:1], func(i []size.Poly) node {
		return f1("triangular_solve_t", transposed(r), c.indexed(q, wholes(i)))
	})
	return c.made(a.t, transposed(n), a.sh...)
}

// divide is A \\ b for a square matrix and a vector.
func (c *calling) divide() *value {
	c.count(2)
	a, b := c.want(0, 2), c.want(1, -1)
	q, r := c.factors(a)
	if b.t == (typ{matrixBase, 0}) { // by columns
		n := c.eachOf(b.sh[1:], func(k []size.Poly) node {
			x := binary{"@", transposed(q), c.reshaped(c.subscripted(b.n, []node{slice{}, whole{k[0]}}),
				b.sh[:1], a.sh[:1])}
			return f1("triangular_solve_t", transposed(r), x)
		})
		return c.made(b.t, transposed(n), b.sh...)
	}
	if b.t.rank() != 1 {
		c.want(1, 1)
	}
	x := binary{"@", transposed(q), c.reshaped(b.n, b.sh, a.sh[:1])}
	return c.made(b.t, f1("triangular_solve_t", transposed(r), x), b.sh...)
}

func (c *calling) dots() *value {
	a := c.want(0, -1)
	if a.t.rank() == 1 {
		return c.lineDots(a)
	}
	a = c.want(0, 2)
	b := a
	if len(c.args) == 2 {
		b = c.want(1, 2)
	}
	axis, t := 0, typ{vectorBase, 0}
	if c.name[:7] == "columns" {
		axis, t = 1, typ{rowBase, 0}
	}
	n := c.eachOf(a.sh[axis:axis+1], func(r []size.Poly) node {
		subs := []node{whole{r[0]}}
		if axis == 1 {
			subs = []node{slice{}, whole{r[0]}}
		}
		x, y := c.subscripted(a.n, subs), c.subscripted(c.reshaped(b.n, b.sh, a.sh), subs)
		return binary{"@", x, y}
	})
	return c.made(t, n, a.sh[axis])
}

// kernel is a covariance function of a Gaussian process.
func (c *calling) kernel() *value {
	fun := map[string]string{"cov_exp_quad": "gp_exp_quad", "gp_exp_quad_cov": "gp_exp_quad",
		"gp_matern32_cov": "gp_matern32", "gp_matern52_cov": "gp_matern52",
		"gp_exponential_cov": "gp_exponential", "gp_periodic_cov": "gp_periodic"}[c.name]
	more := 2
	if c.name == "gp_periodic_cov" {
		more = 3
	}
	points := len(c.args) - more
	if points < 1 || points > 2 {
		c.count(1 + more)
	}
	var args []node
	var sh []size.Poly
	for _, a := range c.args[:points] {
		if a.t.rank() < 1 || a.t.rank() > 2 || a.t.arr == 0 {
			c.fail(syntax.WrongType, c.at, "%s takes arrays of numbers or of vectors", c.name)
		}
		args, sh = append(args, c.raw(a)), append(sh, a.sh[0])
	}
	if points == 1 {
		sh = append(sh, sh[0])
	}
	for _, a := range c.args[points:] {
		args = append(args, c.raw(a))
	}
	return c.made(typ{matrixBase, 0}, f1(fun, args...), sh...)
}

// isSpd reports whether a matrix is positive definite by its form.
func (c *calling) isSpd(n node) bool {
	switch n := n.(type) {
	case binary:
		x, ok := n.y.(call)
		return n.op == "@" && ok && x.fun == "transpose" && c.same(x.args[0], n.x)
	case ref:
		for _, p := range c.params {
			if p.chol && p.matrix != nil && c.same(p.matrix.base.n, n) {
				return true
			}
		}
	case call:
		return n.fun == "inverse_spd" || n.fun == "identity"
	}
	return false
}

// hmm is the marginal likelihood of a hidden Markov model: log_omega[k, t], Gamma[j, k], rho[k].
func (c *calling) hmm() *value {
	c.count(3)
	w, g, r := c.want(0, 2), c.want(1, 2), c.want(2, 1)
	k, n := w.sh[0], w.sh[1]
	t := c.translator
	s := t.newSym("forward")
	s.local, s.unk = true, true
	t.shapes[s] = []size.Poly{k}
	v := t.newIndex("t", size.Const(1), n)
	to, from := t.newIndex("k", size.Poly{}, k), t.newIndex("j", size.Poly{}, k)
	emit := func(p size.Poly) node { return c.subscripted(w.n, []node{slice{}, whole{p}}) }
	elem := binary{"+", comp{fun: "log_sum_exp", elem: binary{"+",
		index{ref{s}, []node{whole{size.Dim(from.key)}}},
		f1("log", c.indexed(g.n, wholes([]size.Poly{size.Dim(from.key), size.Dim(to.key)})))},
		binds: []bind{{from, from.lo, from.hi}}},
		c.indexed(w.n, wholes([]size.Poly{size.Dim(to.key), size.Dim(v.key)}))}
	sc := &scan{v: v, lo: size.Const(1), hi: n, body: &block{},
		carries: []carry{{s, plus(f1("log", r.n), emit(size.Poly{}))}},
		next:    []node{comp{elem: elem, binds: []bind{{to, to.lo, to.hi}}}}}
	all := t.let(t.blk, "forward", &value{n: sc, t: typ{vectorBase, 1}, sh: []size.Poly{n, k},
		unk: true})
	return c.made(typ{realBase, 0}, f1("log_sum_exp", index{ref{all},
		[]node{whole{n.Sub(size.Const(1))}}}))
}

// lineDots are the products of the columns or rows of a vector, which is a matrix of one column or
// row.
func (c *calling) lineDots(a *value) *value {
	b := a
	if len(c.args) == 2 {
		b = c.want(1, 1)
	}
	p := binary{"*", c.raw(a), c.reshaped(c.raw(b), b.sh, a.sh)}
	byColumns := c.name[:7] == "columns"
	t := typ{vectorBase, 0}
	if byColumns {
		t = typ{rowBase, 0}
	}
	if byColumns == (a.t.base == vectorBase) { // along the vector
		return c.made(t, array{[]node{f1("sum", p)}}, size.Const(1))
	}
	return c.made(t, p, a.sh...)
}
