package translate

import (
	"slices"

	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/math/size"
	"github.com/sgppl/sgppl/stan/syntax"
)

// typeOf is the type and shape of a declaration.
func (t *translator) typeOf(d *syntax.Type) (typ, []size.Poly) {
	var sh []size.Poly
	for _, e := range d.Array {
		sh = append(sh, t.sizeOf(e))
	}
	b, own := t.baseOf(d)
	return typ{b, len(d.Array)}, append(sh, own...)
}

func (t *translator) baseOf(d *syntax.Type) (base, []size.Poly) {
	var sh []size.Poly
	for _, e := range d.Sizes {
		sh = append(sh, t.sizeOf(e))
	}
	switch d.Base {
	case "int":
		return intBase, nil
	case "real":
		return realBase, nil
	case "row_vector":
		return rowBase, sh
	case "tuple":
		return tupleBase, nil
	case "matrix", "sum_to_zero_matrix", "column_stochastic_matrix", "row_stochastic_matrix":
		return matrixBase, sh
	case "corr_matrix", "cov_matrix", "cholesky_factor_corr", "cholesky_factor_cov":
		if len(sh) == 1 {
			sh = append(sh, sh[0])
		}
		return matrixBase, sh
	case "vector", "simplex", "unit_vector", "ordered", "positive_ordered", "sum_to_zero_vector":
		return vectorBase, sh
	}
	t.failNote("write the real and the imaginary part as two variables",
		syntax.NoType, d.Pos(), "complex numbers have no counterpart")
	return 0, nil
}

// declare declares a variable of a block, or a local one.
func (t *translator) declare(d *syntax.Decl) {
	v := t.newVariable(d.Type, d.Name, d.Span)
	v.doc, v.kept = d.Doc, true
	if d.Value != nil {
		val := t.expr(d.Value)
		t.scope[len(t.scope)-1][d.Name] = v
		if v.t.base == tupleBase {
			t.assignTuple(v, nil, val, d.Pos())
			return
		}
		t.assign(v, nil, t.fit(val, v.t, v.sh, d.Value.Pos()), false, d.Pos())
		return
	}
	t.scope[len(t.scope)-1][d.Name] = v
}

func (t *translator) newVariable(d *syntax.Type, name string, at source.Span) *variable {
	v := &variable{name: name, span: at, depth: len(t.loops), conds: len(t.conds), blk: t.blk}
	v.t, v.sh = t.typeOf(d)
	if v.t.base == tupleBase {
		for i, p := range d.Tuple { // an array of tuples is a tuple of arrays
			v.elems = append(v.elems, t.newVariable(partOf(d, p), name+"_"+itoa(i+1), at))
		}
	}
	t.vars = append(t.vars, v)
	return v
}

// fit makes a value one of a declared type: whole numbers become real, and sizes that are not the
// same polynomial are checked with the data.
func (t *translator) fit(val *value, want typ, sh []size.Poly, at source.Span) *value {
	if val.t.base == tupleBase && want.base == tupleBase {
		return val
	}
	ok := val.t.rank() == want.rank() && (val.t.arr == want.arr) &&
		(val.t.base == want.base || val.t.base == intBase && want.base == realBase)
	if !ok {
		t.fail(syntax.WrongType, at, "%v is assigned to %v", val.t, want)
	}
	out := *val
	out.n = t.raw(val)
	out.t = want
	if len(sh) == len(val.sh) && !samePolys(sh, val.sh) {
		out.n = t.reshaped(out.n, val.sh, sh)
		out.sh = sh
	}
	return &out
}

// reshaped gives a value the sizes that it should have by name.
func (t *translator) reshaped(n node, from, sh []size.Poly) node {
	if samePolys(from, sh) {
		return n
	}
	if c, ok := n.(call); ok && (c.fun == "zeros" || c.fun == "ones") {
		return call{fun: c.fun, args: wholes(sh)}
	}
	return call{fun: "reshape", args: append([]node{n}, wholes(sh)...)}
}

func wholes(sh []size.Poly) []node {
	out := make([]node, len(sh))
	for i, p := range sh {
		out[i] = whole{p}
	}
	return out
}

// partOf is the type of a part of an array of tuples, over the whole array.
func partOf(d, part *syntax.Type) *syntax.Type {
	own := *part
	own.Array = append(slices.Clone(d.Array), part.Array...)
	return &own
}
