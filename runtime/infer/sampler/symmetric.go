package sampler

import "math"

// A square is a small matrix, row after row.
type square struct {
	n int
	a []float64
}

func newSquare(n int) square { return square{n, make([]float64, n*n)} }

func (m square) at(i, j int) float64     { return m.a[i*m.n+j] }
func (m square) set(i, j int, x float64) { m.a[i*m.n+j] = x }

// symmetrise makes m its symmetric part.
func (m square) symmetrise() {
	for i := range m.n {
		for j := range i {
			x := (m.at(i, j) + m.at(j, i)) / 2
			m.set(i, j, x)
			m.set(j, i, x)
		}
	}
}

// form is uᵀ m u.
func (m square) form(u []float64) float64 {
	sum := 0.0
	for i, x := range u {
		for j, y := range u {
			sum += float64(x * float64(m.at(i, j)*y))
		}
	}
	return sum
}

// sweeps bounds the passes of Jacobi's method; it takes less than ten.
const sweeps = 30

// eigen makes m, which is symmetric, diagonal by Jacobi's rotations (Golub and
// Van Loan, Matrix Computations, section 8.5), and the columns of vectors its
// eigenvectors. It allocates nothing.
func (m square) eigen(vectors square) {
	n := m.n
	clear(vectors.a)
	for i := range n {
		vectors.set(i, i, 1)
	}
	for range sweeps {
		off, all := 0.0, 0.0
		for i := range n {
			for j := range n {
				x := float64(m.at(i, j) * m.at(i, j))
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

// rotate is Jacobi's rotation that makes the entry (p, q) zero.
func (m square) rotate(vectors square, p, q int) {
	apq := m.at(p, q)
	if apq == 0 {
		return
	}
	theta := (m.at(q, q) - m.at(p, p)) / (2 * apq)
	t := 1 / (math.Abs(theta) + math.Sqrt(float64(theta*theta)+1))
	if theta < 0 {
		t = -t
	}
	c := 1 / math.Sqrt(float64(t*t)+1)
	s := float64(t * c)
	turn := func(w square, i, j, k, l int) {
		x, y := w.at(i, j), w.at(k, l)
		w.set(i, j, float64(c*x)-float64(s*y))
		w.set(k, l, float64(s*x)+float64(c*y))
	}
	for k := range m.n {
		turn(m, k, p, k, q)
	}
	for k := range m.n {
		turn(m, p, k, q, k)
		turn(vectors, k, p, k, q)
	}
}

// column is the j-th.
func (m square) column(j int) []float64 {
	out := make([]float64, m.n)
	for i := range out {
		out[i] = m.at(i, j)
	}
	return out
}

// cholesky makes of the lower triangle of m, which is symmetric and positive
// definite, its factor L with L Lᵀ = m, and zeros above it. It is false where m is
// not positive definite.
func (m square) cholesky() bool {
	for i := range m.n {
		for j := range i + 1 {
			sum := m.at(i, j)
			for k := range j {
				sum -= float64(m.at(i, k) * m.at(j, k))
			}
			if j < i {
				m.set(i, j, sum/m.at(j, j))
				continue
			}
			if !(sum > 0) || math.IsInf(sum, 1) {
				return false
			}
			m.set(i, i, math.Sqrt(sum))
		}
		for j := i + 1; j < m.n; j++ {
			m.set(i, j, 0)
		}
	}
	return true
}

// lowerSolve makes x of L y = x its y, with L this lower triangle.
func (m square) lowerSolve(x []float64) {
	for i := range x {
		sum := x[i]
		for j := range i {
			sum -= float64(m.at(i, j) * x[j])
		}
		x[i] = sum / m.at(i, i)
	}
}
