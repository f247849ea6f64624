package model

import (
	"fmt"

	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/math/kernel"
)

// mostWhole is up to where single precision holds every whole number.
const mostWhole = 1 << 24

// single is the data in single precision. Data that are also read in double precision, by
// statistics or as scalars, keep their double arrays; other columns of several numbers a row do
// not.
type single struct {
	full   [][]float32     // by index of Spec.Data, row axis first
	sparse []kernel.Rows32 // likewise
}

// exact reports numbers that single precision does not hold: indices, counts and sizes
// are exact or refused.
func (m *Model) exact(all []stored) error {
	for name, n := range m.Dims {
		if n > mostWhole && name != m.Spec.RowDim {
			return fmt.Errorf("dim %s is %d long, and single precision counts to %d; precision "+
				"f64 goes further", name, n, mostWhole)
		}
	}
	for i := range m.Spec.Data {
		d := &m.Spec.Data[i]
		in := m.Spec.Schema.Input(d.Name)
		if in == nil || d.Derived ||
			in.Kind != data.Index && in.Kind != data.Count && in.Kind != data.Int {
			continue
		}
		list := all[i].dense
		if p := all[i].cells; p != nil {
			list = p.Entries()
		}
		for k, x := range list {
			if x != float64(float32(x)) && x == x {
				return fmt.Errorf("entry %d of %s is %v, and single precision counts to %d; "+
					"precision f64 goes further", k, d.Name, x, mostWhole)
			}
		}
	}
	return nil
}

// narrow rounds a datum to single precision.
func (m *Model) narrow(i int) {
	m.single.full = append(m.single.full, narrowed(m.full[i]))
	if d := &m.Spec.Data[i]; d.Rows && len(m.full[i]) > m.rows && len(m.Spec.Statistics) == 0 {
		m.full[i] = nil
	}
	r := &m.sparse[i]
	m.single.sparse = append(m.single.sparse,
		kernel.Rows32{Lo: r.Lo, Hi: r.Hi, Index: r.Index, Value: narrowed(r.Value)})
}

// narrowed is a rounded copy; nil of nil.
func narrowed(x []float64) []float32 {
	if x == nil {
		return nil
	}
	out := make([]float32, len(x))
	kernel.Narrow(out, x)
	return out
}
