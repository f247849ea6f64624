package sampler

import "math"

// What matters: misses below these are no reason to distrust draws, whatever
// the errors.
const (
	tolerance         = 0.1 // of temperatures; standard deviations are off by half of it
	meanTolerance     = 0.1 // of means, in standard deviations
	varianceTolerance = 0.5 // of Var ξ, which only says how well the thermostats work
	xiTolerance       = 0.2 // of ξ̄ − D, beside D or the standard deviation of ξ
)

// verdict of a value beside what it should be, given its standard error and
// the miss that matters. A value is off when it misses by more than that and by
// more than four errors, ok when it misses by less and the error is below it.
func verdict(value, expected, mcse, allowed float64) string {
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

// spread is the covariance of two means over chains, of those that have them;
// 0 with fewer than two.
func spread(chains []*Chain, of func(*health) (a, b float64, ok bool)) float64 {
	n, a, b, ab := 0.0, 0.0, 0.0, 0.0
	for _, c := range chains {
		x, y, ok := of(c.health)
		if !ok {
			continue
		}
		n++
		dx := x - a
		a += dx / n
		b += (y - b) / n
		ab += float64(dx * (y - b))
	}
	if n < 2 {
		return 0
	}
	return ab / (n - 1)
}
