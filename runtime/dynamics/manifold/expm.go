package manifold

import (
	"math"

	"github.com/sgppl/sgppl/runtime/math/kernel"
)

// An expm is the workspace of matrix exponentials of order n: diagonal Padé
// approximants of degree 5 or 9, the latter with scaling and squaring (Higham,
// "The Scaling and Squaring Method for the Matrix Exponential Revisited", 2005).
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

// Norms up to which the backward error of degrees 5 and 9 is below the rounding
// unit (Higham, table 2.3).
const (
	pade5Norm = 0.25393983300632302
	pade9Norm = 2.097847961257068
)

// The coefficients of the numerators; the denominators have those of odd
// powers with the other sign.
var (
	pade5 = [6]float64{30240, 15120, 3360, 420, 30, 1}
	pade9 = [10]float64{17643225600, 8821612800, 2075673600, 302702400, 30270240, 2162160, 110880,
		3960, 90, 1}
)

// run overwrites m with its exponential and returns how often it squared. m
// must be finite.
func (e *expm) run(m []float64) (squarings int) {
	n := e.n
	norm := norm1(m, n)
	if norm > pade9Norm {
		_, squarings = math.Frexp(norm / pade9Norm)
		unit := math.Ldexp(1, -squarings)
		for i := range m {
			m[i] *= unit
		}
	}
	copy(e.a, m)
	e.mul(e.a2, e.a, e.a)
	e.mul(e.a4, e.a2, e.a2)
	// U = A (… + b₃A² + b₁) with the bracket in num, V = … + b₂A² + b₀ in m;
	// (V − U) E = V + U.
	b := pade5[:]
	if norm <= pade5Norm {
		for i := range m {
			e.num[i] = float64(b[5]*e.a4[i]) + float64(b[3]*e.a2[i])
			m[i] = float64(b[4]*e.a4[i]) + float64(b[2]*e.a2[i])
		}
	} else {
		b = pade9[:]
		e.mul(e.a6, e.a4, e.a2)
		e.mul(e.a8, e.a4, e.a4)
		for i := range m {
			e.num[i] = float64(b[9]*e.a8[i]) + float64(b[7]*e.a6[i]) +
				(float64(b[5]*e.a4[i]) + float64(b[3]*e.a2[i]))
			m[i] = float64(b[8]*e.a8[i]) + float64(b[6]*e.a6[i]) +
				(float64(b[4]*e.a4[i]) + float64(b[2]*e.a2[i]))
		}
	}
	for i := range n {
		e.num[i*n+i] += b[1]
		m[i*n+i] += b[0]
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

// smallProduct is the number of multiplications below which a product is
// written out.
const smallProduct = 4096

// gemm writes a·b, or aᵀ·b, [m, n] with inner size k, all rows contiguous.
// Small products are written out, in the same order of sums.
func gemm(dst, a, b []float64, m, n, k int, transpose bool) {
	if m*n*k <= smallProduct && !transpose {
		for i := range m {
			d := dst[i*n : i*n+n]
			clear(d)
			for p, f := range a[i*k : i*k+k] {
				r := b[p*n : p*n+n]
				r = r[:len(d)]
				for j := range d {
					d[j] += float64(f * r[j])
				}
			}
		}
		return
	}
	if m*n*k <= smallProduct {
		clear(dst[:m*n])
		for p := range k {
			r := b[p*n : p*n+n]
			for i, f := range a[p*m : p*m+m] {
				d := dst[i*n : i*n+n]
				d = d[:len(r)]
				for j := range r {
					d[j] += float64(f * r[j])
				}
			}
		}
		return
	}
	stride := k
	if transpose {
		stride = m
	}
	kernel.Gemm(kernel.Matrix{Data: dst, Stride: n}, kernel.Matrix{Data: a, Stride: stride},
		kernel.Matrix{Data: b, Stride: n}, m, n, k, transpose, false, false)
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
