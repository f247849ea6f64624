package column

import "github.com/sgppl/sgppl/runtime/math/kernel"

// dense is a column of numbers that functions read where they lie.
type dense[T number] struct {
	x     []T
	width int
}

// Dense returns a column of rows of width numbers each, row-major in x.
func Dense[T number](x []T, width int) Column {
	if width == 1 {
		if c := newFlags(x); c != nil {
			return c
		}
	}
	return &dense[T]{x, width}
}

func (c *dense[T]) Width() int { return c.width }

func (c *dense[T]) Fill(b *Buffer, rows Rows) {
	w := c.width
	if rows.List == nil {
		point(b, c.x[rows.Start*w:(rows.Start+rows.Count)*w])
		return
	}
	n := b.Width
	if rows.along && n == w {
		point(b, c.x[rows.List[0]*w:][:rows.Count*w])
		return
	}
	dst := room[T](b, rows.Count, w)[:rows.Count*n]
	if w == 1 {
		for k, r := range rows.List {
			dst[k] = c.x[r]
		}
	} else {
		for k, r := range rows.List {
			copy(dst[k*n:(k+1)*n], c.x[r*w:r*w+n])
		}
	}
	point(b, dst)
}

// oneByOne reports whether rows follow one another, several of them: as in passes over parts of the
// rows.
func oneByOne(rows []int) bool {
	n := len(rows)
	if n < 2 || rows[n-1]-rows[0] != n-1 {
		return false
	}
	next, off := rows[0], 0
	for ; len(rows) >= 4; rows = rows[4:] { // without a branch for each row
		off |= (rows[0] ^ next) | (rows[1] ^ (next + 1))
		off |= (rows[2] ^ (next + 2)) | (rows[3] ^ (next + 3))
		next += 4
	}
	for k, r := range rows {
		off |= r ^ (next + k)
	}
	return off == 0
}

// widened is a column of single numbers that are read in double precision.
type widened struct {
	x     []float32
	width int
}

// Widened returns a column whose rows, of width numbers each, are kept in single precision
// and given in double.
func Widened(x []float32, width int) Column { return &widened{x, width} }

func (c *widened) Width() int { return c.width }

func (c *widened) Fill(b *Buffer, rows Rows) {
	w, n := c.width, b.Width
	dst := room[float64](b, rows.Count, w)
	if rows.List == nil {
		kernel.Widen(dst, c.x[rows.Start*w:(rows.Start+rows.Count)*w])
		*b.Dense = dst
		return
	}
	for k, r := range rows.List {
		kernel.Widen(dst[k*n:(k+1)*n], c.x[r*w:r*w+n])
	}
	*b.Dense = dst[:rows.Count*n]
}
