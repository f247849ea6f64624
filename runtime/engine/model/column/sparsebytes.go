package column

import (
	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/math/kernel"
)

// sparseBytes is a column of sparse rows whose values are a byte each, and whose columns are bits.
// The entries of the current rows are put one after another: their columns, and the numbers that
// the bytes stand for.
type sparseBytes struct {
	all     *array.CSR
	level32 *[256]float32 // nil where values are read in double precision
}

// SparseBytes returns a column of sparse rows with a byte for each entry, whose numbers are given
// in single precision where single is set.
func SparseBytes(all *array.CSR, single bool) Column {
	c := &sparseBytes{all: all}
	if single {
		c.level32 = narrowed(all.Bytes.Level)
	}
	return c
}

func (c *sparseBytes) Width() int { return 0 }

func (c *sparseBytes) Fill(b *Buffer, rows Rows) {
	all := c.all
	row := func(k int) int {
		if rows.List == nil {
			return rows.Start + k
		}
		return rows.List[k]
	}
	lo, hi := b.bounds(rows.Count)
	n := 0
	for k := range lo {
		r := row(k)
		lo[k] = n
		n += all.Indptr[r+1] - all.Indptr[r]
		hi[k] = n
	}
	if cap(b.index) < n {
		most := n + n/8 // of the blocks of a full pass, which have much the same length
		if rows.List != nil {
			most = max(n, rows.Count*all.Longest())
		}
		b.index = make([]int32, most)
	}
	index := b.index[:0]
	for k, at := range lo {
		r := row(k)
		index = all.Mask.Append(index, r)
		c.widen(b, n, all.Bytes.Code[all.Indptr[r]:all.Indptr[r+1]], at)
	}
	*b.Sparse = kernel.Rows{Lo: lo, Hi: hi, Index: index, Value: b.value}
	if b.Sparse32 != nil {
		*b.Sparse32 = kernel.Rows32{Lo: lo, Hi: hi, Index: index, Value: b.value32}
	}
}

// widen writes the numbers of some entries from the at-th on, of n in all. Memory grows with that
// for their columns: for minibatches to the most entries that so many rows have, so that it does so
// once.
func (c *sparseBytes) widen(b *Buffer, n int, code []uint8, at int) {
	if c.level32 == nil {
		if cap(b.value) < n {
			b.value = make([]float64, max(n, len(b.index)))
		}
		b.value = b.value[:n]
		levels(b.value[at:at+len(code)], code, c.all.Bytes.Level)
		return
	}
	if cap(b.value32) < n {
		b.value32 = make([]float32, max(n, len(b.index)))
	}
	b.value32 = b.value32[:n]
	levels(b.value32[at:at+len(code)], code, c.level32)
}
