package diagnose

import "math"

// betaCDF is the regularised incomplete beta function I_x(a, b): the
// continued fraction 8.17.22 of the NIST Digital Library of Mathematical
// Functions, by the modified Lentz algorithm.
func betaCDF(x, a, b float64) float64 {
	switch {
	case x <= 0:
		return 0
	case x >= 1:
		return 1
	case x > (a+1)/(a+b+2): // where the fraction of the mirrored one is faster
		return 1 - betaCDF(1-x, b, a)
	}
	const tiny = 1e-300
	c, d := 1.0, 1-(a+b)*x/(a+1)
	if math.Abs(d) < tiny {
		d = tiny
	}
	d = 1 / d
	f := d
	for m := 1.0; m < 1e6; m++ {
		even := m * (b - m) * x / ((a + 2*m - 1) * (a + 2*m))
		odd := -(a + m) * (a + b + m) * x / ((a + 2*m) * (a + 2*m + 1))
		step := 1.0
		for _, e := range [2]float64{even, odd} {
			if d = 1 + float64(e*d); math.Abs(d) < tiny {
				d = tiny
			}
			if c = 1 + e/c; math.Abs(c) < tiny {
				c = tiny
			}
			d = 1 / d
			step *= c * d
		}
		f *= step
		if math.Abs(step-1) <= 0x1p-52 {
			break
		}
	}
	return math.Exp(logBetaDensity(x, a, b)) * x * (1 - x) * f / a
}

func logBetaDensity(x, a, b float64) float64 {
	la, _ := math.Lgamma(a)
	lb, _ := math.Lgamma(b)
	lab, _ := math.Lgamma(a + b)
	return lab - la - lb + float64((a-1)*math.Log(x)) + float64((b-1)*math.Log1p(-x))
}

// betaQuantile solves I_x(a, b) = p for a, b ≥ 1 by Newton steps that
// bisection keeps in their bracket.
func betaQuantile(p, a, b float64) float64 {
	lo, hi := 0.0, 1.0
	x := a / (a + b)
	for range 200 {
		excess := betaCDF(x, a, b) - p
		if excess > 0 {
			hi = x
		} else {
			lo = x
		}
		next := x - excess/math.Exp(logBetaDensity(x, a, b))
		if !(next > lo && next < hi) {
			next = (lo + hi) / 2
		}
		if math.Abs(next-x) <= 1e-16*x || next == x {
			return next
		}
		x = next
	}
	return x
}
