package special

import "math"

// erf(x)/x as a polynomial in x² on |x| <= 1; absolute error below 2e-17.
var erfC = [...]float64{
	0x1.20dd750429b6dp+0, -0x1.812746b0379cp-2, 0x1.ce2f21a040f2p-4, -0x1.b82ce31202513p-6,
	0x1.565bccfa1cce7p-8, -0x1.c02db0604590bp-11, 0x1.f9a2bdb8fcb67p-14, -0x1.f4ca7a42278fdp-17,
	0x1.b981799c363d2p-20, -0x1.5c10c8957465dp-23, 0x1.d75aba73d5ca8p-27, -0x1.ac641bc040b16p-31,
}

// (1 + 2x)·erfcx(x) for x >= 0 as a polynomial in t = (x-3.75)/(x+3.75), the
// form of Shepherd & Laframboise (1981); absolute error below 4e-18.
var erfcxC = [...]float64{
	0x1.3ccda0b5d5dc2p+0, -0x1.1f367683f89a5p-3, 0x1.d5f2948159e2p-9, 0x1.510169d096658p-4,
	-0x1.bda9309a28bep-4, 0x1.7a14188a9ce86p-4, -0x1.e0d0fa6df428dp-5, 0x1.d0b0037d155f4p-6,
	-0x1.3f603c3682d81p-7, 0x1.cc3a0e7d99253p-10, 0x1.33fb27421f98cp-12, -0x1.303fa49e236d5p-12,
	0x1.b143d63ea931ep-15, 0x1.778b948121ce1p-16, -0x1.8002c11990e5bp-17, -0x1.0556aa18e657bp-20,
	0x1.d65081c59291dp-20, -0x1.eb7b41166a177p-25, -0x1.1636c8002e495p-22, 0x1.8fa2f9fdc0311p-26,
	0x1.4eb5efb28ed5dp-25, -0x1.01418b99efa2ep-28, -0x1.6b2228df54be4p-28, 0x1.55fb76b7dbddp-32,
	0x1.e7a100062f385p-32,
}

// ErfcxTerms are the terms of the polynomial that erfcx has, to be read only.
func ErfcxTerms() []float64 { return erfcxC[:] }

// Erf returns the error function, with an error below 2 ulp.
func Erf(x float64) float64 {
	a := math.Abs(x)
	switch {
	case a <= 1:
		return x * horner(erfC[:], x*x)
	case a > 6:
		return math.Copysign(1, x)
	}
	return math.Copysign(1-Erfc(a), x) // NaN goes through
}

// Erfc returns 1 - Erf(x), accurate far in the upper tail.
func Erfc(x float64) float64 {
	switch {
	case x < 0.5:
		if x < -0.5 {
			return 2 - Erfc(-x)
		}
		return 1 - Erf(x)
	case x > 28:
		return 0
	}
	return expMinusSquare(x, 1) * erfcx(x)
}

// erfcx returns exp(x²)·erfc(x) for x >= 0.
func erfcx(x float64) float64 {
	if x > 0x1p60 {
		return 0x1.20dd750429b6dp-1 / x // 1/(x√π)
	}
	return horner(erfcxC[:], (x-3.75)/(x+3.75)) / (1 + float64(2*x))
}

// LogErfcx returns log(exp(x²)·erfc(x)): near -log(x√π) for large x, near
// x² + log 2 for small.
func LogErfcx(x float64) float64 {
	if x >= 0 {
		return Log(erfcx(x))
	}
	return float64(x*x) + Log(Erfc(x))
}

// LogErfcxDeriv returns the derivative of LogErfcx, 2x - 2/(√π erfcx(x)), which
// nears -1/x; for large x by the asymptotic series of erfcx (DLMF 7.12.1).
func LogErfcxDeriv(x float64) float64 {
	const twoOverSqrtPi = 0x1.20dd750429b6dp+0
	switch {
	case x < 0:
		return float64(2*x) - twoOverSqrtPi*Exp(-x*x)/Erfc(x)
	case x < 30:
		return float64(2*x) - twoOverSqrtPi/erfcx(x)
	}
	// erfcx(x) x√π = 1 - z + 3z² - 15z³ + …, z = 1/(2x²)
	z := 0.5 / float64(x*x)
	return -(1 / x) * horner([]float64{1, -3, 15, -105, 945},
		z) / horner([]float64{1, -1, 3, -15, 105}, z)
}

// expMinusSquare returns exp(-c·x²), c a power of two: the part of x² that
// rounding loses is put back.
func expMinusSquare(x, c float64) float64 {
	h, l := twoProd(x, x)
	return Exp(-c*h) * (1 - float64(c*l))
}

const invSqrt2 = 0x1.6a09e667f3bcdp-1

// NormalCDF returns Φ(x), the standard normal distribution function.
func NormalCDF(x float64) float64 {
	switch {
	case x > -0.5:
		return 0.5 * Erfc(-x*invSqrt2)
	case x < -39:
		return 0
	}
	return 0.5 * (expMinusSquare(x, 0.5) * erfcx(float64(-x*invSqrt2)))
}

// LogNormalCDF returns log Φ(x), without underflow in the lower tail and
// without cancellation in the upper.
func LogNormalCDF(x float64) float64 {
	switch {
	case x > 39:
		return Log1p(-NormalCDF(-x))
	case x > 0:
		return Log1p(float64(-0.5 * (expMinusSquare(x, 0.5) * erfcx(float64(x*invSqrt2)))))
	case x == 0:
		return -math.Ln2
	case math.IsInf(x, -1):
		return x
	}
	return float64(float64(-0.5*x)*x) + Log(0.5*erfcx(float64(-x*invSqrt2)))
}

// LogNormalCDFDeriv returns φ(x)/Φ(x), the derivative of LogNormalCDF (the
// inverse Mills ratio), which nears -x in the lower tail.
func LogNormalCDFDeriv(x float64) float64 {
	const sqrt2OverPi = 0x1.9884533d43651p-1
	if x < 0 {
		return sqrt2OverPi / erfcx(float64(-x*invSqrt2))
	}
	return 0.5 * sqrt2OverPi * expMinusSquare(min(x, 39), 0.5) / NormalCDF(x)
}

// NormalQuantile returns the x with Φ(x) = p: a rational start (Abramowitz &
// Stegun 26.2.23) and two steps of Halley's method, each of which cubes the
// relative error.
func NormalQuantile(p float64) float64 {
	const sqrt2Pi = 0x1.40d931ff62706p+1
	switch {
	case p > 0.5:
		// From the side where the tail is known best; 1-p is exact here.
		return -NormalQuantile(1 - p)
	case p == 0.5:
		return 0
	case p == 0:
		return math.Inf(-1)
	case !(p > 0):
		return math.NaN()
	}
	logP := Log(p)
	t := math.Sqrt(-2 * logP)
	x := horner([]float64{2.515517, 0.802853, 0.010328},
		t)/horner([]float64{1, 1.432788, 0.189269, 0.001308}, t) - t
	if p > 0.25 {
		// Near the middle solve for p - ½ = erf(x/√2)/2, so that small x come
		// out with all their digits.
		for range 3 {
			e := float64(0.5*Erf(x*invSqrt2)) - (p - 0.5)
			u := e * sqrt2Pi / expMinusSquare(x, 0.5)
			x -= u / (1 + float64(float64(0.5*x)*u))
		}
		return x
	}
	// In the tail solve log Φ(x) = log p, which is close to a parabola:
	// f' = φ/Φ = m, f'' = -m(x + m).
	for range 3 {
		m := LogNormalCDFDeriv(x)
		u := (LogNormalCDF(x) - logP) / m
		x -= u / (1 + float64(float64(0.5*u)*(x+m)))
	}
	return x
}
