package kernel

import "math"

// triangleRows is how many rows are reduced at a time.
const triangleRows = 256

// Triangle writes the upper triangular R with RᵀR = XᵀX of batch matrices X,
// n×k by rows, to dst, k×k each: the factor of X = QR, whose diagonal is not
// below 0. Rows are added to the triangle in blocks by reflections (Householder;
// Golub and Van Loan 2013, algorithm 5.1.1 and section 5.2.3), so that R has
// the error of X rounded once, be X ill-conditioned or of lower rank. It takes
// 2 n k² operations.
func Triangle(dst, x []float64, batch, n, k int) {
	held := takeScratch(k * triangleRows)
	defer held.give()
	block := held.x // by columns
	for m := range batch {
		r := dst[m*k*k:][:k*k]
		clear(r)
		a := x[m*n*k:][:n*k]
		for from := 0; from < n; from += triangleRows {
			rows := min(triangleRows, n-from)
			for i := range rows {
				for j, v := range a[(from+i)*k:][:k] {
					block[j*rows+i] = v
				}
			}
			for j := range k {
				reflect(r, block, rows, j, k)
			}
		}
	}
}

// reflect makes column j of the block 0 by the reflection that leaves
// (r[j,j], column j) on the axis of r[j,j], and applies it to the columns after j.
func reflect(r, block []float64, rows, j, k int) {
	col := block[j*rows:][:rows]
	sigma := Dot(col, col)
	if sigma == 0 {
		return
	}
	alpha := r[j*k+j]
	mu := math.Sqrt(float64(alpha*alpha) + sigma)
	head := -sigma / (alpha + mu) // alpha − mu without cancellation; alpha is not below 0
	beta := float64(2*float64(head*head)) / (sigma + float64(head*head))
	r[j*k+j] = mu
	for c := j + 1; c < k; c++ {
		other := block[c*rows:][:rows]
		w := float64(beta * (r[j*k+c] + Dot(col, other)/head))
		r[j*k+c] -= w
		Axpy(-w/head, col, other)
	}
}

// Triangle32 is Triangle for matrices in single precision: it computes in
// double precision and rounds the results once.
func Triangle32(dst, x []float32, batch, n, k int) {
	in, out := takeScratch(n*k), takeScratch(k*k)
	defer in.give()
	defer out.give()
	for m := range batch {
		for i, v := range x[m*n*k:][:n*k] {
			in.x[i] = float64(v)
		}
		Triangle(out.x, in.x, 1, n, k)
		to := dst[m*k*k:][:k*k]
		for i, v := range out.x {
			to[i] = float32(v)
		}
	}
}
