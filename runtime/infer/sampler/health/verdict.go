package health

import "math"

// Tolerances for differences from the expected value. A smaller difference is never a reason to
// distrust draws, whatever the errors.
const (
	Tolerance         = 0.1 // for temperatures; standard deviations then differ by half of it
	MeanTolerance     = 0.1 // for means, in standard deviations
	VarianceTolerance = 0.5 // for Var ξ, which only says how well the thermostats work
	XiTolerance       = 0.2 // for ξ̄ − D, relative to D or to the standard deviation of ξ
)

// Judge returns the verdict on a value with an expected value and a standard error. allowed is the
// largest difference that does not matter. A value is off if the difference exceeds both allowed
// and four errors, and ok if the difference and the error are below allowed.
func Judge(value, expected, mcse, allowed float64) string {
	if math.IsNaN(expected) {
		return ""
	}
	miss := math.Abs(value - expected)
	switch {
	case math.IsNaN(value), miss > allowed && miss > 4*mcse:
		return "off"
	case miss <= allowed && mcse <= allowed:
		return "ok"
	}
	return "unsure"
}

// JudgeExact is Judge for a statistic of a sampler with a Metropolis test on all rows. Such a
// sampler has no bias of its step, so the value differs from the expected one by Monte Carlo error
// alone, unless the chains have not come to the posterior or the gradient is not that of the
// density. A short run is then no reason to doubt the value: how well draws are known is judged by
// their effective sizes. A value is off if the difference exceeds both allowed and four errors,
// and unsure if it exceeds allowed and three errors, or if an error is more than 1.5 times what
// is allowed. The errors are those of a value that is as expected: the error of a mean of squares
// grows with the mean, so that of a value that is small by chance is estimated too small.
func JudgeExact(value, expected, mcse, allowed float64) string {
	if value > 0 {
		mcse *= expected / value
	}
	switch miss := math.Abs(value - expected); {
	case math.IsNaN(expected):
		return ""
	case math.IsNaN(value), miss > allowed && miss > 4*mcse:
		return "off"
	case mcse <= 1.5*allowed && (miss <= allowed || miss <= 3*mcse):
		return "ok"
	}
	return "unsure"
}
