package column

import "github.com/sgppl/sgppl/runtime/engine/array"

// packed is a column of rows of different lengths, which are padded as they are read.
type packed[T number] struct{ p *array.Packed }

// Packed returns a column of rows that are kept without their padding; they are given in
// single precision where single is set.
func Packed(p *array.Packed, single bool) Column {
	if single {
		return &packed[float32]{p}
	}
	return &packed[float64]{p}
}

func (c *packed[T]) cells() *array.Packed { return c.p }

func (c *packed[T]) Width() int { return c.p.Width() }

func (c *packed[T]) Fill(b *Buffer, rows Rows) {
	w := c.p.Width()
	dst := room[T](b, rows.Count, w)
	if rows.List == nil {
		for k := range rows.Count {
			array.Row(c.p, dst[k*w:(k+1)*w], rows.Start+k)
		}
		point(b, dst)
		return
	}
	n := b.Width
	for k, r := range rows.List {
		array.Row(c.p, dst[k*n:(k+1)*n], r)
	}
	point(b, dst[:rows.Count*n])
}
