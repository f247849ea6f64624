package kernel

import "github.com/sgppl/sgppl/runtime/math/cpu"

// strip16 is how many elements the passes of assembly take at a time; the rest
// is done here, with the same roundings.
const strip16 = 16

// shortPass is the number of elements below which assembly is slower than Go: vector loads of
// numbers that were stored one by one have to wait for the stores.
const shortPass = 96

// whole16 is how many elements of n assembly takes.
func whole16(n int) int {
	if level == cpu.Portable || n < shortPass {
		return 0
	}
	return n &^ (strip16 - 1)
}

// Narrow writes src in single precision, rounded to nearest, over the length of dst.
func Narrow(dst []float32, src []float64) {
	src = src[:len(dst)]
	n := whole16(len(dst))
	if n > 0 {
		vectorNarrow(dst[:n], src)
	}
	for i := n; i < len(dst); i++ {
		dst[i] = float32(src[i])
	}
}

// Widen writes src in double precision over the length of dst.
func Widen(dst []float64, src []float32) {
	src = src[:len(dst)]
	n := whole16(len(dst))
	if n > 0 {
		vectorWiden(dst[:n], src)
	}
	for i := n; i < len(dst); i++ {
		dst[i] = float64(src[i])
	}
}

// Combine writes a·x + b·y over the length of dst, which may be x or y.
func Combine(dst, x []float64, a float64, y []float64, b float64) {
	x, y = x[:len(dst)], y[:len(dst)]
	n := whole16(len(dst))
	if n > 0 {
		c := [2]float64{a, b}
		vectorCombine64(dst[:n], x, y, c[:])
	}
	for i := n; i < len(dst); i++ {
		dst[i] = float64(a*x[i]) + float64(b*y[i])
	}
}

// Combine32 is Combine in single precision.
func Combine32(dst, x []float32, a float32, y []float32, b float32) {
	x, y = x[:len(dst)], y[:len(dst)]
	n := whole16(len(dst))
	if n > 0 {
		c := [2]float32{a, b}
		vectorCombine32(dst[:n], x, y, c[:])
	}
	for i := n; i < len(dst); i++ {
		dst[i] = float32(a*x[i]) + float32(b*y[i])
	}
}

// CombineWide32 is Combine32 with the result widened.
func CombineWide32(dst []float64, x []float32, a float32, y []float32, b float32) {
	x, y = x[:len(dst)], y[:len(dst)]
	n := whole16(len(dst))
	if n > 0 {
		c := [2]float32{a, b}
		vectorCombineWide(dst[:n], x, y, c[:])
	}
	for i := n; i < len(dst); i++ {
		dst[i] = float64(float32(a*x[i]) + float32(b*y[i]))
	}
}
