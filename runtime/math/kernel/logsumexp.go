package kernel

import (
	"math"

	"github.com/sgppl/sgppl/runtime/math/cpu"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// LogSumExp returns log Σ exp(x[i]), shifted by the maximum m: m + log of the
// eight-lane sum of exp(x[i] - m). A term of -∞ weighs nothing, a sum of such
// terms, or of none, is -∞; with a term of +∞ the result is +∞.
func LogSumExp(x []float64) float64 {
	if len(x) == 2 {
		return LogSumExp2(x[0], x[1])
	}
	m := Max(x)
	if math.IsInf(m, 0) {
		return m
	}
	var lane [8]float64
	for len(x) > 0 {
		if level == cpu.AVX512 && len(x) >= 8 {
			x = x[vectorExpLanes(&lane, x, m):]
		}
		x = x[stripOfExp(&lane, x, m):]
	}
	s := ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]))
	return m + special.Log(s)
}

// stripOfExp adds exp(x[i] − m) to lane i mod 8, for the numbers of a strip, and returns how many
// these are: a multiple of eight keeps the lanes of the whole sum.
func stripOfExp(lane *[8]float64, x []float64, m float64) int {
	var buf [64]float64
	e := buf[:min(len(x), len(buf))]
	for i, v := range x[:len(e)] {
		e[i] = v - m
	}
	special.ExpSlice(e, e)
	addLanes(lane, e)
	return len(e)
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

// LogSumExp2 is LogSumExp of two numbers. The larger has the exponential 1.
func LogSumExp2(x, y float64) float64 {
	m := max(x, y)
	if math.IsInf(m, 0) {
		return m
	}
	return m + special.Log(1+special.Exp(min(x, y)-m))
}

// LogSumExpAxis writes LogSumExp along the axis.
func LogSumExpAxis(dst, x []float64, outer, n, inner int) {
	switch {
	case n == 2:
		logSumExpPairs(dst, x, outer, inner)
		return
	case inner == 1 && n > 0 && n <= fewTerms && outer > 1:
		logSumExpLines(dst, x, outer, n)
		return
	case inner == 1:
		for o := range outer {
			dst[o] = LogSumExp(x[o*n : (o+1)*n])
		}
		return
	case n > 0 && n*inner <= fewEntries:
		for o := range outer {
			logSumExpFew(dst[o*inner:][:inner], x[o*n*inner:][:n*inner])
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

// fewTerms is up to how many terms lines are taken together.
const fewTerms = 48

// logSumExpPairs is LogSumExpAxis along an axis of two entries. It takes a strip of results at a
// time, so that exponentials and logarithms are those of slices.
func logSumExpPairs(dst, x []float64, outer, inner int) {
	if outer*inner < 4 { // too few for calls
		for o := range outer {
			for i := range inner {
				dst[o*inner+i] = LogSumExp2(x[2*o*inner+i], x[(2*o+1)*inner+i])
			}
		}
		return
	}
	if inner > 1 {
		for o := range outer {
			a, b := x[2*o*inner:][:inner], x[(2*o+1)*inner:][:inner]
			for lo := 0; lo < inner; lo += len(strip{}) {
				var e strip
				to := dst[o*inner+lo:][:min(inner-lo, len(e))]
				b := b[lo:][:len(to)]
				for i, v := range a[lo:][:len(to)] {
					to[i] = max(v, b[i])
					e[i] = min(v, b[i]) - to[i]
				}
				e.finish(to)
			}
		}
		return
	}
	for len(dst) > 0 && outer > 0 {
		var e strip
		to := dst[:min(outer, len(e))]
		x2 := x[:2*len(to)]
		for i := range to {
			p := (*[2]float64)(x2[2*i:])
			to[i] = max(p[0], p[1])
			e[i] = min(p[0], p[1]) - to[i]
		}
		e.finish(to)
		dst, x, outer = dst[len(to):], x[len(x2):], outer-len(to)
	}
}

// A strip has, for some pairs, their smaller number less the larger one.
type strip [128]float64

// finish adds log(1 + exp(e)) to the larger numbers of the pairs.
func (e *strip) finish(m []float64) {
	s := e[:len(m)]
	special.ExpSlice(s, s)
	for i, v := range s {
		s[i] = 1 + v
	}
	special.LogSlice(s, s)
	for i, v := range s {
		if !math.IsInf(m[i], 0) { // where it is, v is NaN
			m[i] += v
		}
	}
}

// logSumExpLines writes LogSumExp of lines of a few numbers, some lines at a time. The terms of a
// line are added as in the lanes of LogSumExp.
func logSumExpLines(dst, x []float64, outer, n int) {
	var terms [512]float64
	var sums [128]float64
	for outer > 0 {
		w := min(outer, len(terms)/n, len(sums))
		to, s, done := dst[:w], sums[:w], 0
		if level == cpu.AVX512 {
			done = vectorExpLines(s, to, x[:w*n], n)
		}
		if done < w {
			expLines(s[done:], to[done:], x[done*n:w*n], terms[:(w-done)*n])
		}
		special.LogSlice(s, s)
		for o, v := range s {
			if !math.IsInf(to[o], 0) { // where it is, v is NaN
				to[o] += v
			}
		}
		dst, x, outer = dst[w:], x[w*n:], outer-w
	}
}

// expLines writes the maximum m of each of some lines, and Σ exp(x[i] − m), in the lanes of
// LogSumExp. The exponentials of all terms are in e.
func expLines(sums, maxima, x, e []float64) {
	n := len(x) / len(sums)
	for o := range maxima {
		line, at := x[o*n:][:n], e[o*n:][:n]
		m := line[0]
		if n > 8 {
			m = Max(line)
		} else {
			for _, v := range line[1:] {
				m = max(m, v)
			}
		}
		for k, v := range line {
			at[k] = v - m
		}
		maxima[o] = m
	}
	special.ExpSlice(e, e)
	for o := range sums {
		var lane [8]float64
		line := e[o*n:][:n]
		if n <= len(lane) {
			copy(lane[:], line)
		} else {
			addLanes(&lane, line)
		}
		sums[o] = ((lane[0] + lane[4]) + (lane[2] + lane[6])) +
			((lane[1] + lane[5]) + (lane[3] + lane[7]))
	}
}

// fewEntries is up to how many numbers logSumExpFew takes.
const fewEntries = 32

// logSumExpFew writes LogSumExp along the first axis of the array x, whose other axis is dst's,
// with two calls for all exponentials and logarithms.
func logSumExpFew(dst, x []float64) {
	var terms, sums [fewEntries]float64
	e, s := terms[:len(x)], sums[:len(dst)]
	copy(dst, x)
	for at := len(dst); at < len(x); at += len(dst) {
		for i, v := range x[at:][:len(dst)] {
			dst[i] = max(dst[i], v)
		}
	}
	for at := 0; at < len(x); at += len(dst) {
		to := e[at:][:len(dst)]
		for i, v := range x[at:][:len(dst)] {
			to[i] = v - dst[i]
		}
	}
	special.ExpSlice(e, e)
	for at := 0; at < len(x); at += len(dst) {
		for i, v := range e[at:][:len(dst)] {
			s[i] += v
		}
	}
	special.LogSlice(s, s)
	for i, v := range s {
		if !math.IsInf(dst[i], 0) { // where it is, v is NaN
			dst[i] += v
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
