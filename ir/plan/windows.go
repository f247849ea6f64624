package plan

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
)

// layoutWindow stores the source of windows as [outer, sources, inner] and the entries read through
// them as [outer, positions, places, inner], so that a window's rows are contiguous in memory. For
// a picture with its channels last these are [n, A', B', i, j, c], the matrix whose product with
// weights is a convolution.
func layoutWindow(b *ir.Builder, w ir.Value, args []*ir.Value) *ir.Value {
	x := args[0]
	sources, positions, places := ir.WindowAxes(&w)
	first := sources
	from, to := sources, join(positions, places)
	switch w.Op {
	case ir.OpWindowAdd:
		first = positions
		from, to = to, from
	case ir.OpWindowMax:
		to = positions
	case ir.OpWindowMaxAdd:
		to = sources
	}
	var outer, inner []*ir.Axis
	within := false
	for _, a := range x.Axes {
		switch {
		case slices.Contains(first, a):
			within = true
		case slices.Contains(from, a):
		case within && !a.Rows:
			inner = append(inner, a)
		default:
			outer = append(outer, a)
		}
	}
	outer = rowsFirst(outer)
	w.Args = []*ir.Value{inOrder(b, x, join(outer, from, inner))}
	for _, y := range args[1:] { // the largest entries and their cotangent
		w.Args = append(w.Args, inOrder(b, y, join(outer, positions, inner)))
	}
	w.Axes = join(outer, to, inner)
	return b.MakeOrdered(w)
}

// window sets the shape of a call that reads through windows, adds up what was read, or takes the
// largest entry.
func window(k *Kernel, v *ir.Value) {
	k.Along, k.M, k.K = ir.WindowAxes(v)
	k.Stride = v.Stride
	before := true
	for _, a := range v.Axes {
		switch {
		case slices.Contains(v.Over, a):
			before = false
		case before:
			k.Outer = append(k.Outer, a)
		default:
			k.Inner = append(k.Inner, a)
		}
	}
}
