package stage

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// apart reports whether the function derive can be computed for some rows at a time. Otherwise,
// where rows differ in length, it needs buffers for all rows, each as long as the longest. It can
// if its values have at most one axis of rows, which is the first axis of what is read and written,
// no op works along it, and no value depends on the number of rows or on a row's number.
func apart(spec *model.Spec, f *ir.Func) bool {
	dim := spec.RowDim
	if !slices.ContainsFunc(spec.Schema.Dims, func(d data.Dim) bool {
		return dim != "" && d.Of == dim
	}) || len(f.Outputs) == 0 {
		return false
	}
	var row *ir.Axis
	plain := func(a *ir.Axis) bool { // without rows, or the axis of the rows
		if !a.Size.Mentions(dim) && !a.Lo.Mentions(dim) {
			return true
		}
		if row == nil {
			row = a
		}
		return a == row && a.Size.Equal(size.Dim(dim))
	}
	for _, v := range f.Values() {
		for _, a := range v.Axes {
			if !plain(a) {
				return false
			}
		}
		if slices.ContainsFunc(v.Over, func(a *ir.Axis) bool { return a.Size.Mentions(dim) }) ||
			v.To != nil && v.To.Size.Mentions(dim) || v.Off.Mentions(dim) {
			return false
		}
		if row == nil || !v.Has(row) {
			continue
		}
		if v.Op == ir.OpIota || v.Op == ir.OpData && (v.Axes[0] != row || v.Lead != 0) ||
			v.Op == ir.OpScan || v.Op == ir.OpCarry {
			return false
		}
	}
	for _, o := range f.Outputs {
		if row == nil || len(o.Axes) == 0 || o.Axes[0] != row {
			return false
		}
	}
	return true
}

// oneLength reports whether a function computes a value outside the rows that has an axis as long
// as a ragged row next to another axis, such as a weight for every class and every position in a
// row. The place of its entries in memory depends on the length, so all rows must be padded to the
// same length.
func oneLength(spec *model.Spec, funcs []*ir.Func) bool {
	ragged := func(a *ir.Axis) bool {
		return slices.ContainsFunc(a.Size.Dims(), func(name string) bool {
			d := spec.Schema.Dim(name)
			return d != nil && d.Of != "" && d.Of == spec.RowDim
		})
	}
	for _, f := range funcs {
		if spec.RowDim == "" || f.ID.Kind.Early() || f.ID.Kind == fn.Constants ||
			f.ID.Kind == fn.Derive {
			continue
		}
		for _, v := range f.Values() {
			if v.Op.Class != ir.Leaf && v.RowAxis() == nil && len(v.Axes) > 1 &&
				slices.ContainsFunc(v.Axes, ragged) {
				return true
			}
		}
	}
	return false
}
