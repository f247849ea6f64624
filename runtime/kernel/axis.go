package kernel

import (
	"math"

	"github.com/sgppl/sgppl/runtime/special"
)

// The axis kernels see x as row-major [outer, n, inner] and reduce the middle
// axis into dst [outer, inner]. With inner = 1 the reduction is over
// contiguous elements and has eight lanes, else it runs in the order of the
// axis (see the package comment).

// SumAxis writes sums; of no terms, 0.
func SumAxis(dst, x []float64, outer, n, inner int) {
	for o := range outer {
		row := x[o*n*inner : (o+1)*n*inner]
		if inner == 1 {
			dst[o] = Sum(row)
			continue
		}
		d := dst[o*inner : (o+1)*inner]
		clear(d)
		for ; len(row) > 0; row = row[inner:] {
			for i, v := range row[:inner] {
				d[i] += v
			}
		}
	}
}

// ProdAxis writes products; of no factors, 1.
func ProdAxis(dst, x []float64, outer, n, inner int) {
	for o := range outer {
		row := x[o*n*inner : (o+1)*n*inner]
		if inner == 1 {
			dst[o] = Prod(row)
			continue
		}
		d := dst[o*inner : (o+1)*inner]
		fill(d, 1)
		for ; len(row) > 0; row = row[inner:] {
			for i, v := range row[:inner] {
				d[i] *= v
			}
		}
	}
}

// MaxAxis writes maxima; of nothing, -∞. A NaN wins.
func MaxAxis(dst, x []float64, outer, n, inner int) {
	for o := range outer {
		row := x[o*n*inner : (o+1)*n*inner]
		if inner == 1 {
			dst[o] = Max(row)
			continue
		}
		d := dst[o*inner : (o+1)*inner]
		fill(d, math.Inf(-1))
		for ; len(row) > 0; row = row[inner:] {
			for i, v := range row[:inner] {
				d[i] = max(d[i], v)
			}
		}
	}
}

// MinAxis writes minima; of nothing, +∞. A NaN wins.
func MinAxis(dst, x []float64, outer, n, inner int) {
	for o := range outer {
		row := x[o*n*inner : (o+1)*n*inner]
		if inner == 1 {
			dst[o] = Min(row)
			continue
		}
		d := dst[o*inner : (o+1)*inner]
		fill(d, math.Inf(1))
		for ; len(row) > 0; row = row[inner:] {
			for i, v := range row[:inner] {
				d[i] = min(d[i], v)
			}
		}
	}
}

// LogSumExp returns log Σ exp(x[i]), shifted by the maximum m: m + log of the
// eight-lane sum of exp(x[i] - m). A term of -∞ weighs nothing, a sum of such
// terms, or of none, is -∞; with a term of +∞ the result is +∞.
func LogSumExp(x []float64) float64 {
	m := Max(x)
	if math.IsInf(m, 0) {
		return m
	}
	// Strips of a multiple of eight keep the lanes of the whole sum.
	var lane [8]float64
	var buf [64]float64
	for len(x) > 0 {
		w := min(len(x), len(buf))
		e := buf[:w]
		for i, v := range x[:w] {
			e[i] = v - m
		}
		special.ExpSlice(e, e)
		addLanes(&lane, e)
		x = x[w:]
	}
	s := ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]))
	return m + special.Log(s)
}

// addLanes adds element j of e to lane j mod 8.
func addLanes(lane *[8]float64, e []float64) {
	s0, s1, s2, s3, s4, s5, s6, s7 := lane[0], lane[1], lane[2], lane[3], lane[4], lane[5], lane[6], lane[7]
	for ; len(e) >= 8; e = e[8:] {
		s0 += e[0]
		s1 += e[1]
		s2 += e[2]
		s3 += e[3]
		s4 += e[4]
		s5 += e[5]
		s6 += e[6]
		s7 += e[7]
	}
	*lane = [8]float64{s0, s1, s2, s3, s4, s5, s6, s7}
	for j, v := range e {
		lane[j] += v
	}
}

// LogSumExpAxis writes LogSumExp along the axis.
func LogSumExpAxis(dst, x []float64, outer, n, inner int) {
	if inner == 1 {
		for o := range outer {
			dst[o] = LogSumExp(x[o*n : (o+1)*n])
		}
		return
	}
	MaxAxis(dst, x, outer, n, inner)
	var sum, e [64]float64
	for o := range outer {
		for lo := 0; lo < inner; lo += len(sum) {
			w := min(inner-lo, len(sum))
			m := dst[o*inner+lo:][:w]
			s, b := sum[:w], e[:w]
			clear(s)
			for k := range n {
				for i, v := range x[(o*n+k)*inner+lo:][:w] {
					b[i] = v - m[i]
				}
				special.ExpSlice(b, b)
				for i, v := range b {
					s[i] += v
				}
			}
			for i, v := range s {
				if !math.IsInf(m[i], 0) { // where it is, s is NaN
					m[i] += special.Log(v)
				}
			}
		}
	}
}

// CumSumAxis writes running sums along the axis into dst, of the shape of x:
// from the first element on, or with reverse from the last. dst may be x.
func CumSumAxis(dst, x []float64, outer, n, inner int, reverse bool) {
	for o := range outer {
		d := dst[o*n*inner : (o+1)*n*inner]
		s := x[o*n*inner : (o+1)*n*inner]
		if n == 0 {
			continue
		}
		if reverse {
			copy(d[(n-1)*inner:], s[(n-1)*inner:])
			for i := (n-1)*inner - 1; i >= 0; i-- {
				d[i] = d[i+inner] + s[i]
			}
			continue
		}
		copy(d[:inner], s[:inner])
		for i := inner; i < len(d); i++ {
			d[i] = d[i-inner] + s[i]
		}
	}
}

func fill(d []float64, v float64) {
	for i := range d {
		d[i] = v
	}
}
