package plan

import (
	"slices"

	"github.com/sgppl/sgppl/ir"
)

// layoutStructured stores the arguments of a function of whole arrays with the array's axes last.
// Every other axis is a batch axis, the rows first.
func layoutStructured(b *ir.Builder, v *ir.Value, args []*ir.Value) *ir.Value {
	w := *v
	w.Args = make([]*ir.Value, len(args))
	from, to := v.Over, v.Over
	switch v.Op {
	case ir.OpFlatten:
		to = []*ir.Axis{v.To}
	case ir.OpUnflatten:
		from = []*ir.Axis{v.To}
	case ir.OpOrder:
		to = []*ir.Axis{v.To}
	case ir.OpTriangle, ir.OpEigenSym:
		to = []*ir.Axis{v.To, v.Over[1]}
	case ir.OpWindow, ir.OpWindowAdd, ir.OpWindowMax, ir.OpWindowMaxAdd:
		return layoutWindow(b, w, args)
	case ir.OpRandMultinomial:
		to = []*ir.Axis{v.To}
	case ir.OpSplitCounts:
		return layoutSplit(b, w, args)
	case ir.OpDrawInTurn:
		return layoutInTurn(b, w, args)
	case ir.OpLogForward, ir.OpLogForwardAdjoint:
		return layoutForward(b, w, args)
	case ir.OpTriangularSolve:
		return layoutSolve(b, w, args[0], args[1])
	case ir.OpCategory:
		return layoutCategory(b, w, args)
	case ir.OpAddAt:
		return layoutAddAt(b, w, args)
	}
	// The order of batch axes in the last argument is kept: for cholesky_adjoint, that is the
	// cotangent.
	last := args[len(args)-1]
	batch := ir.Without(last.Axes, from)
	for _, x := range args {
		batch = append(batch, ir.Without(ir.Without(x.Axes, from), batch)...)
	}
	batch = rowsFirst(batch)
	for k, x := range args {
		w.Args[k] = inOrder(b, x, join(batch, from))
	}
	w.Axes = join(batch, to)
	return b.MakeOrdered(w)
}

// layoutCategory lays out weights without repeating them: the axes that they lack come after
// theirs, so that one array of weights serves many draws. The row axis is an exception: it comes
// first.
func layoutCategory(b *ir.Builder, w ir.Value, args []*ir.Value) *ir.Value {
	batch := rowsFirst(ir.Without(args[0].Axes, w.Over))
	times := rowsFirst(ir.Without(args[1].Axes, batch))
	if len(batch) > 0 && len(times) > 0 && times[0].Rows {
		batch, times = join(times[:1], batch), times[1:]
	}
	w.Axes = join(batch, times)
	w.Args = []*ir.Value{computed(b, args[0], join(batch, w.Over)), inOrder(b, args[1], w.Axes)}
	return b.MakeOrdered(w)
}

// layoutAddAt puts the axis of the array last.
func layoutAddAt(b *ir.Builder, w ir.Value, args []*ir.Value) *ir.Value {
	var batch []*ir.Axis
	for _, x := range args {
		batch = append(batch, ir.Without(ir.Without(x.Axes, w.Over), batch)...)
	}
	batch = rowsFirst(batch)
	w.Axes = join(batch, w.Over)
	w.Args = []*ir.Value{computed(b, args[0], w.Axes), inOrder(b, args[1], batch),
		inOrder(b, args[2], batch)}
	return b.MakeOrdered(w)
}

// computed returns x with the axes in the given order: a value of a loop is computed in this order,
// others are transposed.
func computed(b *ir.Builder, x *ir.Value, axes []*ir.Axis) *ir.Value {
	if x.Op.Class != ir.Map || !ir.SameAxes(x.Axes, axes) {
		return inOrder(b, x, axes)
	}
	y := *x
	y.Axes = axes
	return b.MakeOrdered(y)
}

// inOrder returns x stored with the axes in the given order; axes that it lacks are added.
func inOrder(b *ir.Builder, x *ir.Value, axes []*ir.Axis) *ir.Value {
	if missing := ir.Without(axes, x.Axes); len(missing) > 0 {
		return b.MakeOrdered(ir.Value{Op: ir.OpSpread, Args: []*ir.Value{x}, Over: missing,
			Axes: axes, Hint: x.Hint})
	}
	return b.Layout(x, axes)
}

// layoutSplit stores counts, weights, scales and uniform numbers with the batch axes first, and the
// rows first among these.
func layoutSplit(b *ir.Builder, w ir.Value, args []*ir.Value) *ir.Value {
	i, j := w.Over[:1], w.Over[1:]
	batch := rowsFirst(ir.Without(w.Axes, j))
	for k, own := range [4][]*ir.Axis{i, w.Over, j, i} {
		w.Args[k] = inOrder(b, args[k], join(batch, own))
	}
	w.Axes = join(batch, j)
	return b.MakeOrdered(w)
}

// layoutInTurn stores every argument with the batch axes first, and the rows first among these.
func layoutInTurn(b *ir.Builder, w ir.Value, args []*ir.Value) *ir.Value {
	batch := rowsFirst(ir.Without(w.Axes, []*ir.Axis{w.To}))
	for k, own := range ir.InTurnArgs(w.Over) {
		w.Args[k] = inOrder(b, args[k], join(batch, own))
	}
	w.Axes = join(batch, []*ir.Axis{w.To})
	return b.MakeOrdered(w)
}

// layoutForward stores every argument with the batch axes first, and the rows first among these.
func layoutForward(b *ir.Builder, w ir.Value, args []*ir.Value) *ir.Value {
	own, result := ir.ForwardAxes(&w)
	batch := rowsFirst(ir.Without(w.Axes, result))
	for k, x := range args {
		w.Args[k] = inOrder(b, x, join(batch, own[k]))
	}
	w.Axes = join(batch, result)
	return b.MakeOrdered(w)
}

// layoutSolve lays out triangles without repeating them. The right-hand sides are [outer, batch,
// inner, n] with the batch axes of the triangles. Axes that the triangles lack are inside, so that
// one triangle is used for all of them at once; the row axis is an exception and comes first.
func layoutSolve(b *ir.Builder, w ir.Value, l, y *ir.Value) *ir.Value {
	from, to := w.Over[0], w.Over[1]
	if w.Mode == ir.Transposed {
		from, to = to, from
	}
	batch := rowsFirst(ir.Without(l.Axes, w.Over))
	free := rowsFirst(ir.Without(ir.Without(y.Axes, batch), []*ir.Axis{from}))
	outer := 0
	if len(batch) > 0 && len(free) > 0 && free[0].Rows {
		outer = 1
	}
	all := join(free[:outer], batch, free[outer:])
	w.Args = []*ir.Value{inOrder(b, l, join(batch, w.Over)),
		inOrder(b, y, join(all, []*ir.Axis{from}))}
	w.Axes = join(all, []*ir.Axis{to})
	return b.MakeOrdered(w)
}

// structured sets the shape of a call for a function of whole arrays: [Outer, Batch, Inner] arrays
// of length Along.
func structured(k *Kernel, v *ir.Value) {
	switch {
	case v.Op == ir.OpFlatten || v.Op == ir.OpUnflatten:
		k.Name, k.Along = "copy", v.Axes // the order of entries does not change
		return
	case v.Op == ir.OpTriangle:
		k.Along, k.Inner, k.Batch = v.Over[:1], v.Over[1:], ir.Without(v.Args[0].Axes, v.Over)
		return
	case v.Op == ir.OpWindow || v.Op == ir.OpWindowAdd || v.Op == ir.OpWindowMax ||
		v.Op == ir.OpWindowMaxAdd:
		window(k, v)
		return
	case v.Op == ir.OpSplitCounts:
		k.Along, k.Inner, k.Batch = v.Over[:1], v.Over[1:], ir.Without(v.Axes, v.Over)
		return
	case v.Op == ir.OpDrawInTurn:
		k.Along, k.Inner, k.Batch = v.Over[:1], v.Over[1:], ir.Without(v.Axes, []*ir.Axis{v.To})
		return
	case v.Op == ir.OpLogForward || v.Op == ir.OpLogForwardAdjoint:
		_, result := ir.ForwardAxes(v)
		k.Along, k.Inner, k.Batch = v.Over[:1], v.Over[2:], ir.Without(v.Axes, result)
		return
	case v.Op == ir.OpTriangularSolve && v.Mode == ir.Transposed:
		k.Name = "triangular_solveT"
	}
	k.Along = v.Over[:1]
	k.Batch = ir.Without(v.Args[0].Axes, v.Over)
	before := true
	for _, a := range ir.Without(v.Axes, v.Over) {
		switch {
		case slices.Contains(k.Batch, a):
			before = false
		case before && len(k.Batch) > 0:
			k.Outer = append(k.Outer, a)
		default:
			k.Inner = append(k.Inner, a)
		}
	}
}
