package special

import "math"

// Hypot returns √(x² + y²) without overflow on the way. It is NaN where an argument is, unless
// the other is infinite.
func Hypot(x, y float64) float64 {
	x, y = math.Abs(x), math.Abs(y)
	switch {
	case math.IsInf(x, 1) || math.IsInf(y, 1):
		return math.Inf(1)
	case x != x || y != y:
		return math.NaN()
	case x < y:
		x, y = y, x
	case x == 0:
		return 0
	}
	q := y / x
	return x * math.Sqrt(1+float64(q*q))
}
