package special

import "math"

// skewNormalTails returns the tails of the skew normal of density
// 2φ(t)Φ(αt) at z: logPa is in α, p and q are the density over P and over Q. The
// density is log-concave, and its tails are integrated as those of incGamma: the
// lower one where z is small or not beyond the rise of Φ(αt), else the upper.
func skewNormalTails(z, alpha float64) (t tails) {
	switch {
	case z != z || alpha != alpha:
		n := math.NaN()
		return tails{logP: n, logQ: n, p: n, q: n, logPa: n, logQa: n}
	case math.IsInf(z, 1):
		return tails{logP: 0, logQ: math.Inf(-1), q: z}
	case math.IsInf(z, -1):
		return tails{logP: z, logQ: 0, p: -z}
	case alpha < 0: // -t is skew normal of -α
		t = skewNormalTails(-z, -alpha)
		t.logPa, t.logQa = -t.logPa, -t.logQa
		t.swap()
		return t
	}
	lower := z <= 0 || z < 2 && alpha*z < 3
	sign := 1.0
	if lower {
		sign = -1
	}
	at := LogNormalCDF(float64(alpha * z))
	h := func(u float64) float64 {
		v := float64(sign * u)
		square := float64(v * (float64(0.5*v) + z)) // ((z+v)² - z²)/2
		if s := float64(alpha * z); s <= 0 && v <= 0 {
			// Φ(s) = exp(-s²/2) erfcx(-s/√2)/2, so that what is large cancels by hand.
			return float64(square*(1+float64(alpha*alpha))) +
				Log(erfcx(float64(-s*invSqrt2))/erfcx(float64(-float64(alpha*(z+v))*invSqrt2)))
		}
		return square + (at - LogNormalCDF(float64(alpha*(z+v))))
	}
	start := sign * (z - float64(alpha*LogNormalCDFDeriv(float64(alpha*z))))
	curvature := 1.0
	if lower {
		curvature += float64(alpha * alpha)
	}
	u := tailLength(start, curvature, func(u float64) (value, slope float64) {
		x := z + float64(sign*u)
		return h(u), sign * (x - float64(alpha*LogNormalCDFDeriv(float64(alpha*x))))
	})
	sum := 0.0
	for _, g := range gauss32 {
		sum += float64(g.w * Exp(-h(u*g.x)))
	}
	sum *= u
	t.logP = (math.Ln2 - halfLog2Pi - float64(float64(0.5*z)*z)) + at + Log(sum)
	t.p = 1 / sum
	t.fromLower()
	if !lower {
		t.swap()
	}
	// The derivative of the probability in α is -2φ(z)φ(αz)/(1+α²).
	m := LogNormalCDFDeriv(float64(alpha*z)) / (1 + float64(alpha*alpha))
	t.logPa, t.logQa = -t.p*m, t.q*m
	return t
}

// LogSkewNormalCDF returns the log of the distribution function at z of the
// standard skew normal of shape alpha, Φ(z) - 2T(z, α) with T Owen's function
// (Azzalini 1985). The upper side is LogSkewNormalCDF(-z, -alpha).
func LogSkewNormalCDF(z, alpha float64) float64 { return skewNormalTails(z, alpha).logP }

// LogSkewNormalCDFZ returns the derivative of LogSkewNormalCDF in z.
func LogSkewNormalCDFZ(z, alpha float64) float64 { return skewNormalTails(z, alpha).p }

// LogSkewNormalCDFShape returns the derivative of LogSkewNormalCDF in alpha.
func LogSkewNormalCDFShape(z, alpha float64) float64 { return skewNormalTails(z, alpha).logPa }
