package model

import (
	"fmt"

	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/math/kernel"
)

// mostWhole is up to where single precision holds every whole number.
const mostWhole = 1 << 24

// single is the data in single precision. What is read in double besides, by
// statistics and as scalars, stays where it was bound; columns of several
// numbers a row do not.
type single struct {
	full   [][]float32     // by index of Spec.Data, row axis first
	sparse []kernel.Rows32 // likewise
	level  []*[256]float32 // of data that stay bytes in memory
}

// narrow rounds the data to single precision. Whole numbers must survive it:
// indices and counts are exact or refused.
func (m *Model) narrow() error {
	for name, n := range m.Dims {
		if n > mostWhole && name != m.Spec.RowDim {
			return fmt.Errorf("dim %s is %d long, and single precision counts to %d; precision f64 goes further", name, n, mostWhole)
		}
	}
	m.single = single{full: make([][]float32, len(m.full)), sparse: make([]kernel.Rows32, len(m.full)), level: make([]*[256]float32, len(m.full))}
	for i := range m.Spec.Data {
		d := &m.Spec.Data[i]
		if in := m.Spec.Schema.Input(d.Name); in != nil && !d.Derived {
			switch in.Kind {
			case data.Index, data.Count, data.Int:
				list := m.full[i]
				if p := m.ragged[i]; p != nil {
					list = p.Entries()
				}
				for k, x := range list {
					if x != float64(float32(x)) && x == x {
						return fmt.Errorf("entry %d of %s is %v, and single precision counts to %d; precision f64 goes further", k, d.Name, x, mostWhole)
					}
				}
			}
		}
		m.single.full[i] = narrowed(m.full[i])
		if d.Rows && len(m.full[i]) > m.rows && len(m.Spec.Statistics) == 0 {
			m.full[i] = nil
		}
		r := &m.sparse[i]
		m.single.sparse[i] = kernel.Rows32{Lo: r.Lo, Hi: r.Hi, Index: r.Index, Value: narrowed(r.Value)}
		if b := m.bytes[i]; b != nil {
			m.single.level[i] = new([256]float32)
			kernel.Narrow(m.single.level[i][:], b.Level[:])
		}
	}
	return nil
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

// singleRoom is an evaluator's room for rows in single precision.
type singleRoom struct {
	gathered [][]float32 // of a minibatch, by datum
	widened  [][]float32 // of a block of a full pass, of data that are bytes
	carried  *carried    // of GradientSingle, since its first call
}

// singleBlock points the frame at rows of a dense datum.
func (e *Evaluator) singleBlock(i int, rows []int, start, count int) {
	w, src, b, p := e.width[i], e.m.single.full[i], e.m.bytes[i], e.m.ragged[i]
	switch {
	case rows == nil && b == nil && p == nil:
		e.frame.Dense32[i] = src[start*w : (start+count)*w]
	case rows == nil:
		if len(e.single.widened[i]) < count*w { // at the first full pass; minibatches have less room
			e.single.widened[i] = make([]float32, e.wholeBlock()*w)
		}
		dst := e.single.widened[i][:count*w]
		if b != nil {
			levels(dst, b.Code[start*w:(start+count)*w], e.m.single.level[i])
		} else {
			for k := range count {
				array.Row(p, dst[k*w:(k+1)*w], start+k)
			}
		}
		e.frame.Dense32[i] = dst
	default:
		n := e.taken[i]
		dst := e.single.gathered[i][:count*n]
		if p != nil {
			for k, r := range rows[start : start+count] {
				array.Row(p, dst[k*n:(k+1)*n], r)
			}
		} else if b == nil {
			gather(dst, src, rows[start:start+count], w, n)
		} else {
			for k, r := range rows[start : start+count] {
				levels(dst[k*n:(k+1)*n], b.Code[r*w:r*w+n], e.m.single.level[i])
			}
		}
		e.frame.Dense32[i] = dst
	}
}

// levels writes the numbers that bytes stand for.
func levels(dst []float32, code []uint8, level *[256]float32) {
	dst = dst[:len(code)]
	for i, c := range code {
		dst[i] = level[c]
	}
}
