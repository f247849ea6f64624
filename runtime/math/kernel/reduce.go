package kernel

import "github.com/sgppl/sgppl/runtime/math/cpu"

// Sum returns the sum of x in eight lanes.
func Sum(x []float64) float64 {
	if level == cpu.Portable || len(x) < shortVector {
		return portableSum(x)
	}
	return vectorSum(x)
}

// Dot returns Σ x[i]·y[i] in eight lanes, over the length of x.
func Dot(x, y []float64) float64 {
	if level == cpu.Portable || len(x) < shortVector {
		return portableDot(x, y)
	}
	return vectorDot(x, y[:len(x)])
}

// Sum32 returns the sum of x in eight lanes of double precision.
func Sum32(x []float32) float64 {
	if level == cpu.Portable || len(x) < shortVector {
		return portableSum32(x)
	}
	return vectorSum32(x)
}

// Dot32 returns Σ x[i]·y[i] in eight lanes of double precision, where the
// products are exact, over the length of x.
func Dot32(x, y []float32) float64 {
	if level == cpu.Portable || len(x) < shortVector {
		return portableDot32(x, y)
	}
	return vectorDot32(x, y[:len(x)])
}

// shortVector is below how many elements a call of assembly does not pay.
const shortVector = 12

// narrow is up to how many columns rows are multiplied without a loop over them.
const narrow = 4
