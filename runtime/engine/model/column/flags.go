package column

import (
	"math"
	"slices"
)

// flags is a column of one number a row that takes two values at most. Minibatches read a bit a
// row, so the column stays in the nearest cache up to half a million rows.
type flags[T number] struct {
	dense[T]
	bits  []uint64
	level [2]T
}

// newFlags returns the column, or nil where there are more values.
func newFlags[T number](x []T) *flags[T] {
	if len(x) == 0 {
		return nil
	}
	first := pattern(x[0])
	other := slices.IndexFunc(x, func(v T) bool { return pattern(v) != first })
	second := first
	if other >= 0 {
		second = pattern(x[other])
	}
	c := &flags[T]{dense: dense[T]{x, 1}, bits: make([]uint64, (len(x)+63)/64)}
	c.level[0] = x[0]
	if other >= 0 {
		c.level[1] = x[other]
	}
	third := uint64(0) // 1 where a number is neither; no branch could be predicted
	for k := range c.bits {
		word := uint64(0)
		for i, v := range x[64*k : min(64*k+64, len(x))] {
			differs := notZero(pattern(v) ^ first)
			third |= differs & notZero(pattern(v)^second)
			word |= differs << i
		}
		if c.bits[k] = word; third != 0 {
			return nil
		}
	}
	return c
}

// notZero is 1 where x is not 0.
func notZero(x uint64) uint64 { return (x | -x) >> 63 }

// pattern is the bits of a number, which NaN and zeros of both signs differ in.
func pattern[T number](x T) uint64 {
	switch x := any(x).(type) {
	case float32:
		return uint64(math.Float32bits(x))
	case float64:
		return math.Float64bits(x)
	}
	panic("column: no such number")
}

func (c *flags[T]) Fill(b *Buffer, rows Rows) {
	if rows.along || rows.List == nil {
		c.dense.Fill(b, rows)
		return
	}
	dst := room[T](b, rows.Count, 1)
	bits, level := c.bits, c.level
	for k, r := range rows.List[:len(dst)] {
		dst[k] = level[bits[uint(r)/64]>>(uint(r)%64)&1]
	}
	point(b, dst)
}

// Cold implements Fetcher: nobody asks for bits, which lie together.
func (c *flags[T]) Cold(bool) bool { return false }
