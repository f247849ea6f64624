package special

import "math"

// Probabilities by the saddle-point expansion of Loader, "Fast and accurate
// computation of binomial probabilities" (2000): no differences of large
// logarithms, so rejection stays exact at any size.

// LogPoisson returns the log probability of k under a Poisson of rate mu > 0.
func LogPoisson(k, mu float64) float64 {
	if k == 0 {
		return -mu
	}
	return (-stirlingError(k) - deviance(k, mu)) - float64(0.5*Log(2*math.Pi*k))
}

// LogBinomial returns the log probability of k of n under probability p,
// 0 < p < 1.
func LogBinomial(k, n, p float64) float64 {
	switch k {
	case 0:
		return n * Log1p(-p)
	case n:
		return n * Log(p)
	}
	l := n - k
	e := (stirlingError(n) - stirlingError(k)) - stirlingError(l)
	e -= deviance(k, n*p) + deviance(l, n*(1-p))
	return e + float64(0.5*Log(n/(2*math.Pi*k)/l))
}

// stirlingError returns log(n!) - log(√(2πn)·(n/e)ⁿ) for n >= 1.
func stirlingError(n float64) float64 {
	if n < 16 {
		return logFactorial[int(n)] - (float64((n+0.5)*Log(n)) - n) - halfLog2Pi
	}
	// Stirling's series; the next term is below 1e-15 from 16 on.
	x := n * n
	return (1.0/12 - (1.0/360-(1.0/1260-(1.0/1680-1.0/1188/x)/x)/x)/x) / n
}

// logFactorial holds log(n!).
var logFactorial = func() (t [16]float64) {
	f := 1.0 // exact up to 15!
	for n := 1; n < len(t); n++ {
		f *= float64(n)
		t[n] = Log(f)
	}
	return t
}()

// deviance returns x·log(x/m) + m - x for x, m > 0, without cancellation near
// x = m: with v = (x-m)/(x+m) it is (x-m)·v + 2x·Σ v^(2j+1)/(2j+1), j >= 1.
func deviance(x, m float64) float64 {
	d := x - m
	if math.Abs(d) >= 0.1*(x+m) {
		return (float64(x*Log(x/m)) + m) - x
	}
	v := d / (x + m)
	s := d * v
	e := 2 * x * v
	v *= v
	for j := 3.0; ; j += 2 {
		e *= v
		t := s + e/j
		if t == s {
			return s
		}
		s = t
	}
}
