package manifold

import (
	"math"

	"github.com/sgppl/sgppl/runtime/kernel"
)

// An expm is the workspace of matrix exponentials of order n: the diagonal
// Padé approximant of degree 9 with scaling and squaring (Higham, "The Scaling
// and Squaring Method for the Matrix Exponential Revisited", 2005).
type expm struct {
	n                      int
	a, a2, a4, a6, a8, num []float64 // n × n
}

func newExpm(n int) *expm {
	e := &expm{n: n}
	for _, p := range []*[]float64{&e.a, &e.a2, &e.a4, &e.a6, &e.a8, &e.num} {
		*p = make([]float64, n*n)
	}
	return e
}

// padeNorm is the 1-norm up to which the approximant's backward error is below
// the rounding unit (Higham, table 2.3).
const padeNorm = 2.097847961257068

// pade has the coefficients of the numerator; the denominator has those of
// odd powers with the other sign.
var pade = [10]float64{17643225600, 8821612800, 2075673600, 302702400, 30270240, 2162160, 110880, 3960, 90, 1}

// run overwrites m with its exponential and returns how often it squared. m
// must be finite.
func (e *expm) run(m []float64) (squarings int) {
	n := e.n
	if norm := norm1(m, n); norm > padeNorm {
		_, squarings = math.Frexp(norm / padeNorm)
		unit := math.Ldexp(1, -squarings)
		for i := range m {
			m[i] *= unit
		}
	}
	copy(e.a, m)
	e.mul(e.a2, e.a, e.a)
	e.mul(e.a4, e.a2, e.a2)
	e.mul(e.a6, e.a4, e.a2)
	e.mul(e.a8, e.a4, e.a4)
	// U = A (b₉A⁸ + …) in num, V = b₈A⁸ + … in m; (V − U) E = V + U.
	for i := range m {
		e.num[i] = float64(pade[9]*e.a8[i]) + float64(pade[7]*e.a6[i]) + (float64(pade[5]*e.a4[i]) + float64(pade[3]*e.a2[i]))
		m[i] = float64(pade[8]*e.a8[i]) + float64(pade[6]*e.a6[i]) + (float64(pade[4]*e.a4[i]) + float64(pade[2]*e.a2[i]))
	}
	for i := range n {
		e.num[i*n+i] += pade[1]
		m[i*n+i] += pade[0]
	}
	e.mul(e.a2, e.a, e.num)
	for i, u := range e.a2 {
		e.a[i] = m[i] - u
		m[i] += u
	}
	solve(e.a, m, n)
	for range squarings {
		e.mul(e.a2, m, m)
		copy(m, e.a2)
	}
	return squarings
}

// mul writes the product of two matrices.
func (e *expm) mul(dst, a, b []float64) { gemm(dst, a, b, e.n, e.n, e.n, false) }

// gemm writes a·b, or aᵀ·b, [m, n] with inner size k, all rows contiguous.
func gemm(dst, a, b []float64, m, n, k int, transpose bool) {
	stride := k
	if transpose {
		stride = m
	}
	kernel.Gemm(kernel.Matrix{Data: dst, Stride: n}, kernel.Matrix{Data: a, Stride: stride}, kernel.Matrix{Data: b, Stride: n}, m, n, k, transpose, false, false)
}

// norm1 is the largest sum of a column's magnitudes.
func norm1(a []float64, n int) float64 {
	norm := 0.0
	for j := range n {
		sum := 0.0
		for i := range n {
			sum += math.Abs(a[i*n+j])
		}
		norm = max(norm, sum)
	}
	return norm
}

// solve overwrites b with a⁻¹b by elimination with partial pivoting; a is
// destroyed. The denominators of Padé approximants are well conditioned.
func solve(a, b []float64, n int) {
	for c := range n {
		p := c
		for i := c + 1; i < n; i++ {
			if math.Abs(a[i*n+c]) > math.Abs(a[p*n+c]) {
				p = i
			}
		}
		if p != c {
			swap(a[p*n:p*n+n], a[c*n:c*n+n])
			swap(b[p*n:p*n+n], b[c*n:c*n+n])
		}
		inv := 1 / a[c*n+c]
		for i := c + 1; i < n; i++ {
			if f := -float64(a[i*n+c] * inv); f != 0 {
				kernel.Axpy(f, a[c*n+c:c*n+n], a[i*n+c:i*n+n])
				kernel.Axpy(f, b[c*n:c*n+n], b[i*n:i*n+n])
			}
		}
	}
	for c := n - 1; c >= 0; c-- {
		row := b[c*n : c*n+n]
		for j := c + 1; j < n; j++ {
			kernel.Axpy(-a[c*n+j], b[j*n:j*n+n], row)
		}
		inv := 1 / a[c*n+c]
		for j := range row {
			row[j] *= inv
		}
	}
}

func swap(a, b []float64) {
	for i := range a {
		a[i], b[i] = b[i], a[i]
	}
}
