package stage

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// byBlock makes the function statistics work on some of the rows at a time: its axis of rows gets
// the size of the current rows, while sizes that occur in it stay those of all rows. Where a row's
// contribution depends on other rows, it leaves the function unchanged and records that in the
// spec.
func (s *Stager) byBlock(f *ir.Func) *ir.Func {
	whole := &s.spec.Collapse.Whole
	row, ok := theRows(f, s.spec.RowDim)
	if *whole = *whole || !ok; *whole {
		return f
	}
	f = ir.Replace(s.o.B, f, row, s.o.B.Axis(row.Name, size.Dim(model.BlockDim)))
	of := map[string]bool{}
	for _, o := range f.Outputs {
		of[o.Name] = slices.ContainsFunc(ir.Reach(o.Value), func(v *ir.Value) bool {
			return slices.ContainsFunc(v.Axes,
				func(a *ir.Axis) bool { return a.Size.Mentions(model.BlockDim) })
		})
	}
	s.spec.SettleMerges(func(name string) bool { return !of[name] })
	return ir.RewriteFunc(s.o.B, f, counted)
}

// counted replaces the number of rows, which statistics have as a sum of ones along the rows.
// Before
//
//	%1 = eq index(n) index(n)
//	%2 = sum %1 along [n]
//
// after: %2 = size(n).
func counted(b *ir.Builder, v *ir.Value, args []*ir.Value) *ir.Value {
	if v.Op != ir.OpSum || len(v.Over) != 1 || len(v.Axes) > 0 {
		return nil
	}
	ones := v.Args[0]
	if ones.Op != ir.OpEq || ones.Args[0] != ones.Args[1] || ones.Args[0].Op != ir.OpIota ||
		!ones.Has(v.Over[0]) {
		return nil
	}
	return b.Size(v.Over[0].Size)
}

// theRows returns the axis of rows of a function that can be computed for some rows at a time: the
// function has one such axis, which is the first axis of the data read, and only sums and triangles
// work along it.
func theRows(f *ir.Func, dim string) (row *ir.Axis, ok bool) {
	if dim == "" {
		return nil, false
	}
	values := f.Values()
	for _, v := range values {
		for _, a := range slices.Concat(v.Axes, v.Over, to(v)) {
			switch {
			case !a.Size.Mentions(dim) && !a.Lo.Mentions(dim):
			case row == nil && a.Size.Equal(size.Dim(dim)):
				row = a
			case a != row:
				return nil, false
			}
		}
	}
	if row == nil {
		return nil, false
	}
	counts := map[*ir.Value]bool{} // row numbers that are only compared with themselves
	for _, v := range values {
		for _, a := range v.Args {
			if a.Op == ir.OpIota && a.Has(row) && v.Op == ir.OpEq && v.Args[0] == v.Args[1] {
				counts[a] = true
			} else if a.Op == ir.OpIota && a.Has(row) {
				return nil, false
			}
		}
	}
	for _, v := range values {
		if !counts[v] && !takesSome(v, row) {
			return nil, false
		}
	}
	return row, true
}

func to(v *ir.Value) []*ir.Axis {
	if v.To == nil {
		return nil
	}
	return []*ir.Axis{v.To}
}

// takesSome reports whether v, computed from some rows only, has the same entries for these rows as
// if computed from all.
func takesSome(v *ir.Value, row *ir.Axis) bool {
	switch {
	case v.To == row, v.Op == ir.OpIota && v.Has(row):
		return false
	case slices.Contains(v.Over, row) && v.Op != ir.OpSum && v.Op != ir.OpContract &&
		v.Op != ir.OpScatter && v.Op != ir.OpTriangle:
		return false
	case v.Op == ir.OpData && v.Has(row):
		return v.Axes[0] == row && v.Lead == 0
	}
	return true
}
