package data

import "fmt"

// squeeze packs the cells of a padded array.
func (c *checker) squeeze(n *nest, shape []int) *Value {
	v := n.v
	out := &Value{Shape: shape, Canonical: v.Canonical, Origin: v.Origin}
	if heads, _ := product(v.Shape[:n.head]); heads == shape[0] {
		out.F64, out.Bytes, out.CSR = v.F64, v.Bytes, v.CSR
		return out
	}
	each, _ := product(shape[1:])
	runs := func(f func(packed, at, cells int)) {
		c.each(n, v.Shape[:n.head], func(_ []int, packed, at, cells int) { f(packed, at, cells) })
	}
	switch {
	case v.CSR != nil:
		from := v.CSR.plain()
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
		out.Bytes = &Bytes{Code: make([]uint8, shape[0]*each), Level: v.Bytes.Level}
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

// muchPadding is how many numbers a padded array has at least of which a note
// says that most are padding: 256 MB.
var muchPadding = 1 << 25

// pad puts packed cells where they stand in an array of the full shape. Bools
// become bytes.
func (c *checker) pad(n *nest, v *Value, full []int, cells int) *Value {
	out := &Value{Shape: full, Canonical: v.Canonical, Origin: v.Origin}
	heads, _ := product(full[:n.head])
	total, ok := product(full)
	if heads == cells {
		out.F64, out.Bytes, out.CSR = v.F64, v.Bytes, v.CSR
		return out
	}
	if !ok || heads > maxDense || v.CSR == nil && total > maxDense {
		c.fail(c.at(n.in, n.v, -1, "D0128", fmt.Sprintf("%s takes %v entries when all rows are as long as the longest: they are too many", n.in.Name, full)))
		return nil
	}
	each, _ := product(full[n.head:])
	if v.CSR == nil && total > muchPadding && heads > 8*cells {
		c.notes = append(c.notes, fmt.Sprintf("%s takes %.3g numbers in memory for %.3g in the data, as every row is as long as the longest: without the longest rows it takes less",
			n.in.Name, float64(total), float64(cells)*float64(each)))
	}
	runs := func(f func(packed, at, cells int)) {
		c.each(n, full[:n.head], func(_ []int, packed, at, cells int) { f(packed, at, cells) })
	}
	switch {
	case v.CSR != nil:
		m := *v.CSR
		per := each / max(1, m.Cols)
		m.Rows, m.Indptr = heads*per, make([]int, 1, heads*per+1)
		level := func(rows int) { // empty rows up to one
			for len(m.Indptr) <= rows {
				m.Indptr = append(m.Indptr, m.Indptr[len(m.Indptr)-1])
			}
		}
		runs(func(packed, at, cells int) {
			level(at * per)
			m.Indptr = append(m.Indptr, v.CSR.Indptr[packed*per+1:(packed+cells)*per+1]...)
		})
		level(heads * per)
		out.CSR = &m
	case v.Bytes != nil:
		out.Bytes = &Bytes{Code: make([]uint8, total), Level: v.Bytes.Level}
		runs(func(packed, at, cells int) {
			copy(out.Bytes.Code[at*each:], v.Bytes.Code[packed*each:(packed+cells)*each])
		})
	case n.in.Kind == Bool:
		out.Bytes = &Bytes{Code: make([]uint8, total), Level: plain}
		runs(func(packed, at, cells int) {
			for i, x := range v.F64[packed*each : (packed+cells)*each] {
				out.Bytes.Code[at*each+i] = uint8(x)
			}
		})
	default:
		out.F64 = make([]float64, total)
		runs(func(packed, at, cells int) {
			copy(out.F64[at*each:], v.F64[packed*each:(packed+cells)*each])
		})
	}
	return out
}
