package kernel

import (
	"math"

	"github.com/sgppl/sgppl/runtime/math/special"
)

// LogForwardAdjoint writes the flows of cotangents in a forward recursion h (see LogForward). With
// the share w[t][j][i] of state j in log Σ_j exp(h[t][j] + step[j][i]), they are
//
//	dst[t][j][i] = w[t][j][i]·λ[t+1][i],   λ[n] = cot[n],   λ[t][j] = cot[t][j] + Σ_i dst[t][j][i]
//
// and dst[n] is 0. So the cotangent of step is their sum over t, that of seen[t][i] their sum over
// j, and that of init is λ[0]. The arrays are dst [batch, n+1, k, k], h [batch, n+1, k], step
// [batch, k, k] and cot [batch, n+1, k].
func LogForwardAdjoint(dst, h, step, cot []float64, batch, n, k int) {
	f := backward{k: k}
	switch {
	case k <= fewForward:
		var steps [fewForward * fewForward]float64
		f.steps = steps[:k*k]
		f.runs(dst, h, step, cot, batch, n)
	case k <= mostForward:
		var steps [mostForward * mostForward]float64
		f.steps = steps[:k*k]
		f.runs(dst, h, step, cot, batch, n)
	default:
		f.runs(dst, h, step, cot, batch, n)
	}
}

// A backward is the way back through one recursion.
type backward struct {
	k     int
	steps []float64 // exp(step − shift); no room for more states than have it
	ok    bool      // steps are used; otherwise shares are of logarithms
}

func (f *backward) runs(dst, h, step, cot []float64, batch, n int) {
	k := f.k
	for b := range batch {
		s := step[b*k*k:][:k*k]
		if f.steps != nil {
			_, f.ok = stepsOf(f.steps, s)
		}
		f.run(dst[b*(n+1)*k*k:][:(n+1)*k*k], h[b*(n+1)*k:][:(n+1)*k], s,
			cot[b*(n+1)*k:][:(n+1)*k], n)
	}
}

// run goes back through n steps. The cotangents λ[t+1] stand where the flow of step t+1 ends: λ[t]
// is found from dst[t], so that none is kept.
func (f *backward) run(dst, h, step, cot []float64, n int) {
	k := f.k
	clear(dst[n*k*k:])
	var e [forwardNumbers]float64
	var fast [forwardNumbers]bool
	for hi, w := n, 0; hi > 0; hi -= w {
		w = 1
		if f.ok {
			w = min(hi, forwardNumbers/k)
			weightsOf(e[:w*k], h[(hi-w)*k:hi*k], fast[:w], k)
		}
		for i := w - 1; i >= 0; i-- {
			t := hi - w + i
			flow, after, c := dst[t*k*k:][:k*k], dst[(t+1)*k*k:][:k*k], cot[(t+1)*k:][:k]
			switch {
			case !f.ok || !fast[i]:
				flowOfLogs(flow, after, c, h[t*k:][:k], step)
			case k == 2:
				i = f.flowTwo(dst[(hi-w)*4:], cot[(hi-w)*2:], e[:], fast[:], i)
			default:
				f.flow(flow, after, c, e[i*k:][:k])
			}
		}
	}
}

// weightsOf writes exp(h − m) of every step, with its largest number m, and whether these can be
// multiplied.
func weightsOf(e, h []float64, fast []bool, k int) {
	few := fast
	if k == 2 {
		few = nil
		for i := range fast {
			at, to := (*[2]float64)(h[2*i:]), (*[2]float64)(e[2*i:])
			m := max(at[0], at[1])
			d0, d1 := at[0]-m, at[1]-m
			to[0], to[1] = d0, d1
			// One of both is 0, or neither is a number.
			fast[i] = d0+d1 >= leastSpread || math.IsInf(d0+d1, -1)
		}
	}
	for i := range few {
		at, to := h[i*k:][:k], e[i*k:][:k]
		m := at[0]
		for _, v := range at[1:] {
			m = max(m, v)
		}
		ok := !math.IsInf(m, 0)
		for j, v := range at {
			d := v - m
			to[j] = d
			ok = ok && (d >= leastSpread || math.IsInf(v, -1))
		}
		fast[i] = ok
	}
	special.ExpSlice(e, e)
}

// flow is a step of which the exponentials of h are known.
func (f *backward) flow(flow, after, cot, e []float64) {
	k := f.k
	var sums [mostForward]float64
	s := sums[:k]
	for j, v := range e {
		to := flow[j*k:][:k]
		for i, a := range f.steps[j*k:][:k] {
			x := float64(v * a)
			to[i] = x
			s[i] += x
		}
	}
	for i, v := range s {
		l := cot[i] + sumOf(after[i*k:][:k])
		if v == 0 { // no state leads here
			l, v = 0, 1
		}
		s[i] = l / v
	}
	for j := range e {
		to := flow[j*k:][:k]
		for i, l := range s {
			to[i] *= l
		}
	}
}

// flowTwo takes steps of two states from i down, as long as they are fast, and returns the last
// one.
func (f *backward) flowTwo(dst, cot, e []float64, fast []bool, i int) int {
	a00, a01, a10, a11 := f.steps[0], f.steps[1], f.steps[2], f.steps[3]
	after, c := (*[4]float64)(dst[4*i+4:]), (*[2]float64)(cot[2*i+2:])
	l0, l1 := c[0]+(after[0]+after[1]), c[1]+(after[2]+after[3])
	for {
		p := (*[2]float64)(e[2*i:])
		x00, x01, x10, x11 := float64(p[0]*a00), float64(p[0]*a01), float64(p[1]*a10),
			float64(p[1]*a11)
		s0, s1 := x00+x10, x01+x11
		// Where no state leads to one, its flows are 0.
		q0, q1 := 0.0, 0.0
		if s0 != 0 {
			q0 = 1 / s0
		}
		if s1 != 0 {
			q1 = 1 / s1
		}
		to := (*[4]float64)(dst[4*i:])
		x00, x10 = float64(float64(x00*q0)*l0), float64(float64(x10*q0)*l0)
		x01, x11 = float64(float64(x01*q1)*l1), float64(float64(x11*q1)*l1)
		to[0], to[1], to[2], to[3] = x00, x01, x10, x11
		if i == 0 || !fast[i-1] {
			return i
		}
		c := (*[2]float64)(cot[2*i:])
		l0, l1 = c[0]+(x00+x01), c[1]+(x10+x11)
		i--
	}
}

func sumOf(x []float64) float64 {
	s := 0.0
	for _, v := range x {
		s += v
	}
	return s
}

// flowOfLogs is a step whose shares are taken of logarithms.
func flowOfLogs(flow, after, cot, h, step []float64) {
	k := len(h)
	for i := range cot {
		l := cot[i] + sumOf(after[i*k:][:k])
		m := logSumOf(h, step[i:], k)
		for j, v := range h {
			x := v + step[j*k+i]
			switch {
			case l == 0 || math.IsInf(x, -1):
				flow[j*k+i] = 0
			default:
				flow[j*k+i] = special.Exp(x-m) * l
			}
		}
	}
}
