package translate

import (
	"github.com/sgppl/sgppl/runtime/math/size"
	"github.com/sgppl/sgppl/stan/syntax"
)

// rectangle declares a param whose value is made of params of other types, and reports whether it
// is one: a Cholesky factor with more rows than columns, and a matrix whose rows and columns sum to
// 0.
func (t *translator) rectangle(ty *syntax.Type, name string, v *variable, d *syntax.Decl) bool {
	outer := v.sh[:v.t.arr]
	var made func(r []size.Poly) node
	switch {
	case ty.Base == "cholesky_factor_cov" && !v.sh[len(v.sh)-1].Equal(v.sh[len(v.sh)-2]):
		made = t.tallFactor(outer, v.sh[len(v.sh)-2], v.sh[len(v.sh)-1], name, d)
	case ty.Base == "sum_to_zero_matrix":
		made = t.sumToZero(outer, v.sh[len(v.sh)-2], v.sh[len(v.sh)-1], name, d)
	default:
		return false
	}
	val := &value{t: v.t, sh: v.sh, unk: true}
	if len(outer) == 0 {
		val.n = made(nil)
	} else {
		val.n = t.eachOf(outer, made)
	}
	s := t.let(t.root, name, val)
	t.mark(s, true, v)
	val.n = ref{s}
	v.base = val
	return true
}

// ownParam declares a param of the output.
func (t *translator) ownParam(name, kind string, fam, own []size.Poly, d *syntax.Decl) *sym {
	p := &param{doc: d.Doc, span: d.Pos(), kind: kind, fam: fam, own: own,
		s: &sym{key: name, base: name, fixed: true, unk: true}}
	t.syms[name] = p.s
	t.shapes[p.s] = append(append([]size.Poly{}, fam...), own...)
	t.params = append(t.params, p)
	return p.s
}

// tallFactor is a lower triangle of n columns, with m - n more rows of any numbers below.
func (t *translator) tallFactor(
	outer []size.Poly, m, n size.Poly, name string, d *syntax.Decl,
) func(r []size.Poly) node {
	top := t.ownParam(name+"_top", "cov_chol", outer, []size.Poly{n, n}, d)
	rest := t.ownParam(name+"_rest", "real",
		append(append([]size.Poly{}, outer...), m.Sub(n), n), nil, d)
	return func(r []size.Poly) node {
		return f1("concat", t.indexed(ref{top}, wholes(r)), t.indexed(ref{rest}, wholes(r)))
	}
}

// sumToZero is a matrix of m rows whose columns are orthonormal contrasts of m - 1 rows that sum
// to 0 each: the coordinates are those of a subspace, at right angles.
func (t *translator) sumToZero(
	outer []size.Poly, m, n size.Poly, name string, d *syntax.Decl,
) func(r []size.Poly) node {
	one := size.Const(1)
	free := t.ownParam(name+"_contrasts", "sum_to_zero",
		append(append([]size.Poly{}, outer...), m.Sub(one)), []size.Poly{n}, d)
	return func(r []size.Poly) node {
		return t.eachOf([]size.Poly{m, n}, func(at []size.Poly) node {
			k := t.newIndex("k", size.Poly{}, m.Sub(one))
			p := size.Dim(k.key)
			x := t.indexed(ref{free}, wholes(append(append([]size.Poly{}, r...), p, at[1])))
			scaled := binary{"/", x, f1("sqrt", whole{p.Add(one).Mul(p.Add(size.Const(2)))})}
			below := cond{binary{"==", whole{at[0]}, whole{p.Add(one)}},
				neg(times(whole{p.Add(one)}, scaled)), num(0)}
			return comp{fun: "sum", binds: []bind{{k, k.lo, k.hi}},
				elem: cond{binary{"<=", whole{at[0]}, whole{p}}, scaled, below}}
		})
	}
}
