package special

// log1pmx returns log(1+x) - x, with all its digits for small x: with
// r = x/(2+x), log(1+x) = 2(r + r³/3 + r⁵/5 + …) and 2r - x = -r x.
func log1pmx(x float64) float64 {
	if x < -0.4 || x > 0.5 {
		return Log1p(x) - x
	}
	r := x / (2 + x)
	z := float64(r * r)
	return r * (float64(2*z*horner(oddReciprocals[:], z)) - x)
}

// 1/3, 1/5, …: z is at most 1/16, so that the next term is below 1e-18.
var oddReciprocals = [...]float64{
	1.0 / 3, 1.0 / 5, 1.0 / 7, 1.0 / 9, 1.0 / 11, 1.0 / 13, 1.0 / 15,
	1.0 / 17, 1.0 / 19, 1.0 / 21, 1.0 / 23, 1.0 / 25, 1.0 / 27,
}

// expm1mx returns exp(x) - 1 - x, with all its digits for small x.
func expm1mx(x float64) float64 {
	if x < -0.5 || x > 0.5 {
		return Expm1(x) - x
	}
	return float64(x*x) * horner(expTaylor[:], x)
}

// 1/2!, 1/3!, …
var expTaylor = [...]float64{
	1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120, 1.0 / 720, 1.0 / 5040, 1.0 / 40320, 1.0 / 362880,
	1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600, 1.0 / 6227020800, 1.0 / 87178291200,
}

// lgamma1p returns log Γ(1+x) for 0 <= x <= 1, relative to x for small x.
func lgamma1p(x float64) float64 {
	if x <= 0.5 {
		return float64(x*horner(lgammaC[:], x)) - Log1p(x)
	}
	return Lgamma(1 + x)
}

// lgammaStep returns log Γ(b+a) - log Γ(b) for 0 <= a <= 1 and b > 0, relative to
// a where that is small: an expansion about the middle of the step, odd in a.
func lgammaStep(b, a float64) float64 {
	if b < 1 {
		return lgammaStep(b+1, a) - Log1p(a/b)
	}
	if a > stepSmall {
		if b > 10 { // by Stirling's series, whose leading terms are subtracted by hand
			return (float64((b-0.5)*Log1p(a/b)) + float64(a*(Log(a+b)-1))) +
				(stirling(a+b) - stirling(b))
		}
		return Lgamma(b+a) - Lgamma(b)
	}
	m, q := b+float64(0.5*a), float64(a*a)
	return a * (Digamma(m) + float64(q/24*Polygamma(2, m)) +
		float64(float64(q/1920*q)*Polygamma(4, m)))
}

// digammaStep returns ψ(b+a) - ψ(b) as lgammaStep does.
func digammaStep(b, a float64) float64 {
	if b < 1 {
		return digammaStep(b+1, a) + a/float64(b*(a+b))
	}
	if a > stepSmall {
		if b > 10 {
			return Log1p(a/b) + (logMinusDigamma(b) - logMinusDigamma(a+b))
		}
		return Digamma(b+a) - Digamma(b)
	}
	m, q := b+float64(0.5*a), float64(a*a)
	return a * (Trigamma(m) + float64(q/24*Polygamma(3, m)))
}

const stepSmall = 0.003

// logMinusDigamma returns log x - ψ(x), which nears 1/(2x).
func logMinusDigamma(x float64) float64 {
	if x < 10 {
		return Log(x) - Digamma(x)
	}
	z := 1 / float64(x*x)
	return 0.5/x + float64(z*horner(digammaAsymptotic[:], z))
}
