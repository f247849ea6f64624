package special

import "math"

// The von Mises–Fisher distribution on the sphere S^{d−1} in R^d, with respect
// to the surface measure: c_d(κ) exp(κ μ·x), where with ν = d/2 − 1
//
//	log c_d(κ) = ν log κ − (d/2) log 2π − log I_ν(κ),
//	−d/dκ log c_d(κ) = A_d(κ) = I_{d/2}(κ)/I_{d/2−1}(κ) = E μ·x
//
// (Mardia & Jupp, Directional Statistics, 2000, section 9.3.2). In this form
// the powers of κ cancel as κ → 0; here they are never formed. The dimension
// need not be an integer.

// VMFLogConstant returns log c_d(κ) for d ≥ 2 and κ ≥ 0; NaN elsewhere. At
// κ = 0 it is minus the logarithm of the sphere's area. The error is a few
// ulp of the largest of κ, d·log d and the result.
func VMFLogConstant(d, kappa float64) float64 {
	nu := float64(0.5*d) - 1
	switch {
	case besselBad(nu, kappa):
		return math.NaN()
	case math.IsInf(kappa, 1):
		return math.Inf(-1)
	}
	s := norm2(nu, kappa)
	if s < debyeFrom {
		return (Lgamma(0.5*d) - math.Ln2) - float64(0.5*d*logPi) - besselSeries(nu, kappa)
	}
	p := nu / s
	return (float64(nu*Log((nu+s)/(2*math.Pi))) - s) +
		(float64(0.5*Log(s)) - halfLog2Pi - debyeLog(s, p*p))
}

// VMFRatio returns A_d(κ), the mean of μ·x and minus the derivative of
// VMFLogConstant, for d ≥ 2 and κ ≥ 0; NaN elsewhere. The relative error is a
// few ulp.
func VMFRatio(d, kappa float64) float64 { return BesselIRatio(float64(0.5*d)-1, kappa) }

// VMFRatioDeriv returns A_d'(κ) = 1 − A² − (d−1) A/κ, the variance of μ·x, for
// d ≥ 2 and κ ≥ 0; NaN elsewhere. The three terms cancel to 1/d as κ → 0 and
// to (d−1)/(2κ²) as κ → ∞; here the expansion of A is differentiated instead.
// The relative error is below 1e-13.
func VMFRatioDeriv(d, kappa float64) float64 {
	nu := float64(0.5*d) - 1
	switch {
	case besselBad(nu, kappa):
		return math.NaN()
	case math.IsInf(kappa, 1):
		return 0
	}
	s := norm2(nu, kappa)
	if s < debyeFrom {
		q, slope := besselQSlope(nu, kappa)
		return q + float64(float64(kappa*kappa)*slope)
	}
	p, y := nu/s, kappa/s
	p2, y2 := float64(p*p), float64(y*y)
	// d/dκ of κ/(s+ν) is ν/(s(s+ν)), of κ s^−n it is s^−n (1 − n(1−p²)).
	return nu/s/(s+nu) + (float64(0.5*(y2-p2))-debyeCurve(s, p2, y2))/s/s
}
