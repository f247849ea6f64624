package translate

import (
	"github.com/sgppl/sgppl/runtime/math/size"
	"github.com/sgppl/sgppl/stan/syntax"
)

// derived writes the value that a param stands for, where that is not the param itself.
func (t *translator) derived(v *variable, p *param, ty *syntax.Type, name string) {
	var f func(n node) node
	switch {
	case p.chol:
		f = func(n node) node { return binary{"@", n, call{fun: "transpose", args: []node{n}}} }
	case ty.Base == "column_stochastic_matrix":
		f = func(n node) node { return call{fun: "transpose", args: []node{n}} }
	default:
		return
	}
	val := &value{t: v.t, sh: v.sh, unk: true}
	outer := v.sh[:v.t.arr]
	if len(outer) == 0 {
		val.n = f(ref{p.s})
	} else {
		val.n = t.eachOf(outer, func(r []size.Poly) node {
			return f(index{ref{p.s}, wholes(r)})
		})
	}
	s := t.let(t.root, name, val)
	t.mark(s, true, v)
	val.n = ref{s}
	v.base = val
	p.matrix = v
}

// jacobians adds, for each matrix whose prior is not one of its factor, the logarithm of the
// derivative of the matrix by its factor.
func (t *translator) jacobians() {
	for _, p := range t.params {
		if !p.chol || p.prior {
			continue
		}
		k := p.own[0]
		i := t.newIndex("k", size.Poly{}, k)
		power := k.Sub(size.Dim(i.key))
		if p.kind == "corr_chol" {
			power = power.Sub(size.Const(1))
		}
		binds := []bind{}
		var subs []node
		for n, f := range p.fam {
			j := t.newIndex(axisName(n, 0), size.Poly{}, f)
			binds = append(binds, bind{j, size.Poly{}, f})
			subs = append(subs, whole{size.Dim(j.key)})
		}
		at := whole{size.Dim(i.key)}
		elem := times(whole{power}, call{fun: "log", args: []node{index{ref{p.s},
			append(subs, at, at)}}})
		binds = append(binds, bind{i, size.Poly{}, k})
		t.root.stmts = append(t.root.stmts, &stmt{kind: factorStmt, span: p.span,
			value: comp{fun: "sum", elem: elem, binds: binds}})
	}
}

// matrixPrior gives the law of a correlation or covariance matrix to its Cholesky factor.
func (t *translator) matrixPrior(l *lawCall, s *syntax.Tilde) bool {
	var p *param
	for _, q := range t.params {
		if q.chol && q.matrix != nil && t.same(q.matrix.base.n, l.y.n) {
			p = q
		}
	}
	if p == nil || len(t.conds) > 0 || len(t.loops) > 0 || s.Trunc || p.prior {
		return false
	}
	w := &law{}
	switch {
	case l.name == "lkj_corr" && p.kind == "corr_chol":
		w.name, w.args = "lkj_corr_cholesky", []node{t.raw(l.args[0])}
	case (l.name == "wishart" || l.name == "inv_wishart") && p.kind == "cov_chol":
		w.name = l.name + "_cholesky"
		w.args = []node{t.raw(l.args[0]), t.factorOf(l.args[1].n)}
	default:
		return false
	}
	p.prior = true
	t.terms++
	t.blk.stmts = append(t.blk.stmts, &stmt{kind: tildeStmt, left: ref{p.s}, law: w, span: s.Pos()})
	return true
}

// factorOf is the Cholesky factor of a matrix.
func (t *translator) factorOf(n node) node {
	if c, ok := n.(call); ok {
		switch c.fun {
		case "identity":
			return c
		}
	}
	if b, ok := n.(binary); ok && b.op == "@" { // L @ transpose(L)
		if c, ok := b.y.(call); ok && c.fun == "transpose" && t.same(c.args[0], b.x) {
			for _, p := range t.params {
				if p.kind == "cov_chol" && t.same(ref{p.s}, b.x) {
					return b.x
				}
			}
		}
	}
	return call{fun: "cholesky", args: []node{n}}
}

// matrixLaw is the density of lkj_corr, which the language has of factors alone.
func (t *translator) matrixLaw(l *lawCall) node {
	if l.name != "lkj_corr" {
		return nil
	}
	n := times(minus(t.raw(l.args[0]), num(1)), call{fun: "log_det", args: []node{l.y.n}})
	if !t.unknown(l.args[0].n) {
		return n
	}
	one := f1("identity", whole{l.y.sh[0]}) // of which the density is the factor that depends on eta
	return plus(n, call{fun: "lkj_corr_cholesky.logpdf", args: []node{one, t.raw(l.args[0])}})
}
