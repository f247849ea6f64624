package kernel

import (
	"math"

	"github.com/sgppl/sgppl/runtime/math/special"
)

// The forward recursion of a chain of k hidden states, in logarithms:
//
//	h[0][j] = init[j],   h[t+1][i] = log Σ_j exp(h[t][j] + step[j][i]) + seen[t][i]
//
// Written so, every step takes k log-sum-exps, which the next one waits for. A step here multiplies
// and adds: h[t] is log p + c with numbers p between 2^-500 and 2^64 or 0. The exponentials of all
// seen[t], less their largest, are taken at once, and so are the logarithms of all p. Where p gets
// small or large it is multiplied by a power of two, which changes no digit. What no such p has, as
// states that are too far apart, or numbers that are not finite, is computed by log-sum-exps, as
// written, until there is one again. So nothing underflows that does not in logarithms.

// What p and its factors may be, besides 0. A product of the least of all three is a normal number.
const (
	leastForward = 0x1p-500
	leastStep    = -69  // log 2^-100, less than which no entry of step is below the largest
	leastSeen    = -277 // log 2^-400, of an entry of seen likewise
	leastSpread  = -346 // log 2^-500, of an entry of h
	lowForward   = 0x1p-64
)

// mostForward is the largest number of states of which steps multiply. Few have a small array.
const mostForward, fewForward = 32, 4

// forwardNumbers is how many numbers of steps are taken at once.
const forwardNumbers = 256

// A forward is a recursion in one array.
type forward struct {
	k     int
	steps []float64 // exp(step − shift); no room for more states than have it
	shift float64
	p     [mostForward]float64
	base  float64 // h = log p + base + scale·log 2
	scale int
	fast  bool // p is what h says
}

// LogForward writes h [batch, n+1, k] of the forward recursion, from init [batch, k], step [batch,
// k, k] and seen [batch, n, k].
func LogForward(dst, init, step, seen []float64, batch, n, k int) {
	f := forward{k: k}
	switch {
	case k <= fewForward:
		var steps [fewForward * fewForward]float64
		f.steps = steps[:k*k]
		f.runs(dst, init, step, seen, batch, n)
	case k <= mostForward:
		var steps [mostForward * mostForward]float64
		f.steps = steps[:k*k]
		f.runs(dst, init, step, seen, batch, n)
	default:
		f.runs(dst, init, step, seen, batch, n)
	}
}

// runs are the recursions of a batch.
func (f *forward) runs(dst, init, step, seen []float64, batch, n int) {
	k := f.k
	for b := range batch {
		f.run(dst[b*(n+1)*k:][:(n+1)*k], init[b*k:][:k], step[b*k*k:][:k*k], seen[b*n*k:][:n*k], n)
	}
}

// forwardLogs is a step by log-sum-exps.
func forwardLogs(to, from, step, seen []float64) {
	k := len(to)
	for i := range to {
		to[i] = logSumOf(from, step[i:], k) + seen[i]
	}
}

// logSumOf is log Σ exp(h[j] + step[j·k]).
func logSumOf(h, step []float64, k int) float64 {
	m := math.Inf(-1)
	for j, v := range h {
		m = max(m, v+step[j*k])
	}
	if math.IsInf(m, 0) {
		return m
	}
	s := 0.0
	for j, v := range h {
		s += special.Exp(v + step[j*k] - m)
	}
	return m + special.Log(s)
}

// stepsOf writes exp(step − shift) with the largest entry as shift, and reports whether all entries
// are 0 or far from it.
func stepsOf(e, step []float64) (shift float64, ok bool) {
	shift = math.Inf(-1)
	for _, v := range step {
		shift = max(shift, v)
	}
	ok = !math.IsInf(shift, 0) && !math.IsNaN(shift)
	for i, v := range step {
		d := v - shift
		ok = ok && (d >= leastStep || math.IsInf(v, -1))
		e[i] = d
	}
	if ok {
		special.ExpSlice(e, e)
	}
	return shift, ok
}

// run is a recursion of n steps.
func (f *forward) run(h, init, step, seen []float64, n int) {
	k := f.k
	copy(h[:k], init)
	ok := k <= mostForward
	if ok {
		f.shift, ok = stepsOf(f.steps, step)
		f.fast = ok && f.start(init)
	}
	if !ok {
		for t := range n {
			forwardLogs(h[(t+1)*k:][:k], h[t*k:][:k], step, seen[t*k:][:k])
		}
		return
	}
	var peaks, logs [forwardNumbers]float64
	for lo, w := 0, 0; lo < n; lo += w {
		w = min(n-lo, forwardNumbers/k)
		q, s := h[(lo+1)*k:][:w*k], seen[lo*k:][:w*k]
		f.emissions(q, s, peaks[:w])
		done := 0 // steps of which h has logarithms
		for i := 0; i < w; {
			if f.fast {
				i = f.multiply(q, peaks[:w], logs[:w], i)
			}
			if i == w {
				break
			}
			finishForward(q[done*k:i*k], logs[done:i], k)
			forwardLogs(q[i*k:][:k], h[(lo+i)*k:][:k], step, s[i*k:][:k])
			f.fast = f.start(q[i*k:][:k])
			i++
			done = i
		}
		finishForward(q[done*k:], logs[done:w], k)
	}
}

// start makes p of h, and reports whether there is one.
func (f *forward) start(h []float64) bool {
	m := math.Inf(-1)
	for _, v := range h {
		m = max(m, v)
	}
	if math.IsInf(m, 0) || math.IsNaN(m) {
		return false
	}
	for j, v := range h {
		if v-m < leastSpread && !math.IsInf(v, -1) {
			return false
		}
		f.p[j] = special.Exp(v - m)
	}
	f.base, f.scale = m, 0
	return true
}

// emissions writes exp(seen − m) for every step, and with shift the largest m of its numbers to
// peaks; NaN where the numbers are too far apart, or not finite.
func (f *forward) emissions(e, seen, peaks []float64) {
	k := f.k
	if k == 2 {
		for i := range peaks {
			s, to := (*[2]float64)(seen[2*i:]), (*[2]float64)(e[2*i:])
			m := max(s[0], s[1])
			d0, d1 := s[0]-m, s[1]-m
			to[0], to[1] = d0, d1
			peaks[i] = m + f.shift
			// An entry of -Inf is apart where the other is finite.
			if !(d0+d1 >= leastSeen) {
				peaks[i] = peakOf(s[:], m, f.shift)
			}
		}
	} else {
		for i := range peaks {
			s, to := seen[i*k:][:k], e[i*k:][:k]
			m := math.Inf(-1)
			for _, v := range s {
				m = max(m, v)
			}
			for j, v := range s {
				to[j] = v - m
			}
			peaks[i] = peakOf(s, m, f.shift)
		}
	}
	special.ExpSlice(e, e)
}

// peakOf is the largest number of a step with shift, or NaN.
func peakOf(seen []float64, m, shift float64) float64 {
	if math.IsInf(m, 0) {
		return math.NaN()
	}
	for _, v := range seen {
		if !(v-m >= leastSeen || math.IsInf(v, -1)) {
			return math.NaN()
		}
	}
	return m + shift
}

// multiply takes steps from i on, of which q has the emissions, and writes p of each to q with what
// its logarithm lacks to logs. It returns the first step that it cannot take.
func (f *forward) multiply(q, peaks, logs []float64, i int) int {
	if f.k == 2 {
		return f.multiplyTwo(q, peaks, logs, i)
	}
	k := f.k
	var next [mostForward]float64
	for ; i < len(peaks); i++ {
		if math.IsNaN(peaks[i]) {
			break
		}
		e, p, to := q[i*k:][:k], f.p[:k], next[:k]
		clear(to)
		for j, v := range p {
			for c, a := range f.steps[j*k:][:k] {
				to[c] += float64(v * a)
			}
		}
		most := 0.0
		for c := range to {
			to[c] *= e[c]
			most = max(most, to[c])
		}
		by, power := rescale(most)
		ok := true
		for c := range to {
			to[c] *= by
			ok = ok && !(to[c] < leastForward && to[c] != 0)
		}
		if !ok {
			break
		}
		f.base += peaks[i]
		f.scale -= power
		copy(p, to)
		copy(e, to)
		logs[i] = f.base + float64(float64(f.scale)*math.Ln2)
	}
	f.fast = i == len(peaks)
	return i
}

// multiplyTwo is multiply for two states.
func (f *forward) multiplyTwo(q, peaks, logs []float64, i int) int {
	a00, a01, a10, a11 := f.steps[0], f.steps[1], f.steps[2], f.steps[3]
	p0, p1, base, scale := f.p[0], f.p[1], f.base, float64(f.scale)
	logs = logs[:len(peaks)]
	for ; i < len(peaks); i++ {
		peak := peaks[i]
		if peak != peak {
			break
		}
		e := (*[2]float64)(q[2*i:])
		s0 := (float64(p0*a00) + float64(p1*a10)) * e[0]
		s1 := (float64(p0*a01) + float64(p1*a11)) * e[1]
		if s0 < lowForward || s1 < lowForward || s0 > 1/lowForward || s1 > 1/lowForward {
			by, power := rescale(max(s0, s1))
			s0, s1 = s0*by, s1*by
			if s0 < leastForward && s0 != 0 || s1 < leastForward && s1 != 0 {
				break
			}
			scale -= float64(power)
		}
		p0, p1 = s0, s1
		e[0], e[1] = s0, s1
		base += peak
		logs[i] = base + float64(scale*math.Ln2)
	}
	f.p[0], f.p[1], f.base, f.scale = p0, p1, base, int(scale)
	f.fast = i == len(peaks)
	return i
}

// rescale is the power of two, and its exponent, by which numbers are multiplied of which the
// largest is most: 1 where that is neither small nor large, 0 or not a number.
func rescale(most float64) (by float64, power int) {
	if !(most < lowForward || most > 1/lowForward) || most == 0 || math.IsInf(most, 0) {
		return 1, 0
	}
	power = 1023 - int(math.Float64bits(most)>>52)
	return math.Float64frombits(uint64(1023+power) << 52), power
}

// finishForward makes p of some steps h.
func finishForward(q, logs []float64, k int) {
	if len(logs) == 0 {
		return
	}
	special.LogSlice(q, q)
	if k == 2 {
		q = q[:2*len(logs)]
		for i, c := range logs {
			to := (*[2]float64)(q[2*i:])
			to[0], to[1] = to[0]+c, to[1]+c
		}
		return
	}
	for i, c := range logs {
		for j := range q[i*k:][:k] {
			q[i*k+j] += c
		}
	}
}
