package ode

import "math"

// The Radau IIA method of three stages and order 5 (Hairer & Wanner 1996,
// table IV.5.6). Its last stage is the new point.
var (
	root6      = math.Sqrt(6)
	radauTimes = [3]float64{(4 - root6) / 10, (4 + root6) / 10, 1}
	radauRows  = [3][3]float64{
		{(88 - float64(7*root6)) / 360, (296 - float64(169*root6)) / 1800,
			(-2 + float64(3*root6)) / 225},
		{(296 + float64(169*root6)) / 1800, (88 + float64(7*root6)) / 360,
			(-2 - float64(3*root6)) / 225},
		{(16 - root6) / 36, (16 + root6) / 36, 1.0 / 9},
	}
	// The estimate of the error, eq. IV.8.20: (γ/h I − J)⁻¹ (f(z₀) + Σ e Z / h)
	// with γ the real eigenvalue of the inverse of the matrix above.
	radauError = [3]float64{-(13 + float64(7*root6)) / 3, (-13 + float64(7*root6)) / 3, -1.0 / 3}
	radauGamma = 30 / (6 + math.Cbrt(81) - math.Cbrt(9))
)

// radau is the memory of the implicit method.
type radau struct {
	memory         []float64
	inc, res       []float64 // [3, n]: z at the stages less z at the start, and residuals
	jac            []float64 // [n, n] at the start of the step
	full, small    []float64 // factors of [3n, 3n] and [n, n]
	pivots, lesser []int
	atStages       []float64 // [3, n, n]: Jacobians
	right          []float64 // [3n, q]
	slopes         []float64 // [3, n·q]: J s + ∂f/∂θ at the stages
}

func (s *Solver) radauReserve() {
	r, n, q := &s.radau, s.n, s.q
	need := 6*n + n*n + 9*n*n + n*n + 3*n*n + 3*n*q + 3*n*q
	if len(r.memory) < need {
		r.memory = make([]float64, need)
	}
	rest := r.memory
	take := func(k int) []float64 {
		out := rest[:k:k]
		rest = rest[k:]
		return out
	}
	r.inc, r.res, r.jac = take(3*n), take(3*n), take(n*n)
	r.full, r.small, r.atStages = take(9*n*n), take(n*n), take(3*n*n)
	r.right, r.slopes = take(3*n*q), take(3*n*q)
	if len(r.pivots) < 3*n {
		r.pivots, r.lesser = make([]int, 3*n), make([]int, n)
	}
}

// radauTo goes from t to end and returns the step to try next.
func (s *Solver) radauTo(slope Slope, t, end, h float64, fresh bool) (float64, bool) {
	s.radauReserve()
	r, n := &s.radau, s.n
	// The estimate is of lower order than the method: §IV.8 scales the tolerances.
	rtol := 0.1 * power(s.Rtol, 2.0/3)
	atol := rtol * (s.Atol / s.Rtol)
	slope(t, s.z)
	copy(s.stages[0], s.F)
	copy(r.jac, s.Jacobian)
	if fresh {
		h = s.firstStep(slope, t, end-t, 3)
	}
	rejected := false
	for range s.maxSteps() {
		step := min(h, end-t)
		if !(step > 1e-15*math.Abs(t)) {
			return h, false
		}
		iterations, ok := s.newton(slope, t, step, rtol, atol)
		if !ok {
			h, rejected = 0.5*step, true
			continue
		}
		e, ok := s.radauErrorNorm(slope, t, step, rtol, atol, fresh || rejected)
		if !ok || !(e <= math.MaxFloat64) {
			h, rejected = 0.5*step, true
			continue
		}
		safety := 0.9 * float64(2*maxNewton+1) / float64(2*maxNewton+iterations)
		factor := 8.0
		if e > 0 {
			factor = min(8, max(0.2, safety*power(e, -0.25)))
		}
		if e > 1 {
			h, rejected = step*min(factor, 0.9), true
			continue
		}
		if s.q > 0 && !s.radauSensitivities(slope, t, step) {
			return h, false
		}
		for i := range s.z {
			s.z[i] += r.inc[2*n+i]
		}
		fresh, rejected = false, false
		if t+step >= end || step == end-t {
			if step < h {
				return max(h, step*factor), true
			}
			return step * factor, true
		}
		t += step
		h = step * factor
		slope(t, s.z)
		copy(s.stages[0], s.F)
		copy(r.jac, s.Jacobian)
	}
	return h, false
}

const maxNewton = 10

// newton solves for the stages: inc = h A f(z + inc), by a simplified Newton
// iteration with the Jacobian of the start.
func (s *Solver) newton(slope Slope, t, h, rtol, atol float64) (iterations int, ok bool) {
	r, n := &s.radau, s.n
	m := 3 * n
	for a := range 3 {
		for b := range 3 {
			for i := range n {
				for j := range n {
					v := -float64(float64(h*radauRows[a][b]) * r.jac[i*n+j])
					if a == b && i == j {
						v++
					}
					r.full[(a*n+i)*m+b*n+j] = v
				}
			}
		}
	}
	if !factor(r.full, m, r.pivots) {
		return 0, false
	}
	clear(r.inc)
	tolerance := max(10*2.2e-16/rtol, min(0.03, math.Sqrt(rtol)))
	before := math.Inf(1)
	for k := 1; k <= maxNewton; k++ {
		clear(r.res)
		for b := range 3 {
			for i := range n {
				s.zi[i] = s.z[i] + r.inc[b*n+i]
			}
			slope(t+float64(radauTimes[b]*h), s.zi)
			for a := range 3 {
				w := h * radauRows[a][b]
				for i, v := range s.F {
					r.res[a*n+i] += float64(w * v)
				}
			}
		}
		for i := range r.res {
			r.res[i] -= r.inc[i]
		}
		solve(r.full, m, r.pivots, r.res, 1)
		d := 0.0
		for a := range 3 {
			e := norm(r.res[a*n:(a+1)*n], s.z, s.z, rtol, atol)
			d += float64(e * e)
		}
		d = math.Sqrt(d / 3)
		for i := range r.inc {
			r.inc[i] += r.res[i]
		}
		rate := d / before
		switch {
		case !(d <= math.MaxFloat64), k > 1 && rate >= 0.99:
			return k, false
		case d == 0, k > 1 && float64(rate/(1-rate)*d) <= 0.01*tolerance:
			return k, true
		}
		before = d
	}
	return maxNewton, false
}

// radauErrorNorm estimates the error of the step. After a rejection, and at
// first, the estimate is filtered once more, so that stiff components do not count.
func (s *Solver) radauErrorNorm(slope Slope, t, h, rtol, atol float64, again bool) (float64, bool) {
	r, n := &s.radau, s.n
	for i := range n {
		for j := range n {
			v := -r.jac[i*n+j]
			if i == j {
				v += radauGamma / h
			}
			r.small[i*n+j] = v
		}
	}
	if !factor(r.small, n, r.lesser) {
		return 0, false
	}
	part := s.next
	for i := range n {
		sum := 0.0
		for a, w := range radauError {
			sum += float64(w * r.inc[a*n+i])
		}
		part[i] = sum / h
		s.err[i] = part[i] + s.stages[0][i]
	}
	solve(r.small, n, r.lesser, s.err, 1)
	for i := range n {
		s.zi[i] = s.z[i] + r.inc[2*n+i]
	}
	e := norm(s.err, s.z, s.zi, rtol, atol)
	if e < 1 || !again {
		return e, true
	}
	for i := range n {
		s.stages[1][i] = s.z[i] + s.err[i]
	}
	slope(t, s.stages[1])
	for i := range n {
		s.err[i] = part[i] + s.F[i]
	}
	solve(r.small, n, r.lesser, s.err, 1)
	return norm(s.err, s.z, s.zi, rtol, atol), true
}

// radauSensitivities differentiates the step: with the Jacobians J_a at the
// stages, (I − h A diag(J)) dZ = h A (J_a s + ∂f/∂θ).
func (s *Solver) radauSensitivities(slope Slope, t, h float64) bool {
	r, n, q := &s.radau, s.n, s.q
	m := 3 * n
	for b := range 3 {
		for i := range n {
			s.zi[i] = s.z[i] + r.inc[b*n+i]
		}
		slope(t+float64(radauTimes[b]*h), s.zi)
		copy(r.atStages[b*n*n:(b+1)*n*n], s.Jacobian)
		s.variation(r.slopes[b*n*q:(b+1)*n*q], s.s)
	}
	for a := range 3 {
		for b := range 3 {
			for i := range n {
				for j := range n {
					v := -float64(float64(h*radauRows[a][b]) * r.atStages[b*n*n+i*n+j])
					if a == b && i == j {
						v++
					}
					r.full[(a*n+i)*m+b*n+j] = v
				}
			}
		}
	}
	if !factor(r.full, m, r.pivots) {
		return false
	}
	// The blocks are of different widths: one after another, as s has them.
	at := 0
	for _, blk := range s.Blocks {
		w := n * blk.Len
		right := r.right[:3*w]
		clear(right)
		for a := range 3 {
			for b := range 3 {
				c := h * radauRows[a][b]
				for i, v := range r.slopes[b*n*q+at : b*n*q+at+w] {
					right[a*w+i] += float64(c * v)
				}
			}
		}
		solve(r.full, m, r.pivots, right, blk.Len)
		for i := range w {
			s.s[at+i] += right[2*w+i]
		}
		at += w
	}
	return true
}
