// Package plan turns an IR function into a schedule: fused loops over entries, kernels for
// operations that are not elementwise, and buffers shared by lifetime. Both back ends execute the
// same schedule, so they give the same bits.
package plan

import (
	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// A Segment is a part of a program. A call runs Prepare once, Rows for every
// block of rows of the minibatch, and Finish once.
type Segment int

const (
	Prepare Segment = iota // values that do not depend on rows
	Rows                   // values with the row axis, and sums over it
	Finish                 // values that depend on those sums
)

func (s Segment) String() string { return [...]string{"prepare", "rows", "finish"}[s] }

// A Program is the schedule of one function. Every plan has these properties:
//
//   - The row axis is the first of every buffer that has it. A contraction
//     with batch axes that the rows lie inside of, and that is not a product of
//     matrices with the rows as one side, is a product entry by entry and a sum.
//   - A sum over the rows and other axes that are not next to them is two.
//   - An entrywise value is computed in the first loop over its axes that uses
//     it, be it in a later segment; draws alone stay in the order of the text.
//   - One entry of an axis put among zeros (the op place) is a select by index.
//   - Sparse data are read by kernels alone; anything else is a DenseError.
type Program struct {
	ID fn.ID
	// Single says that the function computes in single precision; see single.go.
	Single  bool
	Steps   [3][]Step
	Buffers []*Buffer
	Slots   []Slot
}

// Where says which kind of memory a buffer uses.
type Where int

const (
	State Where = iota // a block of the state vector
	Data               // an input or a derived datum; with the row axis, the part of the minibatch
	Temp               // a slot of the workspace
	Out                // an output of the function
)

// A Buffer is a dense array in row-major order of its axes (or compressed
// rows, for sparse data). The row axis, where present, is the first.
type Buffer struct {
	ID     int
	Where  Where
	Name   string // the block, datum or output; for a temporary, a name for dumps
	Axes   []*ir.Axis
	Sparse bool
	Slot   int       // for a temporary
	Shares *Buffer   // the temporary whose memory it uses, as a later state of it, or as a view
	Off    size.Poly // of a view: how many entries of Shares lie before it
	Acc    bool      // set to 0 at the start of a call, and added to by every block of rows
	Value  *ir.Value
}

// Rows reports whether the buffer has the row axis.
func (b *Buffer) Rows() bool { return len(b.Axes) > 0 && b.Axes[0].Rows }

// Width is the number of entries for one row, or in all without row axis.
func (b *Buffer) Width() size.Poly {
	w := size.Const(1)
	for _, a := range b.Axes {
		if !a.Rows {
			w = w.Mul(a.Size)
		}
	}
	return w
}

// A Slot is memory shared by temporaries whose lifetimes do not overlap.
type Slot struct {
	Width size.Poly
	Rows  bool // Width is per row of a block
}

// A Step is a loop, a kernel, a sequence or an ode.
type Step struct {
	Loop     *Loop
	Kernel   *Kernel
	Sequence *Sequence
	Ode      *Ode
}

// A Sequence runs its steps for every index of an axis, one after another. An Index or Operand in
// them may use the axis; it is not an axis of their loops.
type Sequence struct {
	Axis    *ir.Axis
	Reverse bool
	Steps   []Step
}

// A Loop computes entries of values with the same axes, one entry after another, with the last axis
// innermost. Without axes it is straight-line code that runs once.
type Loop struct {
	Axes []*ir.Axis
	Body []Instr
}

// An Instr computes one number and may store it.
type Instr struct {
	Op     *ir.Op // nil: the result is the operand
	Args   []Operand
	When   When // unless it is Always, the last operand is a condition
	Value  *ir.Value
	Stores []Store
}

// A Store writes a number to a buffer. At is empty for a buffer whose axes are those of the loop.
type Store struct {
	Buf *Buffer
	At  []Index
}

// An OperandKind says where a number comes from.
type OperandKind int

const (
	Local  OperandKind = iota // the result of an earlier instruction of the body
	Const                     // Num
	Load                      // Buf at At
	Iota                      // the index along Axis
	Size                      // a size
	Scalar                    // a number given with the call
)

// An Operand is a number that an instruction reads.
type Operand struct {
	Kind  OperandKind
	Local int
	Num   float64
	Buf   *Buffer
	At    []Index // one for each axis of Buf
	Guard bool    // reading outside the buffer gives 0
	Axis  *ir.Axis
	Size  size.Poly
	Name  string
}

// An Index is a position along an axis of a buffer: that of the loop axis (nil for none) plus Off,
// or the value of From.
type Index struct {
	Axis  *ir.Axis
	Off   size.Poly
	Neg   bool     // Off is subtracted
	Clamp bool     // clamped to the ends of the buffer's axis, before Guard applies
	From  *Operand // a gather; then Axis is nil
}

// A Kernel is a call of a function of runtime/math/kernel, or a nest of loops
// where no kernel fits.
type Kernel struct {
	Name string // the name of a row of package kernels
	Dst  *Buffer
	Args []*Buffer
	Acc  bool // the result is added to Dst

	// For reductions and running sums: the argument as [Outer, Along, Inner]. For solves: right-hand
	// sides [Outer, Batch, Inner, Along], triangles [Batch].
	Outer, Along, Inner []*ir.Axis
	Reverse             bool

	// For contractions: an M×N result for each entry of Batch, summed over K. In gemm_rows the row
	// axis is M or K and comes before Batch.
	Batch, M, N, K []*ir.Axis
	TransA, TransB bool

	// For windows: sources Along, positions M and places K, with Stride between positions, all between
	// Outer and Inner.
	Stride int

	// For scatter: the axis that is written by index.
	To *ir.Axis
}
