package ode

import "math"

// The pair of orders 5 and 4 of Dormand & Prince (1980), as in Hairer, Nørsett
// & Wanner (1993), table II.5.2. The last row is the new point, so that its
// slope is the first of the next step.
var (
	dpTimes = [7]float64{0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1}
	dpRows  = [7][6]float64{
		{},
		{1.0 / 5},
		{3.0 / 40, 9.0 / 40},
		{44.0 / 45, -56.0 / 15, 32.0 / 9},
		{19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
		{9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
		{35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84},
	}
	// The weights of order 5 less those of order 4.
	dpError = [7]float64{71.0 / 57600, 0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525,
		-1.0 / 40}
)

// dormandTo goes from t to end and returns the step to try next.
func (s *Solver) dormandTo(slope Slope, t, end, h float64, fresh bool) (float64, bool) {
	slope(t, s.z)
	copy(s.stages[0], s.F)
	if s.q > 0 {
		s.variation(s.columns[0], s.s)
	}
	if fresh {
		h = s.firstStep(slope, t, end-t, 5)
	}
	last := 1e-4 // the error of the step before, for the controller
	for range s.maxSteps() {
		step := min(h, end-t)
		if !(step > 1e-15*math.Abs(t)) {
			return h, false
		}
		for i := 1; i < 7; i++ {
			combine(s.zi, s.z, step, dpRows[i][:i], &s.stages)
			slope(t+float64(dpTimes[i]*step), s.zi)
			copy(s.stages[i], s.F)
			if s.q > 0 {
				combine(s.si, s.s, step, dpRows[i][:i], &s.columns)
				s.variation(s.columns[i], s.si)
			}
		}
		for i := range s.err {
			sum := 0.0
			for k, w := range dpError {
				if w != 0 {
					sum += float64(w * s.stages[k][i])
				}
			}
			s.err[i] = float64(step * sum)
		}
		e := norm(s.err, s.z, s.zi, s.Rtol, s.Atol)
		switch {
		case !(e <= math.MaxFloat64):
			h = 0.1 * step
			continue
		case e > 1:
			h = step * max(0.2, 0.9*power(e, -0.2))
			continue
		}
		// The last stage is the new point: it is kept as it is.
		copy(s.z, s.zi)
		copy(s.s, s.si)
		s.stages[0], s.stages[6] = s.stages[6], s.stages[0]
		s.columns[0], s.columns[6] = s.columns[6], s.columns[0]
		factor := 10.0
		if e > 0 {
			// A controller that also looks at the step before (§IV.2).
			factor = min(10, max(0.2, 0.9*power(e, -0.17)*power(last, 0.04)))
		}
		last = max(e, 1e-4)
		if t+step >= end || step == end-t {
			if step < h { // it was cut to end here: what was tried before still holds
				return max(h, step*factor), true
			}
			return step * factor, true
		}
		t += step
		h = step * factor
	}
	return h, false
}

// combine is dst = x + h Σ w k.
func combine(dst, x []float64, h float64, w []float64, k *[7][]float64) {
	for i, v := range x {
		sum := 0.0
		for j, a := range w {
			if a != 0 {
				sum += float64(a * k[j][i])
			}
		}
		dst[i] = v + float64(h*sum)
	}
}
