package column

import (
	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/math/kernel"
)

// A bytes is a column that stores each entry as one byte. A table maps each byte to a number.
type bytes[T number] struct {
	code  []uint8
	level *[256]T
	width int
}

// Bytes returns a column whose rows of width entries stay bytes in memory. Fill widens the rows
// that it reads, to single precision if single is set.
func Bytes(b *array.Bytes, width int, single bool) Column {
	if single {
		return &bytes[float32]{b.Code, narrowed(b.Level), width}
	}
	return &bytes[float64]{b.Code, b.Level, width}
}

// narrowed returns a table of levels in single precision.
func narrowed(level *[256]float64) *[256]float32 {
	out := new([256]float32)
	kernel.Narrow(out[:], level[:])
	return out
}

func (c *bytes[T]) Width() int { return c.width }

func (c *bytes[T]) Fill(b *Buffer, rows Rows) {
	w, n := c.width, b.Width
	dst := room[T](b, rows.Count, w)
	if rows.List == nil {
		levels(dst, c.code[rows.Start*w:(rows.Start+rows.Count)*w], c.level)
		point(b, dst)
		return
	}
	for k, r := range rows.List {
		levels(dst[k*n:(k+1)*n], c.code[r*w:r*w+n], c.level)
	}
	point(b, dst[:rows.Count*n])
}

// levels writes the numbers that the bytes of code represent.
func levels[T number](dst []T, code []uint8, level *[256]T) {
	dst = dst[:len(code)]
	for i, c := range code {
		dst[i] = level[c]
	}
}
