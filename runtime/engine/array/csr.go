package array

import (
	"fmt"
	"math"
	"slices"
)

// Dense spreads a matrix out, row-major, to the given width.
func (m *CSR) Dense(cols int) []float64 {
	out := make([]float64, m.Rows*cols)
	columns := m.Columns()
	for r := range m.Rows {
		for k := m.Indptr[r]; k < m.Indptr[r+1]; k++ {
			out[r*cols+int(columns[k])] = m.At(k)
		}
	}
	return out
}

// Columns are those of the stored entries, made anew where they are stored as a mask.
func (m *CSR) Columns() []int32 {
	if m.Mask == nil {
		return m.Index
	}
	out := make([]int32, 0, m.Indptr[m.Rows])
	for r := range m.Rows {
		out = m.Mask.Append(out, r)
	}
	return out
}

// At is the value of stored entry k.
func (m *CSR) At(k int) float64 {
	switch {
	case m.Value != nil:
		return m.Value[k]
	case m.Bytes != nil:
		return m.Bytes.Level[m.Bytes.Code[k]]
	}
	return 1
}

// Values are those of the stored entries, made anew where they are stored as
// bytes; nil when each is 1.
func (m *CSR) Values() []float64 {
	if m.Bytes == nil {
		return m.Value
	}
	out := make([]float64, len(m.Bytes.Code))
	m.Bytes.Widen(out, m.Bytes.Code)
	return out
}

// Plain is the matrix without bytes and without a mask.
func (m *CSR) Plain() *CSR {
	if m.Bytes == nil {
		return m
	}
	out := *m
	out.Value, out.Bytes = m.Values(), nil
	out.Index, out.Mask = m.Columns(), nil
	return &out
}

// Compress stores what is not 0 of a dense matrix: bytes as bytes.
func Compress(v *Value, rows, cols int) *CSR {
	m := &CSR{Rows: rows, Cols: cols, Indptr: make([]int, rows+1)}
	binary, n := true, 0
	var wide []float64
	if v.Bytes != nil {
		wide = make([]float64, cols)
	}
	row := func(r int) []float64 {
		if wide == nil {
			return v.F64[r*cols : (r+1)*cols]
		}
		v.Bytes.Widen(wide, v.Bytes.Code[r*cols:(r+1)*cols])
		return wide
	}
	for r := range rows {
		for _, x := range row(r) {
			if x != 0 {
				n++
				binary = binary && x == 1
			}
		}
	}
	if !binary && v.Bytes != nil {
		m.Bytes, m.Mask = &Bytes{Code: make([]uint8, 0, n), Level: v.Bytes.Level}, newMask(rows, cols)
		for r := range rows {
			for c, code := range v.Bytes.Code[r*cols : (r+1)*cols] {
				if v.Bytes.Level[code] != 0 {
					m.Mask.set(r, c)
					m.Bytes.Code = append(m.Bytes.Code, code)
				}
			}
			m.Indptr[r+1] = len(m.Bytes.Code)
		}
		return m
	}
	m.Index = make([]int32, 0, n)
	if !binary {
		m.Value = make([]float64, 0, n)
	}
	for r := range rows {
		for c, x := range row(r) {
			if x != 0 {
				m.Index = append(m.Index, int32(c))
				if !binary {
					m.Value = append(m.Value, x)
				}
			}
		}
		m.Indptr[r+1] = len(m.Index)
	}
	return m
}

// Defect says what breaks the invariants of a CSR matrix; "" when nothing does.
func (m *CSR) Defect() string {
	n := len(m.Index)
	if m.Bytes != nil {
		n = len(m.Bytes.Code)
	}
	switch {
	case m.Rows < 0 || m.Cols < 0 || m.Cols > math.MaxInt32 || len(m.Indptr) != m.Rows+1 ||
		m.Indptr[0] != 0 || m.Indptr[m.Rows] != n:
		return "is a sparse matrix with row offsets that do not fit its entries"
	case (m.Bytes != nil) != (m.Mask != nil) || m.Mask != nil && (m.Index != nil || m.Value != nil):
		return "is a sparse matrix with bytes beside other storage, or without a mask"
	case m.Mask != nil && (m.Mask.Each < 0 || m.Mask.Each > 1<<25 ||
		len(m.Mask.Words) != m.Rows*m.Mask.Each):
		return fmt.Sprintf("is a sparse matrix with a mask of %d words for %d rows",
			len(m.Mask.Words), m.Rows)
	case m.Value != nil && len(m.Value) != n:
		return fmt.Sprintf("is a sparse matrix with %d values for %d entries", len(m.Value), n)
	}
	for r := range m.Rows {
		lo, hi := m.Indptr[r], m.Indptr[r+1]
		if lo > hi || lo < 0 || hi > n {
			return fmt.Sprintf("is a sparse matrix with row offsets that fall at row %d", r)
		}
		if m.Mask != nil {
			if !m.Mask.fits(r, hi-lo, m.Cols) {
				return fmt.Sprintf("is a sparse matrix whose mask does not fit its entries at row %d",
					r)
			}
			continue
		}
		last := int32(-1)
		for _, j := range m.Index[lo:hi] {
			if j <= last || int(j) >= m.Cols {
				return fmt.Sprintf("is a sparse matrix whose columns do not rise within its "+
					"width at row %d", r)
			}
			last = j
		}
	}
	return ""
}

// Largest returns the largest finite entry of a value that is stored as float64 or bytes. It
// returns false if there is none.
func Largest(v *Value) (top float64, some bool) {
	top = math.Inf(-1)
	list := v.F64
	if v.Bytes != nil {
		_, list = v.Bytes.Used()
	}
	for _, x := range list {
		if x > top && !math.IsInf(x, 1) {
			top = x
		}
	}
	return top, !math.IsInf(top, -1)
}

// HasZero reports whether a dense value has an entry that is 0.
func HasZero(v *Value) bool {
	if v.Bytes != nil {
		_, list := v.Bytes.Used()
		return slices.Contains(list, 0)
	}
	return slices.Contains(v.F64, 0)
}

// FromRows compresses rows of cols numbers each, for inputs that are declared
// sparse. It panics on a row of another length.
func FromRows(rows [][]float64, cols int) *CSR {
	dense := make([]float64, 0, len(rows)*cols)
	for i, r := range rows {
		if len(r) != cols {
			panic(fmt.Sprintf("data: row %d has %d numbers, not %d", i, len(r), cols))
		}
		dense = append(dense, r...)
	}
	return Compress(&Value{F64: dense}, len(rows), cols)
}

// Add appends an entry to the row that is being read.
func (m *CSR) Add(column int32, value float64) {
	m.Index = append(m.Index, column)
	if m.Value == nil && value != 1 {
		m.Value = make([]float64, len(m.Index)-1, cap(m.Index))
		for k := range m.Value {
			m.Value[k] = 1
		}
	}
	if m.Value != nil {
		m.Value = append(m.Value, value)
	}
}

// SortRow puts the entries lo to hi in the order of their columns. It gives the
// first column that comes twice, −1 without one.
func (m *CSR) SortRow(lo, hi int) (twice int32) {
	row := m.Index[lo:hi]
	if !slices.IsSorted(row) {
		order := make([]int, hi-lo)
		for i := range order {
			order[i] = i
		}
		old := slices.Clone(row)
		slices.SortFunc(order, func(a, b int) int { return int(old[a]) - int(old[b]) })
		for i, k := range order {
			row[i] = old[k]
		}
		if m.Value != nil {
			values := slices.Clone(m.Value[lo:hi])
			for i, k := range order {
				m.Value[lo+i] = values[k]
			}
		}
	}
	for i := 1; i < len(row); i++ {
		if row[i] == row[i-1] {
			return row[i]
		}
	}
	return -1
}

// Join appends the rows of another matrix.
func (m *CSR) Join(o *CSR) {
	if m.Value == nil && o.Value != nil {
		m.Value = Ones(len(m.Index))
	}
	at := len(m.Index)
	m.Index = append(m.Index, o.Index...)
	switch {
	case o.Value != nil:
		m.Value = append(m.Value, o.Value...)
	case m.Value != nil:
		m.Value = append(m.Value, Ones(len(o.Index))...)
	}
	for _, p := range o.Indptr[1:] {
		m.Indptr = append(m.Indptr, at+p)
	}
	m.Rows, m.Cols = len(m.Indptr)-1, max(m.Cols, o.Cols)
}

// Take returns the matrix of some groups of per rows each. Its width is that of all rows, and stays
// unstated if it was unstated.
func (m *CSR) Take(keep []int, per int) *CSR {
	out := &CSR{Rows: len(keep) * per, Cols: m.Cols, Open: m.Open,
		Indptr: make([]int, 1, len(keep)*per+1)}
	if m.Bytes != nil {
		out.Bytes, out.Mask = &Bytes{Level: m.Bytes.Level}, m.Mask.take(keep, per)
	}
	for _, i := range keep {
		for r := i * per; r < (i+1)*per; r++ {
			lo, hi := m.Indptr[r], m.Indptr[r+1]
			out.Indptr = append(out.Indptr, out.Indptr[len(out.Indptr)-1]+hi-lo)
			if m.Bytes != nil {
				out.Bytes.Code = append(out.Bytes.Code, m.Bytes.Code[lo:hi]...)
				continue
			}
			out.Index = append(out.Index, m.Index[lo:hi]...)
			if m.Value != nil {
				out.Value = append(out.Value, m.Value[lo:hi]...)
			}
		}
	}
	if m.Value != nil && out.Value == nil {
		out.Value = []float64{}
	}
	return out
}

// Ones returns n ones.
func Ones(n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = 1
	}
	return out
}

// Grow makes memory for more rows and entries.
func (m *CSR) Grow(rows, entries int) {
	m.Index, m.Indptr = slices.Grow(m.Index, entries), slices.Grow(m.Indptr, rows)
	if m.Value != nil {
		m.Value = slices.Grow(m.Value, entries)
	}
}
