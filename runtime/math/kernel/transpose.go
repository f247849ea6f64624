package kernel

// Transpose writes x [m, n] by columns: dst[j, i] = x[i, j].
func Transpose(dst, x []float64, m, n int) {
	dst, x = dst[:m*n], x[:m*n]
	if m < 2 || n < 2 {
		copy(dst, x)
		return
	}
	pack64(dst, x, 1, n, n, m, m)
}

// Transpose32 is Transpose in single precision.
func Transpose32(dst, x []float32, m, n int) {
	dst, x = dst[:m*n], x[:m*n]
	if m < 2 || n < 2 {
		copy(dst, x)
		return
	}
	pack32(dst, x, 1, n, n, m, m)
}
