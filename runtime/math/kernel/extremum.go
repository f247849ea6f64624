package kernel

import (
	"math"

	"github.com/sgppl/sgppl/runtime/math/cpu"
)

// Max returns the largest element, NaN if there is one, -∞ of nothing. The
// order of a maximum does not show in its bits.
func Max(x []float64) float64 {
	if level != cpu.Portable && len(x) >= longVector {
		// Of two zeros the instruction takes either.
		if m, nan := vectorMax64(x); !nan && m != 0 {
			return m
		}
	}
	m0, m1 := float64(math.Inf(-1)), float64(math.Inf(-1))
	for len(x) >= 2 {
		m0 = max(m0, x[0])
		m1 = max(m1, x[1])
		x = x[2:]
	}
	if len(x) > 0 {
		m0 = max(m0, x[0])
	}
	return max(m0, m1)
}

// Min returns the smallest element, NaN if there is one, +∞ of nothing.
func Min(x []float64) float64 {
	if level != cpu.Portable && len(x) >= longVector {
		if m, nan := vectorMin64(x); !nan && m != 0 {
			return m
		}
	}
	m0, m1 := float64(math.Inf(1)), float64(math.Inf(1))
	for len(x) >= 2 {
		m0 = min(m0, x[0])
		m1 = min(m1, x[1])
		x = x[2:]
	}
	if len(x) > 0 {
		m0 = min(m0, x[0])
	}
	return min(m0, m1)
}

// Prod returns the product of x in eight lanes, each starting from 1 and
// combined as those of a sum.
func Prod(x []float64) float64 {
	p := [8]float64{1, 1, 1, 1, 1, 1, 1, 1}
	for i, v := range x {
		p[i&7] *= v
	}
	return ((p[0] * p[4]) * (p[2] * p[6])) * ((p[1] * p[5]) * (p[3] * p[7]))
}
