package column

import (
	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/math/kernel"
)

// sparseBytes is a column of sparse rows whose values are a byte each. The entries of the current
// rows are put one after another, with the numbers that the bytes stand for.
type sparseBytes struct {
	all     kernel.Rows // without values
	code    []uint8
	level   *[256]float64
	level32 *[256]float32 // nil where values are read in double precision
}

// SparseBytes returns a column of sparse rows with a byte for each entry of all, whose
// numbers are given in single precision where single is set.
func SparseBytes(all kernel.Rows, b *array.Bytes, single bool) Column {
	c := &sparseBytes{all: all, code: b.Code, level: b.Level}
	if single {
		c.level32 = narrowed(b.Level)
	}
	return c
}

func (c *sparseBytes) Width() int { return 0 }

func (c *sparseBytes) Fill(b *Buffer, rows Rows) {
	all := &c.all
	lo, hi := b.bounds(rows.Count)
	index := all.Index
	if rows.List == nil { // they lie so
		first, last := all.Lo[rows.Start], all.Hi[rows.Start+rows.Count-1]
		index = all.Index[first:last]
		for k := range lo {
			lo[k], hi[k] = all.Lo[rows.Start+k]-first, all.Hi[rows.Start+k]-first
		}
		c.widen(b, len(index), c.code[first:last], 0)
	} else {
		n := 0
		for k, r := range rows.List {
			lo[k] = n
			n += all.Hi[r] - all.Lo[r]
			hi[k] = n
		}
		if cap(b.index) < n {
			b.index = make([]int32, max(n, rows.Count*c.longest()))
		}
		index = b.index[:n]
		for k, r := range rows.List {
			copy(index[lo[k]:hi[k]], all.Index[all.Lo[r]:all.Hi[r]])
			c.widen(b, n, c.code[all.Lo[r]:all.Hi[r]], lo[k])
		}
	}
	*b.Sparse = kernel.Rows{Lo: lo, Hi: hi, Index: index, Value: b.value}
	if b.Sparse32 != nil {
		*b.Sparse32 = kernel.Rows32{Lo: lo, Hi: hi, Index: index, Value: b.value32}
	}
}

// widen writes the numbers of some entries from the at-th on, of n in all. Memory grows to
// the most entries that so many rows have, so that it does so once.
func (c *sparseBytes) widen(b *Buffer, n int, code []uint8, at int) {
	if c.level32 == nil {
		if cap(b.value) < n {
			b.value = make([]float64, max(n, len(b.index)))
		}
		b.value = b.value[:n]
		levels(b.value[at:at+len(code)], code, c.level)
		return
	}
	if cap(b.value32) < n {
		b.value32 = make([]float32, max(n, len(b.index)))
	}
	b.value32 = b.value32[:n]
	levels(b.value32[at:at+len(code)], code, c.level32)
}

// longest is the most entries of a row.
func (c *sparseBytes) longest() int {
	most := 0
	for k, lo := range c.all.Lo {
		most = max(most, c.all.Hi[k]-lo)
	}
	return most
}
