package kernel

// Rows is a list of sparse rows: row i has the entries Lo[i] <= j < Hi[i],
// each in column Index[j] with value Value[j], or 1 where Value is nil. Rows
// may overlap, repeat and come in any order, so a minibatch is a new pair of
// Lo and Hi over the same entries.
type Rows struct {
	Lo, Hi []int
	Index  []int32
	Value  []float64
	// Narrow are the same columns as Index in a byte each, or nil: where they are
	// there, and values are not, products with vectors read them instead.
	Narrow []uint8
	// Picked, where it is not nil, are the rows as a choice among records. Lo and Hi are nil then, and
	// Bounds finds them.
	Picked *Picked
	// Packed are the same rows as symbols, or nil: where they are there, products
	// with vectors use them.
	Packed *PackedPass
}

// Len returns the number of rows.
func (r Rows) Len() int {
	if r.Picked != nil {
		return len(r.Picked.list)
	}
	return len(r.Lo)
}

// Bounds returns Lo and Hi, also of rows picked among records. Callers do not change them.
func (r Rows) Bounds() (lo, hi []int) {
	if r.Picked != nil {
		return r.Picked.bounds()
	}
	return r.Lo, r.Hi
}

// found has its bounds in Lo and Hi.
func (r Rows) found() Rows {
	r.Lo, r.Hi = r.Bounds()
	r.Picked = nil
	return r
}

// SparseMulVec writes the product of the rows and w into dst [rows], or adds
// it if acc. A row is summed over its entries in eight lanes.
func SparseMulVec(dst []float64, r Rows, w []float64, acc bool) {
	r = r.found()
	dst = dst[:len(r.Lo)]
	hi := r.Hi[:len(r.Lo)]
	if r.Packed != nil {
		packedMulVec(dst, r.Packed, w, acc)
		return
	}
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
	r = r.found()
	if !acc {
		clear(g)
	}
	d, hi := d[:len(r.Lo)], r.Hi[:len(r.Lo)]
	if r.Packed != nil {
		packedMulVecT(g, r.Packed, d)
		return
	}
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
