// Package column gives functions the rows that a call takes of a datum, from whatever storage the
// datum has: dense numbers, bytes, rows of different lengths, sparse rows, each in double or single
// precision. A column is immutable, and all goroutines share it. A goroutine writes to its Buffer
// only.
package column

import (
	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/math/kernel"
)

// A Column is a datum with a row for each row of the data.
type Column interface {
	// Fill points the targets of the buffer at the rows. Rows that do not lie in memory
	// as functions read them are copied into the buffer, which grows at the first calls.
	Fill(b *Buffer, rows Rows)
	// Width returns how many numbers a row has, padding included; 0 of sparse rows.
	Width() int
}

// Rows are the rows of one block of a call.
type Rows struct {
	List  []int // the rows of a minibatch; nil of a full pass, which takes Count from Start on
	Start int
	Count int
	Block int // how many rows a block of a full pass has
}

// A Buffer is the memory that one goroutine needs to read one column.
type Buffer struct {
	// Rows is how many rows a minibatch has at most.
	Rows int
	// Width is how many numbers of each row are taken. If rows have different lengths, it may be
	// smaller than the width of the column.
	Width int

	// Where functions find the rows: the single targets are nil in double precision.
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
}

// Reset forgets what the buffer has of the rows of a page, before those of another.
func (b *Buffer) Reset() { b.pass = nil }

// A number is a float64, or a float32 in single precision.
type number interface{ float32 | float64 }

// room returns memory for that many rows of width numbers each.
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

// point has functions find x.
func point[T number](b *Buffer, x []T) {
	switch x := any(x).(type) {
	case []float64:
		*b.Dense = x
	case []float32:
		*b.Dense32 = x
	}
}

// bounds returns memory for the ends of so many sparse rows.
func (b *Buffer) bounds(rows int) (lo, hi []int) {
	if cap(b.lo) < rows {
		n := max(rows, b.Rows)
		b.lo, b.hi = make([]int, n), make([]int, n)
	}
	return b.lo[:rows], b.hi[:rows]
}

// Lengths returns the lengths of the rows of a packed column; nil of others.
func Lengths(c Column) []float64 {
	if p, is := c.(interface{ cells() *array.Packed }); is {
		return p.cells().Lengths()
	}
	return nil
}
