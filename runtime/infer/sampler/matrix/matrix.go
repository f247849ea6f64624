// Package matrix has small square matrices: eigenvectors, Cholesky factors, quadratic forms.
// Products are rounded one by one, so that the numbers are the same on every machine.
package matrix

import "math"

// A Square is a small matrix, row after row in A.
type Square struct {
	N int
	A []float64
}

// New returns a matrix of n rows of zeros.
func New(n int) Square { return Square{n, make([]float64, n*n)} }

// At returns the entry of row i and column j.
func (m Square) At(i, j int) float64 { return m.A[i*m.N+j] }

// Set puts x into row i and column j.
func (m Square) Set(i, j int, x float64) { m.A[i*m.N+j] = x }

// Symmetrise replaces m by its symmetric part.
func (m Square) Symmetrise() {
	for i := range m.N {
		for j := range i {
			x := (m.At(i, j) + m.At(j, i)) / 2
			m.Set(i, j, x)
			m.Set(j, i, x)
		}
	}
}

// Form returns uᵀ m u.
func (m Square) Form(u []float64) float64 {
	sum := 0.0
	for i, x := range u {
		for j, y := range u {
			sum += float64(x * float64(m.At(i, j)*y))
		}
	}
	return sum
}

// sweeps is the largest number of passes of Jacobi's method, which takes fewer than ten.
const sweeps = 30

// Eigen diagonalises the symmetric matrix m in place by Jacobi's rotations (Golub and Van Loan,
// Matrix Computations, section 8.5), and writes the eigenvectors to the columns of vectors. It
// allocates nothing.
func (m Square) Eigen(vectors Square) {
	n := m.N
	clear(vectors.A)
	for i := range n {
		vectors.Set(i, i, 1)
	}
	for range sweeps {
		off, all := 0.0, 0.0
		for i := range n {
			for j := range n {
				x := float64(m.At(i, j) * m.At(i, j))
				all += x
				if i != j {
					off += x
				}
			}
		}
		if !(off > 1e-24*all) {
			return
		}
		for p := range n {
			for q := p + 1; q < n; q++ {
				m.rotate(vectors, p, q)
			}
		}
	}
}

// rotate applies the Jacobi rotation that makes the entry (p, q) zero.
func (m Square) rotate(vectors Square, p, q int) {
	apq := m.At(p, q)
	if apq == 0 {
		return
	}
	theta := (m.At(q, q) - m.At(p, p)) / (2 * apq)
	t := 1 / (math.Abs(theta) + math.Sqrt(float64(theta*theta)+1))
	if theta < 0 {
		t = -t
	}
	c := 1 / math.Sqrt(float64(t*t)+1)
	s := float64(t * c)
	turn := func(w Square, i, j, k, l int) {
		x, y := w.At(i, j), w.At(k, l)
		w.Set(i, j, float64(c*x)-float64(s*y))
		w.Set(k, l, float64(s*x)+float64(c*y))
	}
	for k := range m.N {
		turn(m, k, p, k, q)
	}
	for k := range m.N {
		turn(m, p, k, q, k)
		turn(vectors, k, p, k, q)
	}
}

// Column returns a copy of the j-th column.
func (m Square) Column(j int) []float64 {
	out := make([]float64, m.N)
	for i := range out {
		out[i] = m.At(i, j)
	}
	return out
}

// Cholesky replaces the lower triangle of the symmetric, positive definite matrix m by its factor L
// with L Lᵀ = m, and sets the entries above it to zero. It returns false if m is not positive
// definite.
func (m Square) Cholesky() bool {
	for i := range m.N {
		for j := range i + 1 {
			sum := m.At(i, j)
			for k := range j {
				sum -= float64(m.At(i, k) * m.At(j, k))
			}
			if j < i {
				m.Set(i, j, sum/m.At(j, j))
				continue
			}
			if !(sum > 0) || math.IsInf(sum, 1) {
				return false
			}
			m.Set(i, i, math.Sqrt(sum))
		}
		for j := i + 1; j < m.N; j++ {
			m.Set(i, j, 0)
		}
	}
	return true
}

// LowerSolve replaces x by the y with L y = x, where L is the lower triangle of m.
func (m Square) LowerSolve(x []float64) {
	for i := range x {
		sum := x[i]
		for j := range i {
			sum -= float64(m.At(i, j) * x[j])
		}
		x[i] = sum / m.At(i, i)
	}
}

// Sorted writes the indices of the eigenvalues on the diagonal, the largest first, for a matrix
// that Eigen has diagonalised.
func Sorted(m Square, order []int) []int {
	for i := range order {
		at := i
		for ; at > 0 && m.At(order[at-1], order[at-1]) < m.At(i, i); at-- {
			order[at] = order[at-1]
		}
		order[at] = i
	}
	return order
}

// Combine replaces the first rows by their combinations with the given columns of
// vectors.
func Combine[T float32 | float64](
	rows [][]T, vectors Square, columns []int, column []float64,
) {
	for x := range rows[0] {
		for j := range column {
			column[j] = float64(rows[j][x])
		}
		for i, k := range columns {
			sum := 0.0
			for j, y := range column {
				sum += float64(vectors.At(j, k) * y)
			}
			rows[i][x] = T(sum)
		}
	}
}
