package special

import "math"

// Sinh returns the hyperbolic sine of x.
func Sinh(x float64) float64 {
	a := math.Abs(x)
	switch {
	case a < 0x1p-28:
		return x
	case a > 40:
		h := Exp(0.5 * a)
		return math.Copysign(0.5*h*h, x)
	}
	e := expm1(a)
	return math.Copysign(0.5*(e+e/(e+1)), x)
}

// Cosh returns the hyperbolic cosine of x.
func Cosh(x float64) float64 {
	a := math.Abs(x)
	if a > 40 {
		h := Exp(0.5 * a)
		return 0.5 * h * h
	}
	e := Exp(a)
	return 0.5 * (e + 1/e)
}

// Asinh returns the inverse of Sinh.
func Asinh(x float64) float64 {
	a := math.Abs(x)
	switch {
	case a < 0x1p-28:
		return x
	case a > 0x1p28:
		return math.Copysign(Log(a)+math.Ln2, x)
	}
	z := float64(a * a)
	return math.Copysign(Log1p(a+z/(1+math.Sqrt(1+z))), x)
}

// Acosh returns the inverse of Cosh on [0, ∞); NaN for x < 1.
func Acosh(x float64) float64 {
	if x > 0x1p28 {
		return Log(x) + math.Ln2
	}
	t := x - 1
	return Log1p(t + math.Sqrt(t*(2+t)))
}

// Atanh returns the inverse of Tanh; NaN outside [-1, 1].
func Atanh(x float64) float64 {
	a := math.Abs(x)
	if a < 0x1p-28 {
		return x
	}
	return math.Copysign(0.5*Log1p(2*a/(1-a)), x)
}
