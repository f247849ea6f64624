package column

import "math"

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
	second, two := first, false
	for _, v := range x {
		if p := pattern(v); p != first && p != second {
			if two {
				return nil
			}
			second, two = p, true
		}
	}
	c := &flags[T]{dense: dense[T]{x, 1}, bits: make([]uint64, (len(x)+63)/64)}
	c.level[0] = x[0]
	for i, v := range x {
		if pattern(v) != first {
			c.bits[i/64] |= 1 << (i % 64)
			c.level[1] = v
		}
	}
	return c
}

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
