package gibbs

import (
	"fmt"
	"math"

	"github.com/sgppl/sgppl/runtime/math/special"
)

// A powers is the log density a log u + Σ b_j u^{p_j} on u > 0, as a concave function of y, which
// is log u (and the log density has its Jacobian) or u itself.
type powers struct {
	a    float64
	b, p []float64
	logs bool    // y is log u
	low  float64 // the least y
}

// concave sets in which variable the log density is concave; false if it is in neither.
func (f *powers) concave() bool {
	logs, plain := true, f.a >= 0
	for j, b := range f.b {
		logs = logs && b <= 0
		plain = plain && b*f.p[j]*(f.p[j]-1) <= 0
	}
	f.logs, f.low = logs, 0
	if logs {
		f.low = math.Inf(-1)
	}
	return logs || plain
}

// at returns the log density and its slope at y.
func (f *powers) at(y float64) (value, slope float64) {
	if f.logs {
		value, slope = float64((f.a+1)*y), f.a+1
		for j, b := range f.b {
			t := float64(b * special.Exp(f.p[j]*y))
			value += t
			slope += float64(f.p[j] * t)
		}
		return value, slope
	}
	if f.a != 0 {
		value, slope = float64(f.a*special.Log(y)), f.a/y
	}
	for j, b := range f.b {
		value += float64(b * special.Pow(y, f.p[j]))
		slope += float64(f.p[j] * float64(b*special.Pow(y, f.p[j]-1)))
	}
	return value, slope
}

// bracket moves from y by steps that double until a condition holds, at most to the least y.
func (f *powers) bracket(y, step float64, holds func(y float64) bool) (float64, bool) {
	for range 1100 {
		if y+step <= f.low {
			if y <= f.low+1e-300 {
				return f.low, true
			}
			step = 0.5 * (f.low - y)
		}
		if y += step; holds(y) {
			return y, true
		}
		if y-step > f.low && y+2*step > f.low {
			step *= 2
		}
	}
	return y, false
}

// bisect narrows (lo, hi), at which a condition fails and holds.
func bisect(lo, hi float64, holds func(y float64) bool) float64 {
	for range 60 {
		mid := 0.5 * (lo + hi)
		if holds(mid) {
			hi = mid
		} else {
			lo = mid
		}
		if math.Abs(hi-lo) <= 1e-9*(math.Abs(lo)+math.Abs(hi)) {
			break
		}
	}
	return hi
}

// draw draws u by rejection from a hat of a level and two exponential tails, which are tangents at
// points where the density is a third of that at its mode or so (Devroye 1986, Non-uniform random
// variate generation, section VII.2.6). It is exact wherever the tangents touch.
func (s *Sampler) powers(a float64, b, p []float64) (float64, string) {
	f := &s.law
	f.a, f.b, f.p = a, b, p
	if !f.concave() {
		return 0, "its log density has a term that grows, and is concave in no variable that is known"
	}
	falls := func(y float64) bool { _, g := f.at(y); return g <= 0 }
	rises := func(y float64) bool { _, g := f.at(y); return g >= 0 }
	start := 0.0
	if !f.logs {
		start = 1
	}
	low, high, ok, ok2 := start, start, true, true
	if falls(start) {
		low, ok = f.bracket(start, -0.5, rises)
	} else {
		high, ok2 = f.bracket(start, 0.5, falls)
	}
	if !ok || !ok2 {
		return 0, "its log density has no mode"
	}
	mode := high
	if low < high {
		mode = bisect(low, high, falls)
	}
	top, _ := f.at(mode)
	below := func(y float64) bool { v, _ := f.at(y); return v <= top-1 }
	unit := max(1e-6, 1e-3*math.Abs(mode))
	right, ok := f.bracket(mode, unit, below)
	if !ok {
		return 0, "its log density does not fall"
	}
	left, atLow := f.low, true
	if mode > f.low {
		l, _ := f.bracket(mode, -unit, below)
		if atLow = l <= f.low; !atLow {
			left = l
		}
	}
	rv, rs := f.at(right)
	if !finite(rv) || !finite(rs) || rs >= 0 {
		right = bisect(mode, right, below)
		if rv, rs = f.at(right); !finite(rv) || rs >= 0 {
			return 0, "its log density is not finite"
		}
	}
	// Where the tangents meet the level of the mode.
	rightMeets := right + (top-rv)/rs
	leftMeets, ls := left, 0.0
	leftMass := 0.0
	if !atLow {
		lv, slope := f.at(left)
		if !finite(lv) || !finite(slope) || slope <= 0 {
			left = bisect(mode, left, below)
			if lv, slope = f.at(left); !finite(lv) || slope <= 0 {
				return 0, "its log density is not finite"
			}
		}
		ls = slope
		leftMeets = left + (top-lv)/ls
		leftMass = 1 / ls
		if !f.logs { // the tail ends at 0
			leftMass *= -special.Expm1(-ls * (leftMeets - f.low))
		}
	}
	rightMass, middle := -1/rs, rightMeets-leftMeets
	for range 100000 {
		u := float64(s.source.Float64() * (leftMass + middle + rightMass))
		var y, hat float64
		switch {
		case u < middle:
			y, hat = leftMeets+u, top
		case u < middle+rightMass:
			e := s.source.Exponential()
			y, hat = rightMeets-e/rs, top-e
		default:
			e := s.source.Exponential()
			y, hat = leftMeets-e/ls, top-e
			if y <= f.low {
				continue
			}
		}
		if v, _ := f.at(y); special.Log(s.source.Float64())+hat <= v {
			if f.logs {
				y = special.Exp(y)
			}
			return clamp(y), ""
		}
	}
	return 0, fmt.Sprintf("no draw near its mode %g is accepted", mode)
}
