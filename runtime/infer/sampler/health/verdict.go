package health

import "math"

// Differences from the expected value that matter. A smaller difference is never a reason to
// distrust draws, whatever the errors.
const (
	Tolerance         = 0.1 // of temperatures; standard deviations are off by half of it
	MeanTolerance     = 0.1 // of means, in standard deviations
	VarianceTolerance = 0.5 // of Var ξ, which only says how well the thermostats work
	XiTolerance       = 0.2 // of ξ̄ − D, relative to D or to the standard deviation of ξ
)

// Judge returns the verdict on a value compared with what it should be, given its standard error
// and the largest miss that does not matter. A value is off when it misses by more than that and by
// more than four errors, ok when it misses by less and the error is below it.
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
