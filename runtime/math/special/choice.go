package special

import "math"

// The choices below that models make entry by entry are made on bits: the
// compiler has conditional moves for integers and jumps for numbers, and where
// signs come as they like a jump costs ten times as much.

// Bool is 1 for true and 0 for false.
func Bool(b bool) float64 {
	w := uint64(expOne)
	if !b {
		w = 0
	}
	return math.Float64frombits(w)
}

// Select is a where c is not 0, else b.
func Select(c, a, b float64) float64 {
	v := math.Float64bits(b)
	if math.Float64bits(c)<<1 != 0 {
		v = math.Float64bits(a)
	}
	return math.Float64frombits(v)
}

// Mul0 is x y, and 0 where x is 0 whatever y is: the product with a
// cotangent that a branch has switched off.
func Mul0(x, y float64) float64 {
	w := math.Float64bits(float64(x * y)) // inlined into a sum it may not be fused either
	if math.Float64bits(x)<<1 == 0 {
		w = 0
	}
	return math.Float64frombits(w)
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
	v, w := math.Float64bits(x), math.Float64bits(y)
	if x <= y {
		w = v
	}
	if x != x {
		w = v
	}
	return math.Float64frombits(w)
}

// Max is the larger of two numbers; NaN if either is.
func Max(x, y float64) float64 {
	v, w := math.Float64bits(x), math.Float64bits(y)
	if x >= y {
		w = v
	}
	if x != x {
		w = v
	}
	return math.Float64frombits(w)
}

// Mod is x − y ⌊x/y⌋, the remainder with the sign of y. It is exact where it
// has the sign of x, and rounded once elsewhere: the quotient is never formed.
func Mod(x, y float64) float64 {
	r := math.Mod(x, y)
	if r != 0 && r < 0 != (y < 0) {
		r += y
	}
	return r + 0 // never −0
}

// Relu is max(x, 0).
func Relu(x float64) float64 {
	w := math.Float64bits(x)
	if !(x > 0) {
		w = 0
	}
	return math.Float64frombits(w)
}
