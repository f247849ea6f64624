// Package ir is the intermediate representation: tensors over named axes.
//
// A value has a set of axes; operations align by axis, so there is no
// broadcast and no transpose, a plate is one more axis, and a sum over an
// axis of a product is a contraction whatever its shape. Layout is chosen
// late, by package plan.
package ir

import (
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// An Axis is an identity with a size. Two axes of one size are different
// axes; a value never has one axis twice.
type Axis struct {
	ID   int
	Name string // for people
	Size size.Poly

	// Dim and Lo say which rows of a dim a plate's axis runs over: rows Lo to
	// Lo+Size of Dim. Dim is empty for an axis that is not part of a dim.
	Dim string
	Lo  size.Poly

	// Rows marks the minibatch axis: its size at run time is the batch's.
	Rows bool
}

// A Value is one node of a function's graph. Values are immutable once built.
type Value struct {
	ID   int
	Op   *Op
	Args []*Value
	Axes []*Axis // the order is the preferred layout; as a set it is the meaning

	Num    float64     // of const
	Name   string      // of leaves: the state block, datum or run-time scalar
	Over   []*Axis     // the axes that the op takes away or works along
	To     *Axis       // the axis that the op adds
	Off    size.Poly   // slice, pad, extend: where it starts; at, place: the index; size: the size
	Mode   Mode        // the variant of the op
	Part   int         // of scan and ode: which of their results
	Stride int         // of windows: the distance from one to the next
	Lead   int         // of data: the place, in the declaration, of the axis that is now first
	Sparse bool        // of data leaves: stored as compressed rows
	Span   source.Span // where the model says so, for the comments of generated code
	Hint   string      // the model's name for it

	state bool // depends on the state
	rows  bool // has the row axis, or depends on a value that has it

	// What is known of the value, and need not be found out again by the next pass: that its builder
	// makes it again of its own arguments, and that it was verified. They point to the value itself,
	// so that they do not hold for a copy.
	settled, verified *Value
	maker             *Builder // who makes it again
}

// State reports whether the value depends on the unknowns.
func (v *Value) State() bool { return v.state }

// AnyRows reports whether the value depends on the rows of the minibatch.
func (v *Value) AnyRows() bool { return v.rows }

// RowAxis returns the minibatch axis of the value, or nil.
func (v *Value) RowAxis() *Axis {
	for _, a := range v.Axes {
		if a.Rows {
			return a
		}
	}
	return nil
}

// Has reports whether the value has the axis.
func (v *Value) Has(a *Axis) bool { return indexOf(v.Axes, a) >= 0 }

// Const returns the number of a constant without axes.
func (v *Value) Const() (float64, bool) {
	if v.Op == OpConst {
		return v.Num, true
	}
	return 0, false
}

// Is reports whether the value is the constant x.
func (v *Value) Is(x float64) bool { return v.Op == OpConst && v.Num == x }

// A Func is a named list of outputs. Its values are those that the outputs depend on.
type Func struct {
	ID      fn.ID
	Outputs []Output
}

// An Output is a named result: the value for every entry of Axes, in that
// order, whatever axes the value has itself.
type Output struct {
	Name  string
	Value *Value
	Axes  []*Axis
}

// Values lists the function's values, arguments before users.
func (f *Func) Values() []*Value {
	outs := make([]*Value, len(f.Outputs))
	for i, o := range f.Outputs {
		outs[i] = o.Value
	}
	return Reach(outs...)
}

func indexOf(axes []*Axis, a *Axis) int {
	for i, x := range axes {
		if x == a {
			return i
		}
	}
	return -1
}

// union appends to a the axes of b that it lacks.
func union(a, b []*Axis) []*Axis {
	out := append([]*Axis(nil), a...)
	for _, x := range b {
		if indexOf(out, x) < 0 {
			out = append(out, x)
		}
	}
	return out
}

// without returns the axes of a that are not in drop.
func without(a, drop []*Axis) []*Axis {
	var out []*Axis
	for _, x := range a {
		if indexOf(drop, x) < 0 {
			out = append(out, x)
		}
	}
	return out
}

// SameAxes compares axes as sets.
func SameAxes(a, b []*Axis) bool {
	return len(a) == len(b) && len(without(a, b)) == 0
}

// Without returns the axes of a that are not in drop.
func Without(a, drop []*Axis) []*Axis { return without(a, drop) }

// A Block is a named part of the state, with its axes in order.
type Block struct {
	Name string
	Axes []*Axis
}

// Sizes are the sizes of axes.
func Sizes(axes []*Axis) []size.Poly {
	out := make([]size.Poly, len(axes))
	for i, a := range axes {
		out[i] = a.Size
	}
	return out
}
