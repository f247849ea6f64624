package model

import (
	"fmt"
	"strings"
	"sync"

	"github.com/sgppl/sgppl/runtime/base/memory"
	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/model/column"
	"github.com/sgppl/sgppl/runtime/math/kernel"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// A stored is a datum in memory. One of the fields dense, rows, code, coded and cells has its
// values.
type stored struct {
	dense []float64
	rows  kernel.Rows
	code  *array.Bytes
	coded *array.CSR // sparse rows of bytes
	cells *array.Packed
}

// load resolves Spec.Data, with the row axis first.
func (m *Model) load(bound *data.Bound, derived map[string][]float64) error {
	all := make([]stored, len(m.Spec.Data))
	for i := range m.Spec.Data {
		var err error
		if all[i], err = m.stored(&m.Spec.Data[i], bound, derived); err != nil {
			return err
		}
	}
	if m.Spec.Single {
		if err := m.exact(all); err != nil {
			return err
		}
	}
	for i, s := range all {
		d, v := &m.Spec.Data[i], bound.Values[m.Spec.Data[i].Name]
		m.full, m.sparse = append(m.full, s.dense), append(m.sparse, s.rows)
		m.wide = append(m.wide, s.wide(v))
		if m.Spec.Single {
			m.narrow(i)
		}
		c := m.column(i, s, v, m.Spec.Single)
		m.columns = append(m.columns, c)
		switch {
		case !m.Spec.Single:
		case d.Sparse && s.coded == nil: // given in both
			m.doubles = append(m.doubles, c)
		default:
			m.doubles = append(m.doubles, m.column(i, s, v, false))
		}
	}
	return nil
}

// stored finds where a datum lies.
func (m *Model) stored(
	d *Datum, bound *data.Bound, derived map[string][]float64,
) (s stored, err error) {
	v := bound.Values[d.Name]
	if v == nil && d.Rows && !d.Derived && !d.Filled {
		v = bound.Value(d.Name)
	}
	byRow := d.Rows && !d.Sparse && d.Lead == 0 && v != nil && m.rows > 0
	switch c := m.cells[d.Name]; {
	case d.Filled || d.Early:
	case d.Derived && c != nil && d.Rows && d.Lead == 0:
		s.cells = c
	case d.Derived && c != nil:
		s.dense = c.Padded()
	case d.Derived:
		s.dense = derived[d.Name]
	case d.Rows && d.Sparse && v != nil && v.CSR != nil && v.CSR.Bytes != nil:
		s.coded = v.CSR
	case byRow && v.Bytes != nil:
		s.code = v.Bytes
	case byRow && v.Packed != nil:
		s.cells = v.Packed
	default:
		if err := read(bound, d, &s.dense, &s.rows); err != nil {
			return s, err
		}
	}
	if v := bound.Values[d.Name]; d.Rows && d.Sparse && s.coded == nil && v != nil && v.CSR != nil {
		s.rows.Narrow = narrowColumns(s.rows, v.CSR.Cols)
	}
	if d.Rows && d.Lead > 0 && s.dense != nil {
		s.dense = leading(s.dense, size.Shape(d.Shape, m.Dims), d.Lead)
	}
	return s, nil
}

// wide gives a datum that lies otherwise than functions without a row axis read it, as an array or
// as sparse rows; nil where it does not.
func (s *stored) wide(v *array.Value) func() ([]float64, kernel.Rows) {
	dense := func(f func() []float64) func() ([]float64, kernel.Rows) {
		return sync.OnceValues(func() ([]float64, kernel.Rows) { return f(), kernel.Rows{} })
	}
	switch {
	case s.coded != nil:
		return sync.OnceValues(func() ([]float64, kernel.Rows) { return nil, rowsOf(s.coded) })
	case s.cells != nil:
		return dense(s.cells.Padded)
	case s.code != nil:
		return dense(v.Floats)
	}
	return nil
}

// column makes the column of a datum by row, in single or double precision; nil of others.
func (m *Model) column(i int, s stored, v *array.Value, single bool) column.Column {
	d, width := &m.Spec.Data[i], 1
	switch {
	case !d.Rows || d.Filled:
		return nil
	case s.coded != nil:
		return column.SparseBytes(s.coded, single)
	case d.Sparse:
		var rounded *kernel.Rows32
		if single {
			r := m.single.sparse[i]
			rounded = &r
		}
		return column.Sparse(s.rows, rounded, m.packs(d, v, s.rows), m.order())
	case s.cells != nil:
		return column.Packed(s.cells, single)
	case s.code != nil:
		return column.Bytes(s.code, len(s.code.Code)/m.rows, single)
	}
	if m.rows > 0 {
		width = len(s.dense) / m.rows
	}
	switch {
	case single:
		return column.Dense(m.single.full[i], width)
	case m.Spec.Single && m.full[i] == nil:
		return column.Widened(m.single.full[i], width)
	}
	return column.Dense(s.dense, width)
}

// mostPadded bounds the arrays that are padded for functions that take all rows
// together.
const mostPadded = 1 << 32

// read finds the memory of an input.
func read(bound *data.Bound, d *Datum, dense *[]float64, rows *kernel.Rows) error {
	v := bound.Value(d.Name)
	if v == nil {
		return fmt.Errorf("input %s is missing", d.Name)
	}
	if d.Sparse {
		c := v.CSR
		if c == nil {
			return fmt.Errorf("input %s is not sparse", d.Name)
		}
		*rows = rowsOf(c)
		return nil
	}
	if v.Packed != nil && v.Packed.Len() > mostPadded {
		return fmt.Errorf("%s takes %v entries when all rows are as long as the longest: they "+
			"are too many", d.Name, v.Shape)
	}
	if v.F64 == nil { // bytes, or rows of different lengths: numbers are made of them
		if err := memory.FitsNow(8*float64(v.Len()),
			fmt.Sprintf("%s, %s numbers,", d.Name, shapeText(v.Shape))); err != nil {
			return err
		}
	}
	*dense = v.Floats()
	return nil
}

// rowsOf gives a sparse matrix as kernels read it.
func rowsOf(c *array.CSR) kernel.Rows {
	return kernel.Rows{Lo: c.Indptr[:c.Rows], Hi: c.Indptr[1 : c.Rows+1], Index: c.Columns(),
		Value: c.Values()}
}

// shapeText writes sizes for people: 2 × 3.
func shapeText(shape []int) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(shape), "[]"), " ", " × ")
}

// leading copies an array with one axis moved to the front.
func leading(x []float64, shape []int, lead int) []float64 {
	outer, n, inner := 1, shape[lead], 1
	for _, k := range shape[:lead] {
		outer *= k
	}
	for _, k := range shape[lead+1:] {
		inner *= k
	}
	out := make([]float64, len(x))
	for o := range outer {
		for i := range n {
			copy(out[(i*outer+o)*inner:(i*outer+o+1)*inner], x[(o*n+i)*inner:(o*n+i+1)*inner])
		}
	}
	return out
}
