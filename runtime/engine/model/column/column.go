// Package column reads the rows of a datum that a call of a function needs. It hides how the datum
// is stored: dense numbers, bytes, rows of different lengths or sparse rows, each in double or
// single precision. A column is immutable and shared by all goroutines. Each goroutine writes only
// to its Buffer.
package column

import (
	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/math/kernel"
)

// A Column is a datum that has one row for each row of the data.
type Column interface {
	// Fill sets the targets of the buffer to the given rows. Rows whose storage functions cannot read
	// directly are copied into the buffer. The buffer grows in the first calls.
	Fill(b *Buffer, rows Rows)
	// Width returns how many numbers a row has, including padding. It returns 0 for sparse rows.
	Width() int
}

// Rows are the rows of one block of a call.
type Rows struct {
	List  []int // the rows of a minibatch; nil in a full pass, which reads Count rows from Start on
	Start int
	Count int
	Block int // the number of rows in a block of a full pass

	// Places says where the rows of List lie in the arrangement of all rows, and Soon where rows lie
	// that are read soon. Both may be nil; places are looked up then.
	Places, Soon []int

	along bool // the rows of List follow one another
}

// Take makes the rows of a list those of the block. It looks once, for all columns, whether these
// follow one another.
func (r *Rows) Take(list []int) { r.List, r.along = list, oneByOne(list) }

// A Buffer is the memory that one goroutine needs to read one column.
type Buffer struct {
	// Rows is the largest number of rows in a minibatch.
	Rows int
	// Width is the number of entries read from each row. It may be smaller than the width of the
	// column if the rows have different lengths.
	Width int

	// The targets, from which functions read the rows. Dense32 and Sparse32 are nil in double
	// precision.
	Dense    *[]float64
	Sparse   *kernel.Rows
	Dense32  *[]float32
	Sparse32 *kernel.Rows32

	double  []float64
	single  []float32
	lo, hi  []int
	index   []int32
	value   []float64
	value32 []float32
	pass    *kernel.PackedPass
	picked  kernel.Picked
	places  []int // of rows that were looked up
}

// Reset discards the state of a full pass. It must be called before the rows of another page are
// read.
func (b *Buffer) Reset() { b.pass = nil }

// A number is a float64, or a float32 in single precision.
type number interface{ float32 | float64 }

// room returns a buffer for the given number of rows with width numbers each.
func room[T number](b *Buffer, rows, width int) []T {
	var p *[]T
	switch double := any(&b.double).(type) {
	case *[]T:
		p = double
	default:
		p = any(&b.single).(*[]T)
	}
	if len(*p) < rows*width {
		*p = make([]T, max(rows, b.Rows)*width)
	}
	return (*p)[:rows*width]
}

// point sets the target of type T to x.
func point[T number](b *Buffer, x []T) {
	switch x := any(x).(type) {
	case []float64:
		*b.Dense = x
	case []float32:
		*b.Dense32 = x
	}
}

// bounds returns buffers for the start and end offsets of the given number of sparse rows.
func (b *Buffer) bounds(rows int) (lo, hi []int) {
	if cap(b.lo) < rows {
		n := max(rows, b.Rows)
		b.lo, b.hi = make([]int, n), make([]int, n)
	}
	return b.lo[:rows], b.hi[:rows]
}

// Lengths returns the lengths of the rows of a packed column. It returns nil for other columns.
func Lengths(c Column) []float64 {
	if p, is := c.(interface{ cells() *array.Packed }); is {
		return p.cells().Lengths()
	}
	return nil
}
