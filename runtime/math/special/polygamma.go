package special

import "math"

// Polygamma returns ψ⁽ⁿ⁾(x), the nth derivative of Digamma, for whole n >= 0 and x > 0; NaN
// elsewhere, except for the n that Digamma and Trigamma cover. The argument is carried up by
// ψ⁽ⁿ⁾(x) = ψ⁽ⁿ⁾(x+1) - (-1)ⁿ n! x⁻ⁿ⁻¹ to where Stirling's series holds (DLMF 5.15.8).
func Polygamma(n, x float64) float64 {
	switch {
	case n == 0:
		return Digamma(x)
	case n == 1:
		return Trigamma(x)
	case !(n > 1) || n != math.Floor(n) || !(x > 0):
		return math.NaN()
	case n > 150:
		return math.NaN() // n! leaves the range
	}
	sum, at := 0.0, x
	for ; at < 15+n; at++ {
		sum += Pow(at/x, -n-1)
	}
	// ζ(n+1, x) xⁿ⁺¹ = Σ (x/(x+k))ⁿ⁺¹ + (x/at)ⁿ⁺¹ (at/n + ½ + Σ B₂ₖ (n+1)…(n+2k-1) / ((2k)!
	// at²ᵏ⁻¹))
	series, term := at/n+0.5, (n+1)/at
	for k, b := range bernoulliOverFactorial {
		series += float64(term * b)
		j := n + float64(2*k+2)
		term *= float64(j*(j+1)) / float64(at*at)
	}
	sum += float64(Pow(at/x, -n-1) * series)
	factorial := 1.0
	for k := 2.0; k <= n; k++ {
		factorial *= k
	}
	value := factorial * sum * Pow(x, -n-1)
	if math.Mod(n, 2) == 0 {
		return -value
	}
	return value
}

// B₂ₖ/(2k)! for k = 1, 2, …
var bernoulliOverFactorial = [...]float64{
	1.0 / 12, -1.0 / 720, 1.0 / 30240, -1.0 / 1209600, 1.0 / 47900160,
	-691.0 / 1307674368000, 1.0 / 74724249600, -3617.0 / 10670622842880000,
	43867.0 / 5109094217170944000,
}
