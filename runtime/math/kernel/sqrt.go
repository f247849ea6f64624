package kernel

import "math"

// Roots, rounded once in either precision: that of a number of single precision
// in double, rounded, is the one nearest to it.

func sqrt64(x float64) float64 { return math.Sqrt(x) }

func sqrt32(x float32) float32 { return float32(math.Sqrt(float64(x))) }
