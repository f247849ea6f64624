package ir

import (
	"fmt"

	"github.com/sgppl/sgppl/runtime/math/size"
)

// Gather reads x along an axis at the entries of index.
func (b *Builder) Gather(x, index *Value, along *Axis) *Value {
	if !x.Has(along) {
		return x
	}
	if x.Op == OpIota {
		return index
	}
	rest := without(x.Axes, []*Axis{along})
	axes := append([]*Axis(nil), index.Axes...)
	return b.Make(Value{Op: OpGather, Args: []*Value{x, index}, Over: []*Axis{along},
		Axes: union(axes, rest)})
}

// Scatter adds c at the entries of index of the axis to; the result has the
// axes given, and what else c and index have is summed.
func (b *Builder) Scatter(c, index *Value, to *Axis, axes []*Axis) *Value {
	return b.Make(Value{Op: OpScatter, Args: []*Value{c, index}, To: to,
		Over: without(axes, []*Axis{to}), Axes: axes})
}

func (b *Builder) move(op *Op, x *Value, from, to *Axis, off size.Poly) *Value {
	if !x.Has(from) {
		panic(fmt.Sprintf("ir: %s of a value without axis %s", op.Name, from.Name))
	}
	axes := append([]*Axis(nil), x.Axes...)
	axes[indexOf(axes, from)] = to
	return b.Make(Value{Op: op, Args: []*Value{x}, Over: []*Axis{from}, To: to, Off: off,
		Axes: axes, Sparse: false})
}

// Slice reads len(to) entries along from, starting at off.
func (b *Builder) Slice(x *Value, from, to *Axis, off size.Poly) *Value {
	if !x.Has(from) {
		return x
	}
	if off.Equal(size.Const(0)) && from.Size.Equal(to.Size) {
		return b.Rename(x, from, to)
	}
	if x.Op == OpIota {
		return b.Add(b.Iota(to), b.Size(off))
	}
	return b.move(OpSlice, x, from, to, off)
}

// Pad is the adjoint of Slice.
func (b *Builder) Pad(x *Value, from, to *Axis, off size.Poly) *Value {
	if x.Op == OpIota {
		inside := b.Map(OpAnd, b.Map(OpGe, b.Iota(to), b.Size(off)),
			b.Map(OpLt, b.Iota(to), b.Size(off.Add(from.Size))))
		return b.Mul(inside, b.Sub(b.Iota(to), b.Size(off)))
	}
	if !x.Has(from) {
		// The same along the axis: it still has a beginning and an end.
		inside := b.Map(OpAnd, b.Map(OpGe, b.Iota(to), b.Size(off)),
			b.Map(OpLt, b.Iota(to), b.Size(off.Add(from.Size))))
		return b.Mul(x, inside)
	}
	if off.Equal(size.Const(0)) && from.Size.Equal(to.Size) {
		return b.Rename(x, from, to)
	}
	return b.move(OpPad, x, from, to, off)
}

// Extend is Pad with the edges repeated.
func (b *Builder) Extend(x *Value, from, to *Axis, off size.Poly) *Value {
	if !x.Has(from) {
		return x
	}
	if off.Equal(size.Const(0)) && from.Size.Equal(to.Size) {
		return b.Rename(x, from, to)
	}
	if x.Op == OpIota {
		i := b.Sub(b.Iota(to), b.Size(off))
		return b.Map(OpMax, b.Num(0), b.Map(OpMin, i, b.Size(from.Size.Sub(size.Const(1)))))
	}
	return b.move(OpExtend, x, from, to, off)
}

// Rows reads, along the row axis to, the current rows of a datum.
func (b *Builder) Rows(x *Value, from, to *Axis) *Value {
	if !x.Has(from) {
		return x
	}
	if x.Op == OpData {
		// A datum with the row axis is, by convention, the batch's part of it.
		v := *x
		v.Axes = append([]*Axis(nil), x.Axes...)
		v.Axes[indexOf(v.Axes, from)] = to
		return b.Make(v)
	}
	return b.move(OpRows, x, from, to, size.Poly{})
}

// Rename is x with one axis under another identity. Of a leaf it is a leaf.
func (b *Builder) Rename(x *Value, from, to *Axis) *Value {
	if from == to || !x.Has(from) {
		return x
	}
	axes := append([]*Axis(nil), x.Axes...)
	axes[indexOf(axes, from)] = to
	if x.Op == OpIota {
		return b.Iota(to)
	}
	if x.Op.Class == Leaf && x.Op != OpCarry {
		v := *x
		v.Axes = axes
		return b.Make(v)
	}
	return b.move(OpRename, x, from, to, size.Poly{})
}

// At is entry off along an axis.
func (b *Builder) At(x *Value, along *Axis, off size.Poly) *Value {
	if !x.Has(along) {
		return x
	}
	if x.Op == OpIota {
		return b.Size(off)
	}
	if x.Op == OpStack && x.To == along {
		if k, ok := off.Number(); ok && k >= 0 && k < len(x.Args) {
			return x.Args[k]
		}
	}
	return b.Make(Value{Op: OpAt, Args: []*Value{x}, Over: []*Axis{along}, Off: off,
		Axes: without(x.Axes, []*Axis{along})})
}

// Place is the adjoint of At.
func (b *Builder) Place(x *Value, to *Axis, off size.Poly) *Value {
	return b.Make(Value{Op: OpPlace, Args: []*Value{x}, To: to, Off: off,
		Axes: append(append([]*Axis(nil), x.Axes...), to)})
}

// Diagonal reads the entries where two axes agree.
func (b *Builder) Diagonal(x *Value, i, j, to *Axis) *Value {
	if !x.Has(i) {
		return b.Rename(x, j, to)
	}
	if !x.Has(j) {
		return b.Rename(x, i, to)
	}
	axes := append(without(x.Axes, []*Axis{i, j}), to)
	return b.Make(Value{Op: OpDiagonal, Args: []*Value{x}, Over: []*Axis{i, j}, To: to, Axes: axes})
}

// Embed is the adjoint of Diagonal.
func (b *Builder) Embed(x *Value, from, i, j *Axis) *Value {
	same := b.Map(OpEq, b.Iota(i), b.Iota(j))
	return b.Mul(same, b.Rename(x, from, i))
}

// Stack puts values one after another along a new axis.
func (b *Builder) Stack(to *Axis, args ...*Value) *Value {
	axes := []*Axis{to}
	for _, a := range args {
		axes = union(axes, a.Axes)
	}
	return b.Make(Value{Op: OpStack, Args: args, To: to, Axes: axes})
}

// CumSum is running sums along an axis, from the end when reverse.
func (b *Builder) CumSum(x *Value, along *Axis, reverse bool) *Value {
	if !x.Has(along) {
		count := b.Add(b.Iota(along), b.Num(1))
		if reverse {
			count = b.Sub(b.AxisSize(along), b.Iota(along))
		}
		return b.Mul(x, count)
	}
	return b.Make(Value{Op: OpCumSum, Args: []*Value{x}, Over: []*Axis{along},
		Mode: Reverse.If(reverse), Axes: x.Axes})
}

// Layout is x stored with its axes in the order given. Axes of the list that x lacks are passed
// over; axes of x that the list lacks come first.
func (b *Builder) Layout(x *Value, axes []*Axis) *Value {
	axes = append(without(x.Axes, axes), without(axes, without(axes, x.Axes))...)
	same := true
	for i := range axes {
		same = same && x.Axes[i] == axes[i]
	}
	if same {
		return x
	}
	return b.Make(Value{Op: OpLayout, Args: []*Value{x}, Axes: axes, Hint: x.Hint})
}

// OnAxes renames axes of a value: from[i] becomes to[i], all at once, so that axes can be
// swapped.
func (b *Builder) OnAxes(v *Value, from, to []*Axis) *Value {
	temp := make([]*Axis, len(from))
	for i, a := range from {
		temp[i] = b.Axis(a.Name, a.Size)
		v = b.Rename(v, a, temp[i])
	}
	for i := range temp {
		v = b.Rename(v, temp[i], to[i])
	}
	return v
}
