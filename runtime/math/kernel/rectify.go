package kernel

import "github.com/sgppl/sgppl/runtime/math/special"

// AddRelu writes the rectified units max(x[i, j] + bias[j], 0) into dst [rows,
// len(bias)]; dst may be x. A sum that is not a number gives 0, as special.Relu does.
func AddRelu(dst, x, bias []float64, rows int) {
	width := len(bias)
	n := rows * width
	dst, x = dst[:n], x[:n]
	if n == 0 || addRelu64(dst, x, bias, rows) {
		return
	}
	for i := 0; i < n; i += width {
		d, x := dst[i:i+width], x[i:i+width]
		for j, b := range bias {
			d[j] = special.Relu(b + x[j])
		}
	}
}

// Positive writes x[i] where a[i] > 0 and x[i]·0 elsewhere: the cotangents of
// what went into rectified units a, or of their sums.
func Positive(dst, a, x []float64) {
	a, x = a[:len(dst)], x[:len(dst)]
	if len(dst) == 0 || positive64(dst, a, x) {
		return
	}
	for i, v := range x {
		dst[i] = float64(special.Bool(a[i] > 0) * v)
	}
}
