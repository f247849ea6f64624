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
