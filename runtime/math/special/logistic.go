package special

import "math"

// Tanh returns the hyperbolic tangent of x: -e/(2+e) with e = exp(-2|x|) - 1,
// which neither overflows nor cancels. The error is below 3 ulp.
func Tanh(x float64) float64 {
	a := math.Abs(x)
	switch {
	case a < 0x1p-28:
		return x
	case a > 20:
		return math.Copysign(1, x)
	}
	e := expm1(-2 * a) // NaN goes through
	return math.Copysign(-e/(2+e), x)
}

// Sigmoid returns 1/(1 + exp(-x)), accurate in both tails.
func Sigmoid(x float64) float64 {
	return sigmoid(x, Exp(-math.Abs(x)))
}

// sigmoid returns Sigmoid(x) given e = exp(-|x|): (x < 0 ? e : 1)/(1 + e),
// without a branch, as signs are hard to predict.
func sigmoid(x, e float64) float64 {
	negative := uint64(int64(math.Float64bits(x)) >> 63)
	return math.Float64frombits(math.Float64bits(e)&negative|expOne&^negative) / (1 + e)
}

// Softplus returns log(1 + exp(x)).
func Softplus(x float64) float64 {
	return max(x, 0) + log1p(Exp(-math.Abs(x)))
}

// LogSigmoid returns log(1/(1 + exp(-x))) = -Softplus(-x).
func LogSigmoid(x float64) float64 {
	return min(x, 0) - log1p(Exp(-math.Abs(x)))
}

// Logit returns log(p/(1-p)), accurate near 0, ½ and 1.
func Logit(p float64) float64 {
	if p > 0.25 && p < 0.75 {
		// p/(1-p) = (1+s)/(1-s) with s = 2p-1, which is exact here.
		s := 2*p - 1
		return Log1p(2 * s / (1 - s))
	}
	return Log(p) - Log1p(-p)
}

// Log1mExp returns log(1 - exp(x)) for x <= 0 (Mächler, 2012: the better of
// two forms on either side of -ln 2).
func Log1mExp(x float64) float64 {
	if x > -math.Ln2 {
		return Log(-Expm1(x))
	}
	return Log1p(-Exp(x))
}
