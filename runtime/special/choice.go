package special

import "math"

// Bool is 1 for true and 0 for false.
func Bool(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// Select is a where c is not 0, else b.
func Select(c, a, b float64) float64 {
	if c != 0 {
		return a
	}
	return b
}

// Mul0 is x y, and 0 where x is 0 whatever y is: the product with a
// cotangent that a branch has switched off.
func Mul0(x, y float64) float64 {
	if x == 0 {
		return 0
	}
	return float64(x * y) // inlined into a sum it may not be fused either
}

// Sign is −1, 0 or 1; NaN of NaN.
func Sign(x float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return x
}

// Min is the smaller of two numbers; NaN if either is.
func Min(x, y float64) float64 {
	if x <= y || x != x {
		return x
	}
	return y
}

// Max is the larger of two numbers; NaN if either is.
func Max(x, y float64) float64 {
	if x >= y || x != x {
		return x
	}
	return y
}

// Mod is x − y ⌊x/y⌋: the remainder with the sign of y.
func Mod(x, y float64) float64 { return x - float64(y*math.Floor(x/y)) }

// Relu is max(x, 0).
func Relu(x float64) float64 {
	if x > 0 {
		return x
	}
	return 0
}
