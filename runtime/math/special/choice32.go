package special

import "math"

// The choices in single precision, on bits as those of choice.go.

const one32 = 0x3f800000 // the bits of 1

// Bool32 is 1 for true and 0 for false.
func Bool32(b bool) float32 {
	w := uint32(one32)
	if !b {
		w = 0
	}
	return math.Float32frombits(w)
}

// Select32 is a where c is not 0, else b.
func Select32(c, a, b float32) float32 {
	i := int32(0)
	if c != 0 {
		i = -1
	}
	m := uint32(i)
	return math.Float32frombits(math.Float32bits(a)&m | math.Float32bits(b)&^m)
}

// Mul032 is x y, and 0 where x is 0 whatever y is: Mul0 in single precision.
func Mul032(x, y float32) float32 {
	w := math.Float32bits(float32(x * y))
	if x == 0 {
		w = 0
	}
	return math.Float32frombits(w)
}

// Abs32 is |x|.
func Abs32(x float32) float32 { return math.Float32frombits(math.Float32bits(x) &^ (1 << 31)) }

// Sqrt32 is √x, rounded once.
func Sqrt32(x float32) float32 { return float32(math.Sqrt(float64(x))) }

// Sign32 is −1, 0 or 1; NaN of NaN.
func Sign32(x float32) float32 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return x
}

// Min32 is the smaller of two numbers; NaN if either is.
func Min32(x, y float32) float32 {
	v, w := math.Float32bits(x), math.Float32bits(y)
	if x <= y {
		w = v
	}
	if x != x {
		w = v
	}
	return math.Float32frombits(w)
}

// Max32 is the larger of two numbers; NaN if either is.
func Max32(x, y float32) float32 {
	v, w := math.Float32bits(x), math.Float32bits(y)
	if x >= y {
		w = v
	}
	if x != x {
		w = v
	}
	return math.Float32frombits(w)
}

// Relu32 is max(x, 0).
func Relu32(x float32) float32 {
	w := math.Float32bits(x)
	if !(x > 0) {
		w = 0
	}
	return math.Float32frombits(w)
}
