package model

import (
	"maps"

	"github.com/sgppl/sgppl/runtime/data"
	"github.com/sgppl/sgppl/runtime/kernel"
	"github.com/sgppl/sgppl/runtime/size"
)

// An apart computes a function of Spec.Apart for a block of rows at a time, so
// that rows of their own lengths are padded a block at a time, too.
type apart struct {
	m      *Model
	cells  []*data.Packed // by index of Spec.Data: what is packed
	dense  [][]float64    // what is not
	sparse []kernel.Rows
	room   [][]float64 // for rows of what is packed
}

// computeApart is compute.
func (m *Model) computeApart(function string, outputs []Datum, bound *data.Bound, known map[string][]float64) error {
	n := len(m.Spec.Data)
	a := &apart{m, make([]*data.Packed, n), make([][]float64, n), make([]kernel.Rows, n), make([][]float64, n)}
	for i := range m.Spec.Data {
		d := &m.Spec.Data[i]
		v := bound.Values[d.Name]
		switch a.dense[i] = known[d.Name]; {
		case d.Derived || d.Rows || d.Filled:
		case a.byRow(d) && v != nil && v.Packed != nil:
			a.cells[i], a.room[i] = v.Packed, make([]float64, m.block*v.Packed.Width())
		default:
			if err := read(bound, d, &a.dense[i], &a.sparse[i]); err != nil {
				return err
			}
		}
	}
	width := 0
	for _, d := range outputs {
		known[d.Name] = make([]float64, product(d.Shape, m.Dims))
		width += len(known[d.Name]) / m.rows
	}
	dims, out := maps.Clone(m.Dims), make([]float64, m.block*width)
	var f Func
	for start := 0; start < m.rows; start += m.block {
		count := min(m.block, m.rows-start)
		if f == nil || count < m.block {
			dims[m.Spec.RowDim] = count
			f = m.code.Func(function, dims, 0)
		}
		frame := a.frame(start, count)
		frame.Out = out[:count*width]
		f.Prepare(frame)
		f.Finish(frame)
		at := 0
		for _, d := range outputs {
			x := known[d.Name]
			w := len(x) / m.rows
			copy(x[start*w:(start+count)*w], out[at:at+count*w])
			at += count * w
		}
	}
	return nil
}

// byRow reports whether rows come first in a datum.
func (a *apart) byRow(d *Datum) bool {
	return len(d.Shape) > 0 && d.Shape[0].Equal(size.Dim(a.m.Spec.RowDim))
}

// frame has some rows of what goes by row, and all of the rest.
func (a *apart) frame(start, count int) *Frame {
	f := &Frame{}
	for i := range a.dense {
		x, s := a.dense[i], a.sparse[i]
		switch p := a.cells[i]; {
		case p != nil:
			w := p.Width()
			x = a.room[i][:count*w]
			for k := range count {
				data.Row(p, x[k*w:(k+1)*w], start+k)
			}
		case !a.byRow(&a.m.Spec.Data[i]):
		case x != nil:
			w := len(x) / a.m.rows
			x = x[start*w : (start+count)*w]
		case s.Lo != nil:
			w := len(s.Lo) / a.m.rows
			s.Lo, s.Hi = s.Lo[start*w:(start+count)*w], s.Hi[start*w:(start+count)*w]
		}
		f.Dense, f.Sparse = append(f.Dense, x), append(f.Sparse, s)
	}
	return f
}
