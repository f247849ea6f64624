package manifold

import (
	"fmt"
	"math"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/math/kernel"
)

// A PositiveDefinite is the space of symmetric positive definite k × k matrices P with the
// affine-invariant metric, tr (P⁻¹ dP)². A state is the Cholesky factor L of P, k × k with
// zeros above the diagonal. Densities are with respect to the volume of the metric.
//
// A velocity is a symmetric matrix S, which stands for the tangent vector L S Lᵀ: its length
// is tr S² = v·v.
//
// Source: Pennec, Fillard and Ayache (2006), A Riemannian framework for tensor computing,
// section 3. The Cholesky factor as the root of P keeps small eigenvalues exact.
type PositiveDefinite struct {
	k       int
	exp     *expm
	e, c, q []float64 // k × k: exp tS/2, the factor of exp tS, and products
}

func newPositiveDefinite(g target.Geometry) (Manifold, error) {
	if g.Dim < 1 || g.Cols != g.Dim {
		return nil, fmt.Errorf("positive definite matrices are square, not %d by %d", g.Dim, g.Cols)
	}
	return NewPositiveDefinite(g.Dim), nil
}

// NewPositiveDefinite is the space of k × k matrices, k ≥ 1.
func NewPositiveDefinite(k int) *PositiveDefinite {
	m := &PositiveDefinite{k: k, exp: newExpm(k)}
	for _, p := range []*[]float64{&m.e, &m.c, &m.q} {
		*p = make([]float64, k*k)
	}
	return m
}

// Kind is the name of the row.
func (*PositiveDefinite) Kind() string { return "positive_definite" }

// Dim is k (k + 1) / 2.
func (m *PositiveDefinite) Dim() int { return m.k * (m.k + 1) / 2 }

// Ambient is k².
func (m *PositiveDefinite) Ambient() int { return m.k * m.k }

// Flow is P → L exp(tS) Lᵀ. With the Cholesky factor C of exp tS the new factor is L C, and
// the frame turns by Q = exp(−tS/2) C, an orthogonal matrix: S → Qᵀ S Q.
func (m *PositiveDefinite) Flow(x, v []float64, t float64) {
	k := m.k
	size := maxAbs(v)
	switch {
	case size == 0:
		return
	case size-size != 0 || float64(size*math.Abs(t)*float64(k)) > farExponent:
		fill(x, math.NaN()) // an end that numbers do not reach
		return
	}
	energy := m.square(v, size)
	m.exponential(v, t/2)
	gemm(m.q, m.e, m.e, k, k, k, true)
	kernel.Cholesky(m.c, m.q, 1, k)
	gemm(m.q, x, m.c, k, k, k, false)
	copy(x, m.q)
	m.exponential(v, -t/2)
	gemm(m.q, m.e, m.c, k, k, k, false)
	gemm(m.e, v, m.q, k, k, k, false)
	gemm(v, m.q, m.e, k, k, k, true)
	m.Project(x, v)
	if after := m.square(v, size); after > 0 {
		kernel.Axpy(math.Sqrt(energy/after)-1, v, v)
	}
}

// farExponent bounds the exponents of eigenvalues in one flow: squares of e^x overflow
// beyond.
const farExponent = 300

// square is the sum of squares of v/size.
func (m *PositiveDefinite) square(v []float64, size float64) float64 {
	s := 0.0
	for _, a := range v {
		s += float64((a / size) * (a / size))
	}
	return s
}

// exponential writes exp(t v) into e.
func (m *PositiveDefinite) exponential(v []float64, t float64) {
	for i, a := range v {
		m.e[i] = float64(t * a)
	}
	m.exp.run(m.e)
}

// Project is the symmetric part.
func (m *PositiveDefinite) Project(x, u []float64) {
	k := m.k
	for i := range k {
		for j := range i {
			a := 0.5 * (u[i*k+j] + u[j*k+i])
			u[i*k+j], u[j*k+i] = a, a
		}
	}
}

// Pull takes the derivatives G by the entries of L to those by S. The change of L along S is
// L Φ(S), where Φ keeps the lower triangle with half the diagonal, so that they are the
// symmetric matrix with half of LᵀG on and below the diagonal.
func (m *PositiveDefinite) Pull(x, g []float64) {
	k := m.k
	gemm(m.q, x, g, k, k, k, true)
	for i := range k {
		for j := range i + 1 {
			a := 0.5 * m.q[i*k+j]
			g[i*k+j], g[j*k+i] = a, a
		}
	}
}

// RandomPoint is exp S with the entries of S on and below the diagonal uniform on
// (−radius, radius).
func (m *PositiveDefinite) RandomPoint(src Source, radius float64, x []float64) {
	k := m.k
	for i := range k {
		for j := range i + 1 {
			a := float64(radius * (float64(2*src.Float64()) - 1))
			x[i*k+j], x[j*k+i] = a, a
		}
	}
	copy(m.e, x)
	m.exp.run(m.e)
	kernel.Cholesky(x, m.e, 1, k)
}

// RandomTangent is a symmetric matrix with normal entries: of variance 1 on the diagonal, and ½
// off it, where an entry stands twice.
func (m *PositiveDefinite) RandomTangent(src Source, x, v []float64) {
	for i := range v {
		v[i] = src.Normal()
	}
	m.Project(x, v)
}

// Residual is +Inf where x is no Cholesky factor: not finite, a diagonal that is not positive,
// or numbers above it.
func (m *PositiveDefinite) Residual(x []float64) float64 {
	k, off := m.k, 0.0
	for i := range k {
		for j := range k {
			a := x[i*k+j]
			switch {
			case a-a != 0 || i == j && !(a > 0):
				return math.Inf(1)
			case j > i:
				off = max(off, math.Abs(a))
			}
		}
	}
	return off
}
