package data

import (
	"fmt"

	"github.com/sgppl/sgppl/runtime/engine/array"
)

// squeeze returns the cells of a padded array without the padding, in the given shape.
func (c *checker) squeeze(n *nest, shape []int) *array.Value {
	v := n.v
	out := &array.Value{Shape: shape, Canonical: v.Canonical, Origin: v.Origin}
	if p := v.Packed; p != nil {
		if each, _ := array.Product(shape[1:]); p.Like(c.newPacked(n, v.Shape, each)) {
			if out.Bytes = p.Bytes; p.Bytes == nil {
				out.F64 = p.Entries()
			}
			return out
		}
		v = v.Unpacked() // it is given lengths other than its own
	}
	if heads, _ := array.Product(v.Shape[:n.head]); heads == shape[0] {
		out.F64, out.Bytes, out.CSR = v.F64, v.Bytes, v.CSR
		return out
	}
	each, _ := array.Product(shape[1:])
	runs := func(f func(packed, at, cells int)) {
		c.each(n, v.Shape[:n.head], func(_ []int, packed, at, cells int) { f(packed, at, cells) })
	}
	switch {
	case v.CSR != nil:
		from := v.CSR.Plain()
		m := *from
		m.Rows, m.Indptr, m.Index, m.Value = 0, []int{0}, nil, nil
		per := each / max(1, m.Cols) // rows of the matrix in a cell
		runs(func(_, at, cells int) {
			lo, hi := from.Indptr[at*per], from.Indptr[(at+cells)*per]
			for r := at * per; r < (at+cells)*per; r++ {
				m.Indptr = append(m.Indptr, len(m.Index)+from.Indptr[r+1]-lo)
			}
			m.Rows += cells * per
			m.Index = append(m.Index, from.Index[lo:hi]...)
			if from.Value != nil {
				m.Value = append(m.Value, from.Value[lo:hi]...)
			}
		})
		if from.Value != nil && m.Value == nil {
			m.Value = []float64{}
		}
		out.CSR = &m
	case v.Bytes != nil:
		out.Bytes = &array.Bytes{Code: make([]uint8, shape[0]*each), Level: v.Bytes.Level}
		runs(func(packed, at, cells int) {
			copy(out.Bytes.Code[packed*each:(packed+cells)*each], v.Bytes.Code[at*each:])
		})
	default:
		out.F64 = make([]float64, shape[0]*each)
		runs(func(packed, at, cells int) {
			copy(out.F64[packed*each:(packed+cells)*each], v.F64[at*each:])
		})
	}
	return out
}

// pad returns cells in the full shape. Dense cells are packed if there is padding. Padding of
// sparse cells is rows without entries.
func (c *checker) pad(n *nest, v *array.Value, full []int, cells int) *array.Value {
	out := &array.Value{Shape: full, Canonical: v.Canonical, Origin: v.Origin}
	heads, _ := array.Product(full[:n.head])
	_, ok := array.Product(full)
	if heads == cells {
		out.F64, out.Bytes, out.CSR = v.F64, v.Bytes, v.CSR
		return out
	}
	if !ok || v.CSR != nil && heads > maxDense || n.head > array.MostAxes {
		c.fail(c.at(n.in, n.v, -1, "D0128",
			fmt.Sprintf(
				"%s takes %v entries when all rows are as long as the longest: they are too many",
				n.in.Name, full)))
		return nil
	}
	each, _ := array.Product(full[n.head:])
	if v.CSR == nil {
		out.Packed = c.newPacked(n, full, each)
		if out.Packed.Bytes = v.Bytes; v.Bytes == nil {
			out.Packed.Keep(v.F64)
		}
		return out
	}
	from := v.CSR.Plain()
	m := *from
	per := each / max(1, m.Cols)
	m.Rows, m.Indptr = heads*per, make([]int, 1, heads*per+1)
	level := func(rows int) { // empty rows up to one
		for len(m.Indptr) <= rows {
			m.Indptr = append(m.Indptr, m.Indptr[len(m.Indptr)-1])
		}
	}
	c.each(n, full[:n.head], func(_ []int, packed, at, cells int) {
		level(at * per)
		m.Indptr = append(m.Indptr, from.Indptr[packed*per+1:(packed+cells)*per+1]...)
	})
	level(heads * per)
	out.CSR = &m
	return out
}

// newPacked returns a packed array without entries, with the leading sizes as its padded axes.
func (c *checker) newPacked(n *nest, sizes []int, each int) *array.Packed {
	var axes []array.Axis
	for k, size := range sizes[:n.head] {
		a := array.Axis{Size: size}
		if d := n.dims[k]; d != nil {
			a.Of, a.Lengths = n.parent[k], c.rows[d.Name].n
		}
		axes = append(axes, a)
	}
	return array.Lay(axes, each)
}
