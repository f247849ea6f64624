// Package plan turns an IR function into a schedule: fused loops over
// entries, kernels for what is not entrywise, and buffers by lifetime. Both
// back ends execute the same schedule, which is why they give the same bits.
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
	Prepare Segment = iota // what depends on no row
	Rows                   // what has the row axis, and the sums over it
	Finish                 // what depends on those sums
)

func (s Segment) String() string { return [...]string{"prepare", "rows", "finish"}[s] }

// A Program is the schedule of one function. Every plan keeps to this:
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

// Where says what memory a buffer is.
type Where int

const (
	State Where = iota // a block of the state vector
	Data               // an input or a derived datum; with the row axis, the batch's part
	Temp               // a slot of the workspace
	Out                // an output of the function
)

// A Buffer is a dense array in row-major order of its axes (or compressed
// rows, for sparse data). The row axis, where present, is the first.
type Buffer struct {
	ID     int
	Where  Where
	Name   string // of the block, datum or output; for people, of a temporary
	Axes   []*ir.Axis
	Sparse bool
	Slot   int     // of a temporary
	Shares *Buffer // a temporary whose memory it has: it is a later state of it
	Acc    bool    // set to 0 at the start of a call, and added to by every block of rows
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

// A Slot is memory that temporaries share whose lives do not overlap.
type Slot struct {
	Width size.Poly
	Rows  bool // times the rows of a block
}

// A Step is a loop, a kernel, a sequence or an ode.
type Step struct {
	Loop     *Loop
	Kernel   *Kernel
	Sequence *Sequence
	Ode      *Ode
}

// A Sequence runs its steps for every index of an axis, one after another. An
// Index or Operand in them may have the axis, which is not an axis of their loops.
type Sequence struct {
	Axis    *ir.Axis
	Reverse bool
	Steps   []Step
}

// A Loop computes entries of values with the same axes, one after another,
// the last axis innermost. No axes: straight-line code, once.
type Loop struct {
	Axes []*ir.Axis
	Body []Instr
}

// An Instr computes one number and may store it.
type Instr struct {
	Op     *ir.Op // nil: the operand itself
	Args   []Operand
	Value  *ir.Value
	Stores []Store
}

// A Store writes the number to a buffer; At is empty for a buffer whose axes
// are all loop axes.
type Store struct {
	Buf *Buffer
	At  []Index
}

// OperandKind is where a number comes from.
type OperandKind int

const (
	Local  OperandKind = iota // the result of an earlier instruction of the body
	Const                     // Num
	Load                      // Buf at At
	Iota                      // the index along Axis
	Size                      // a size
	Scalar                    // a number given with the call
)

// An Operand is a number that an instruction uses.
type Operand struct {
	Kind  OperandKind
	Local int
	Num   float64
	Buf   *Buffer
	At    []Index // one for each axis of Buf
	Guard bool    // an index outside the buffer reads 0
	Axis  *ir.Axis
	Size  size.Poly
	Name  string
}

// An Index is a position along an axis of a buffer: of the loop axis (nil for
// none) plus Off, or the value of From.
type Index struct {
	Axis  *ir.Axis
	Off   size.Poly
	Neg   bool     // Off is subtracted
	Clamp bool     // to the ends of the buffer's axis, before Guard is looked at
	From  *Operand // a gather; then Axis is nil
}

// A Kernel is a call of a function of runtime/math/kernel, or a nest of loops
// where no kernel fits.
type Kernel struct {
	Name string // of a row of package kernels
	Dst  *Buffer
	Args []*Buffer
	Acc  bool // adds to Dst

	// reductions and running sums: the argument seen as [Outer, Along, Inner];
	// solves: right-hand sides [Outer, Batch, Inner, Along], triangles [Batch]
	Outer, Along, Inner []*ir.Axis
	Reverse             bool

	// contractions: for each entry of Batch, an M×N result summed over K; in
	// gemm_rows the row axis is M or K and stands before Batch
	Batch, M, N, K []*ir.Axis
	TransA, TransB bool

	// windows: sources Along, positions M and places K, a Stride apart, between Outer and Inner
	Stride int

	// scatter: the axis written by index
	To *ir.Axis
}
