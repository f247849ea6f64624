package kernel

import (
	"slices"
	"sync"

	"github.com/sgppl/sgppl/runtime/cpu"
)

// Rows is a list of sparse rows: row i has the entries Lo[i] <= j < Hi[i],
// each in column Index[j] with value Value[j], or 1 where Value is nil. Rows
// may overlap, repeat and come in any order, so a minibatch is a new pair of
// Lo and Hi over the same entries.
type Rows struct {
	Lo, Hi []int
	Index  []int32
	Value  []float64
}

// Len returns the number of rows.
func (r Rows) Len() int { return len(r.Lo) }

// SparseMulVec writes the product of the rows and w into dst [rows], or adds
// it if acc. A row is summed over its entries in eight lanes.
func SparseMulVec(dst []float64, r Rows, w []float64, acc bool) {
	dst = dst[:len(r.Lo)]
	hi := r.Hi[:len(r.Lo)]
	if gatherVec64(dst, r, w, acc) {
		return
	}
	for i, lo := range r.Lo {
		var s float64
		if r.Value == nil {
			s = gatherSum(r.Index[lo:hi[i]], w)
		} else {
			s = gatherDot(r.Index[lo:hi[i]], r.Value[lo:hi[i]], w)
		}
		if acc {
			s += dst[i]
		}
		dst[i] = s
	}
}

// gatherSum returns Σ w[idx[j]] in eight lanes.
func gatherSum(idx []int32, w []float64) float64 {
	var s0, s1, s2, s3, s4, s5, s6, s7 float64
	for len(idx) >= 8 {
		s0 += w[idx[0]]
		s1 += w[idx[1]]
		s2 += w[idx[2]]
		s3 += w[idx[3]]
		s4 += w[idx[4]]
		s5 += w[idx[5]]
		s6 += w[idx[6]]
		s7 += w[idx[7]]
		idx = idx[8:]
	}
	if len(idx) >= 4 {
		s0 += w[idx[0]]
		s1 += w[idx[1]]
		s2 += w[idx[2]]
		s3 += w[idx[3]]
		if len(idx) > 4 {
			s4 += w[idx[4]]
			if len(idx) > 5 {
				s5 += w[idx[5]]
				if len(idx) > 6 {
					s6 += w[idx[6]]
				}
			}
		}
	} else if len(idx) > 0 {
		s0 += w[idx[0]]
		if len(idx) > 1 {
			s1 += w[idx[1]]
			if len(idx) > 2 {
				s2 += w[idx[2]]
			}
		}
	}
	return ((s0 + s4) + (s2 + s6)) + ((s1 + s5) + (s3 + s7))
}

// gatherDot returns Σ v[j]·w[idx[j]] in eight lanes.
func gatherDot(idx []int32, v, w []float64) float64 {
	var s0, s1, s2, s3, s4, s5, s6, s7 float64
	v = v[:len(idx)]
	for len(idx) >= 8 && len(v) >= 8 {
		s0 += float64(v[0] * w[idx[0]])
		s1 += float64(v[1] * w[idx[1]])
		s2 += float64(v[2] * w[idx[2]])
		s3 += float64(v[3] * w[idx[3]])
		s4 += float64(v[4] * w[idx[4]])
		s5 += float64(v[5] * w[idx[5]])
		s6 += float64(v[6] * w[idx[6]])
		s7 += float64(v[7] * w[idx[7]])
		idx, v = idx[8:], v[8:]
	}
	v = v[:len(idx)]
	if len(idx) >= 4 {
		s0 += float64(v[0] * w[idx[0]])
		s1 += float64(v[1] * w[idx[1]])
		s2 += float64(v[2] * w[idx[2]])
		s3 += float64(v[3] * w[idx[3]])
		if len(idx) > 4 {
			s4 += float64(v[4] * w[idx[4]])
			if len(idx) > 5 {
				s5 += float64(v[5] * w[idx[5]])
				if len(idx) > 6 {
					s6 += float64(v[6] * w[idx[6]])
				}
			}
		}
	} else if len(idx) > 0 {
		s0 += float64(v[0] * w[idx[0]])
		if len(idx) > 1 {
			s1 += float64(v[1] * w[idx[1]])
			if len(idx) > 2 {
				s2 += float64(v[2] * w[idx[2]])
			}
		}
	}
	return ((s0 + s4) + (s2 + s6)) + ((s1 + s5) + (s3 + s7))
}

// SparseMulVecT writes the product of the transpose of the rows and d [rows]
// into g [columns], or adds it if acc: rows in order, entries in order.
func SparseMulVecT(g []float64, r Rows, d []float64, acc bool) {
	if !acc {
		clear(g)
	}
	d, hi := d[:len(r.Lo)], r.Hi[:len(r.Lo)]
	if scatterVec64(g, r, d) {
		return
	}
	for i, lo := range r.Lo {
		a, idx := d[i], r.Index[lo:hi[i]]
		if r.Value == nil {
			for _, c := range idx {
				g[c] += a
			}
			continue
		}
		v := r.Value[lo:hi[i]]
		v = v[:len(idx)]
		for j, c := range idx {
			g[c] += float64(v[j] * a)
		}
	}
}

// SparseMulMat writes the product of the rows and W [columns, h] into
// dst [rows, h], or adds it if acc. Entries of a row are added in order.
func SparseMulMat(dst []float64, r Rows, w []float64, h int, acc bool) {
	for i, lo := range r.Lo {
		d := dst[i*h : (i+1)*h]
		idx := r.Index[lo:r.Hi[i]]
		var v []float64
		if r.Value != nil {
			v = r.Value[lo:r.Hi[i]]
		}
		if level != cpu.Portable && h >= shortVector && len(idx) > 0 {
			within(idx, len(w)/h)
			vectorGatherRows64(d, w, v, idx, h, !acc)
			continue
		}
		if !acc {
			clear(d)
		}
		for len(idx) >= 4 { // four entries a pass over d, still in order
			w0, w1 := w[int(idx[0])*h:][:len(d)], w[int(idx[1])*h:][:len(d)]
			w2, w3 := w[int(idx[2])*h:][:len(d)], w[int(idx[3])*h:][:len(d)]
			idx = idx[4:]
			if v == nil {
				for k, s := range d {
					d[k] = (((s + w0[k]) + w1[k]) + w2[k]) + w3[k]
				}
				continue
			}
			v0, v1, v2, v3 := v[0], v[1], v[2], v[3]
			v = v[4:]
			for k, s := range d {
				s += float64(v0 * w0[k])
				s += float64(v1 * w1[k])
				s += float64(v2 * w2[k])
				s += float64(v3 * w3[k])
				d[k] = s
			}
		}
		for j, c := range idx {
			row := w[int(c)*h:][:len(d)]
			if v == nil {
				addTo64(d, row)
			} else {
				Axpy(v[j], row, d)
			}
		}
	}
}

// SparseMulMatT writes the product of the transpose of the rows and
// D [rows, h] into G [columns, h], or adds it if acc: rows in order, entries
// in order.
func SparseMulMatT(g []float64, r Rows, d []float64, h int, acc bool) {
	if level != cpu.Portable && h >= manyColumns && r.entries() >= len(g)/h {
		mulMatByColumn(g, r, d, h, acc)
		return
	}
	if !acc {
		clear(g)
	}
	for i, lo := range r.Lo {
		row := d[i*h : (i+1)*h]
		if level != cpu.Portable && h >= shortVector && lo < r.Hi[i] {
			idx := r.Index[lo:r.Hi[i]]
			var v []float64
			if r.Value != nil {
				v = r.Value[lo:r.Hi[i]]
			}
			within(idx, len(g)/h)
			vectorScatterRows64(g, row, v, idx, h)
			continue
		}
		for j := lo; j < r.Hi[i]; j++ {
			to := g[int(r.Index[j])*h:][:h]
			if r.Value == nil {
				addTo64(to, row)
			} else {
				Axpy(r.Value[j], row, to)
			}
		}
	}
}

// ScatterAdd adds row i of src to row idx[i] of dst [·, width], in order.
func ScatterAdd(dst, src []float64, idx []int32, width int) {
	if width == 1 {
		src = src[:len(idx)]
		for i, k := range idx {
			dst[k] += src[i]
		}
		return
	}
	for i, k := range idx {
		addTo64(dst[int(k)*width:(int(k)+1)*width], src[i*width:(i+1)*width])
	}
}

// entries returns the number of entries in all rows.
func (r Rows) entries() int {
	n := 0
	for i, lo := range r.Lo {
		n += r.Hi[i] - lo
	}
	return n
}

// columnBuffer holds sparse rows by column. Its content never outlives a call.
type columnBuffer struct {
	end   []int // where the entries of a column end, and while sorting, begin
	row   []int32
	value []float64
}

var columnBuffers = sync.Pool{New: func() any { return new(columnBuffer) }}

// mulMatByColumn is SparseMulMatT with the entries sorted by column, in each
// column by row: a row of G is then written once, and what is added to an
// element comes in the same order.
func mulMatByColumn(g []float64, r Rows, d []float64, h int, acc bool) {
	columns, n := len(g)/h, r.entries()
	d = d[:len(r.Lo)*h]
	buf := columnBuffers.Get().(*columnBuffer)
	defer columnBuffers.Put(buf)
	end := slices.Grow(buf.end[:0], columns+1)[:columns+1]
	rows := slices.Grow(buf.row[:0], n)[:n]
	values := slices.Grow(buf.value[:0], n)[:n]
	buf.end, buf.row, buf.value = end, rows, values
	clear(end)
	for i, lo := range r.Lo {
		for _, c := range r.Index[lo:r.Hi[i]] {
			end[c+1]++
		}
	}
	for c := range columns {
		end[c+1] += end[c]
	}
	for i, lo := range r.Lo {
		idx := r.Index[lo:r.Hi[i]]
		if r.Value == nil {
			for _, c := range idx {
				rows[end[c]] = int32(i)
				end[c]++
			}
			continue
		}
		v := r.Value[lo:r.Hi[i]]
		for j, c := range idx {
			at := end[c]
			rows[at], values[at] = int32(i), v[j]
			end[c]++
		}
	}
	lo := 0
	for c := range columns {
		to := g[c*h : (c+1)*h]
		switch hi := end[c]; {
		case lo == hi && !acc:
			clear(to)
		case lo == hi:
		case r.Value == nil:
			vectorGatherRows64(to, d, nil, rows[lo:hi], h, !acc)
		default:
			vectorGatherRows64(to, d, values[lo:hi], rows[lo:hi], h, !acc)
		}
		lo = end[c]
	}
}
