package kernel

import (
	"math"

	"github.com/sgppl/sgppl/runtime/math/special"
)

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
	s0, s1, s2, s3, s4, s5, s6, s7 := lane[0], lane[1], lane[2], lane[3], lane[4], lane[5], lane[6],
		lane[7]
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

// LogSumExp32 returns log Σ exp(x[i]), computed in double precision as that of
// LogSumExp and rounded.
func LogSumExp32(x []float32) float32 {
	var d [1]float32
	LogSumExpAxis32(d[:], x, 1, len(x), 1)
	return d[0]
}

// LogSumExpAxis32 writes log Σ exp along the axis, computed in double precision
// as that of LogSumExpAxis and rounded.
func LogSumExpAxis32(dst, x []float32, outer, n, inner int) {
	var line [64]float64
	for o := range outer {
		for i := range inner {
			from := x[o*n*inner:][:n*inner]
			m := math.Inf(-1)
			for k := i; k < len(from); k += inner {
				m = max(m, float64(from[k]))
			}
			if math.IsInf(m, 0) {
				dst[o*inner+i] = float32(m)
				continue
			}
			var lane [8]float64
			sum := 0.0
			for k := 0; k < n; k += len(line) {
				e := line[:min(len(line), n-k)]
				for j := range e {
					e[j] = float64(from[(k+j)*inner+i]) - m
				}
				special.ExpSlice(e, e)
				if inner == 1 {
					addLanes(&lane, e)
					continue
				}
				for _, v := range e {
					sum += v
				}
			}
			if inner == 1 {
				sum = ((lane[0] + lane[4]) + (lane[2] + lane[6])) +
					((lane[1] + lane[5]) + (lane[3] + lane[7]))
			}
			dst[o*inner+i] = float32(m + special.Log(sum))
		}
	}
}
