package model

import (
	"maps"

	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/math/kernel"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// An apart runs a function block by block over the rows. Rows of different lengths are then padded
// only to the longest row of their block. It requires Spec.Apart.
type apart struct {
	m      *Model
	cells  []*array.Packed // by index of Spec.Data: packed data
	dense  [][]float64     // other dense data
	sparse []kernel.Rows
	room   [][]float64 // buffers for the padded rows of packed data
}

// computeApart is compute, block by block.
func (m *Model) computeApart(
	function fn.Kind, outputs []Datum, bound *data.Bound, known map[string][]float64,
) error {
	n := len(m.Spec.Data)
	a := &apart{m, make([]*array.Packed, n), make([][]float64, n), make([]kernel.Rows, n),
		make([][]float64, n)}
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
	columns := make([]derived, len(outputs))
	for i := range outputs {
		columns[i] = m.newDerived(&outputs[i], bound)
		width += columns[i].width
	}
	dims, out := maps.Clone(m.Dims), make([]float64, m.block*width)
	var f Func
	for start := 0; start < m.rows; start += m.block {
		count := min(m.block, m.rows-start)
		if f == nil || count < m.block {
			dims[m.Spec.RowDim] = count
			f = m.code.Func(string(function), dims, 0)
		}
		frame := a.frame(start, count)
		frame.Out = out[:count*width]
		f.Prepare(frame)
		f.Finish(frame)
		at := 0
		for i := range columns {
			n := count * columns[i].width
			columns[i].put(start, out[at:at+n])
			at += n
		}
	}
	for i, d := range outputs {
		if known[d.Name] = columns[i].dense; columns[i].cells != nil {
			m.cells[d.Name] = columns[i].cells
		}
	}
	return nil
}

// A derived stores one output of the function. It is packed if rows have different lengths and the
// padding of each row repeats one cell. This holds unless the function reads the position of a
// cell.
type derived struct {
	rows, width int
	cells       *array.Packed
	dense       []float64
}

func (m *Model) newDerived(d *Datum, bound *data.Bound) derived {
	c := derived{rows: m.rows, width: product(d.Shape[1:], m.Dims)}
	if len(d.Shape) > 1 {
		if name, one := d.Shape[1].Name(); one {
			if r := m.Spec.Schema.Dim(name); r != nil && r.Of == m.Spec.RowDim {
				var lengths []int
				for _, n := range bound.Values[data.LengthsOf(name)].Floats() {
					lengths = append(lengths, int(n))
				}
				c.cells = array.NewPacked(lengths, m.Dims[name], product(d.Shape[2:], m.Dims))
				return c
			}
		}
	}
	c.dense = make([]float64, c.rows*c.width)
	return c
}

// put stores rows from start on.
func (c *derived) put(start int, x []float64) {
	w := c.width
	for k := 0; c.cells != nil && k*w < len(x); k++ {
		if !c.cells.SetRow(start+k, x[k*w:(k+1)*w]) {
			c.dense = make([]float64, c.rows*w)
			for i := range start {
				array.Row(c.cells, c.dense[i*w:(i+1)*w], i)
			}
			c.cells = nil
		}
	}
	if c.dense != nil {
		copy(c.dense[start*w:], x)
	}
}

// byRow reports whether the row axis is the first axis of a datum.
func (a *apart) byRow(d *Datum) bool {
	return len(d.Shape) > 0 && d.Shape[0].Equal(size.Dim(a.m.Spec.RowDim))
}

// frame returns the inputs of a call: count rows from start on of data with a row axis, and the
// whole of other data.
func (a *apart) frame(start, count int) *Frame {
	f := &Frame{}
	for i := range a.dense {
		x, s := a.dense[i], a.sparse[i]
		switch p := a.cells[i]; {
		case p != nil:
			w := p.Width()
			x = a.room[i][:count*w]
			for k := range count {
				array.Row(p, x[k*w:(k+1)*w], start+k)
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
