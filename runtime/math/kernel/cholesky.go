package kernel

import "math"

// Matrices here are square, n by n, one after another, and of each only the
// lower triangle is read. Inner sums of factorisations are those of Dot and Axpy.

// Cholesky writes the lower triangular factors L of batch symmetric matrices
// A = L Lᵀ, row by row, with zeros above the diagonal:
//
//	L[i, j] = (A[i, j] − Σ_{k<j} L[i, k] L[j, k]) / L[j, j],  j < i
//	L[i, i] = √(A[i, i] − Σ_{k<i} L[i, k]²)
//
// Where A is not positive definite, or not finite, the lower triangle is NaN.
// dst is a or does not overlap it.
// Source: Golub & Van Loan (2013), Matrix Computations, 4th edition, §4.2.
func Cholesky(dst, a []float64, batch, n int) {
	for m := range batch {
		cholesky(dst[m*n*n:][:n*n], a[m*n*n:][:n*n], n)
	}
}

func cholesky(l, a []float64, n int) {
	for i := range n {
		row := l[i*n:][:n]
		copy(row[:i+1], a[i*n:][:i+1])
		clear(row[i+1:])
		for j := range i {
			other := l[j*n:][:j+1]
			row[j] = (row[j] - Dot(row[:j], other)) / other[j]
		}
		pivot := row[i] - Dot(row[:i], row)
		if !(pivot > 0 && pivot <= math.MaxFloat64) {
			poison(l, n)
			return
		}
		row[i] = math.Sqrt(pivot)
	}
}

// poison fills the lower triangle with NaN, and the rest with 0.
func poison(l []float64, n int) {
	for i := range n {
		row := l[i*n:][:n]
		for j := range i + 1 {
			row[j] = math.NaN()
		}
		clear(row[i+1:])
	}
}

// CholeskyAdjoint writes the cotangents of the lower triangles that Cholesky
// read, given its results L and their cotangents; zeros above the diagonal.
// It takes the steps of the factorisation back, from the last column to the
// first. dst is cot or does not overlap it, and does not overlap l.
// Source: Murray (2016), Differentiation of the Cholesky decomposition,
// arXiv:1602.07527, section 4.2; after Smith (1995).
func CholeskyAdjoint(dst, l, cot []float64, batch, n int) {
	for m := range batch {
		choleskyAdjoint(dst[m*n*n:][:n*n], l[m*n*n:][:n*n], cot[m*n*n:][:n*n], n)
	}
}

func choleskyAdjoint(c, l, cot []float64, n int) {
	for i := range n {
		row := c[i*n:][:n]
		copy(row[:i+1], cot[i*n:][:i+1])
		clear(row[i+1:])
	}
	for j := n - 1; j >= 0; j-- {
		row, own := l[j*n:][:j], c[j*n:][:j] // left of the diagonal
		d := l[j*n+j]
		s := c[j*n+j]
		for i := j + 1; i < n; i++ {
			v := c[i*n+j] / d
			s -= float64(l[i*n+j] * v)
			c[i*n+j] = v
		}
		s /= d
		c[j*n+j] = 0.5 * s
		Axpy(-s, row, own)
		rankOnes(own, row, c, l, j, n)
	}
}

// rankOnes takes column j of c back: with v = −c[i, j], it adds v L[i, :j] to
// own and v row to c[i, :j] for every i > j, in order, four at a time.
func rankOnes(own, row, c, l []float64, j, n int) {
	own = own[:len(row)]
	i := j + 1
	for ; i+4 <= n; i += 4 {
		v0, v1, v2, v3 := -c[i*n+j], -c[(i+1)*n+j], -c[(i+2)*n+j], -c[(i+3)*n+j]
		c0, c1, c2, c3 := c[i*n:][:len(row)], c[(i+1)*n:][:len(row)], c[(i+2)*n:][:len(row)],
			c[(i+3)*n:][:len(row)]
		l0, l1, l2, l3 := l[i*n:][:len(row)], l[(i+1)*n:][:len(row)], l[(i+2)*n:][:len(row)],
			l[(i+3)*n:][:len(row)]
		for k, r := range row {
			s := own[k]
			s += float64(v0 * l0[k])
			s += float64(v1 * l1[k])
			s += float64(v2 * l2[k])
			s += float64(v3 * l3[k])
			own[k] = s
			c0[k] += float64(v0 * r)
			c1[k] += float64(v1 * r)
			c2[k] += float64(v2 * r)
			c3[k] += float64(v3 * r)
		}
	}
	for ; i < n; i++ {
		v := -c[i*n+j]
		Axpy(v, l[i*n:][:j], own)
		Axpy(v, row, c[i*n:][:j])
	}
}
