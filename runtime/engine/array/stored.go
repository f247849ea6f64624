package array

import "github.com/sgppl/sgppl/runtime/math/special"

// MostEntries returns the largest number of stored entries in a row of a sparse value.
func (v *Value) MostEntries() int { return v.CSR.Longest() }

// Longest returns the largest number of stored entries in a row.
func (m *CSR) Longest() int {
	most := 0
	for r := range m.Rows {
		most = max(most, m.Indptr[r+1]-m.Indptr[r])
	}
	return most
}

// Columns returns the columns of the stored entries of a sparse value, a row for each row of v.
// The rows are padded with 0 to width, or to the longest row if that is longer.
func (v *Value) Columns(width int) *Value {
	p := v.entries(width)
	p.Int32 = v.CSR.Columns()
	return &Value{Shape: []int{p.Rows(), p.Width()}, Packed: p, Canonical: true}
}

// Counts returns the values of the stored entries of a sparse value, in the layout of Columns.
func (v *Value) Counts(width int) *Value {
	p := v.entries(width)
	switch m := v.CSR; {
	case m.Bytes != nil:
		p.Bytes = m.Bytes
	case m.Value != nil:
		p.F64 = m.Value
	default: // all are 1
		p.F64 = make([]float64, len(m.Index))
		for i := range p.F64 {
			p.F64[i] = 1
		}
	}
	return &Value{Shape: []int{p.Rows(), p.Width()}, Packed: p, Canonical: true}
}

// entries returns a packed array with the layout of Columns, before its entries are set.
func (v *Value) entries(width int) *Packed {
	lengths := make([]int, v.CSR.Rows)
	for r := range lengths {
		lengths[r] = int(v.CSR.Indptr[r+1] - v.CSR.Indptr[r])
	}
	return Lay([]Axis{{Size: len(lengths)},
		{Size: max(1, width, v.MostEntries()), Lengths: lengths}}, 1)
}

// LogFactorials returns Σ log x! along the last axis. The argument is unused.
func (v *Value) LogFactorials(int) *Value {
	shape := v.Shape[:max(0, len(v.Shape)-1)]
	rows, _ := Product(shape)
	out := make([]float64, rows)
	if m := v.CSR; m != nil {
		for r := range out {
			for k := m.Indptr[r]; k < m.Indptr[r+1]; k++ {
				if x := m.At(k); x != 1 {
					out[r] += special.Lgamma(x + 1)
				}
			}
		}
	} else {
		x, cols := v.Floats(), 0
		if rows > 0 {
			cols = len(x) / rows
		}
		for r := range out {
			for _, x := range x[r*cols : (r+1)*cols] {
				if x != 0 && x != 1 {
					out[r] += special.Lgamma(x + 1)
				}
			}
		}
	}
	return &Value{Shape: shape, F64: out, Canonical: true}
}
