package manifold

import (
	"fmt"
	"math"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/math/kernel"
)

// A Stiefel is the space of rows × cols matrices with orthonormal columns, the
// row index first, with the metric of the matrices around it. Densities on it
// are with respect to its Hausdorff measure. With as many columns as rows it
// is the orthogonal group, whose two components no path joins: a chain stays
// in that of its start. It holds the workspace of a flow.
type Stiefel struct {
	d, k           int
	horizontal     bool      // velocities do not move within the span of x
	joint, turn    *expm     // of orders 2k and k
	e              []float64 // 2k × 2k
	g, a, s, w, f  []float64 // k × k
	xx, xv, vx, vv []float64 // k × k: (x, v) go to (x xx + v vx, x xv + v vv)
	p, q           []float64 // d × k
}

func newStiefel(g target.Geometry) (Manifold, error) {
	if g.Cols < 1 || g.Cols > g.Dim || g.Dim < 2 {
		return nil, fmt.Errorf("orthonormal columns need 2 rows or more, and from 1 to as many "+
			"columns, not %d columns of %d rows", g.Cols, g.Dim)
	}
	return NewStiefel(g.Dim, g.Cols), nil
}

// NewStiefel is the space of d × k matrices with orthonormal columns, d ≥ 2
// and 1 ≤ k ≤ d.
func NewStiefel(d, k int) *Stiefel {
	s := &Stiefel{d: d, k: k, joint: newExpm(2 * k), turn: newExpm(k), e: make([]float64, 4*k*k)}
	for _, m := range []*[]float64{&s.g, &s.a, &s.s, &s.w, &s.f, &s.xx, &s.xv, &s.vx, &s.vv} {
		*m = make([]float64, k*k)
	}
	s.p, s.q = make([]float64, d*k), make([]float64, d*k)
	return s
}

func (*Stiefel) Kind() string   { return "stiefel" }
func (m *Stiefel) Dim() int     { return m.d*m.k - m.k*(m.k+1)/2 }
func (m *Stiefel) Ambient() int { return m.d * m.k }

// farTurn is the length of a path beyond which a flow cleans up after itself
// what the squarings have lost; endlessTurn that beyond which a double does
// not say where on the circle the end lies, and it is taken modulo that.
const (
	farTurn     = 4
	endlessTurn = 0x1p40
)

// Flow is the geodesic (Edelman, Arias and Smith 1998, section 2.2.2)
//
//	[x v] exp(t [[A, −S], [1, A]]) diag(e^{−tA}, e^{−tA}),  A = xᵀv, S = vᵀv.
//
// All that it does to the large matrices is a combination of x and v with
// k × k matrices; as on the sphere these also take out what rounding has put
// between (x, v) and the tangent bundle since the last flow: x becomes
// x (3 − xᵀx)/2, Newton's step to the nearest point, v its tangent part, and
// in the end v gets back its length.
func (m *Stiefel) Flow(x, v []float64, t float64) {
	energy := kernel.Dot(v, v)
	switch {
	case energy < tinySquare:
		if maxAbs(v) == 0 {
			return
		}
		m.scaledFlow(x, v, t, 0x1p600)
		return
	case math.IsInf(energy, 1):
		m.scaledFlow(x, v, t, 0x1p-600)
		return
	case energy != energy:
		fill(x, energy)
		return
	}
	speed := math.Sqrt(energy)
	length := float64(speed * t)
	if math.Abs(length) > endlessTurn {
		length = math.Mod(length, endlessTurn)
	}
	m.coefficients(x, v, speed, length)
	m.combine(x, v, speed)
	if math.Abs(length) > farTurn {
		m.polish(x, v)
	}
	kernel.Axpy(speed/math.Sqrt(kernel.Dot(v, v))-1, v, v)
}

func fill(x []float64, a float64) {
	for i := range x {
		x[i] = a
	}
}

// scaledFlow is Flow for a v whose square overflows.
func (m *Stiefel) scaledFlow(x, v []float64, t, unit float64) {
	for i := range v {
		v[i] *= unit
	}
	m.Flow(x, v, t/unit)
	for i := range v {
		v[i] /= unit
	}
}

// coefficients computes those of a path of the given length with v/speed.
func (m *Stiefel) coefficients(x, v []float64, speed, length float64) {
	d, k := m.d, m.k
	n := 2 * k
	inv := 1 / speed
	m.newton(x)
	gemm(m.w, x, v, k, k, d, true)
	gemm(m.s, v, v, k, k, d, true)
	// R = (3 − xᵀx)/2 in g; R xᵀv in a, then its symmetric part in w, which v
	// must lose, and A, the other part, in a.
	for i := range m.w {
		m.w[i] *= inv
		m.s[i] *= float64(inv * inv)
	}
	gemm(m.a, m.g, m.w, k, k, k, false)
	m.split()
	for i := range k {
		for j := range k {
			a := float64(length * m.a[i*k+j])
			m.e[i*n+j], m.e[(k+i)*n+k+j] = a, a
			m.e[i*n+k+j] = -float64(length * m.s[i*k+j])
			m.e[(k+i)*n+j] = 0
			m.f[i*k+j] = -a
		}
		m.e[(k+i)*n+i] = length
	}
	m.joint.run(m.e)
	m.turn.run(m.f)
	// [x v] → [x R, v/speed − x R w] e diag(f, f speed).
	for i := range k {
		copy(m.xx[i*k:i*k+k], m.e[i*n:])
		copy(m.xv[i*k:i*k+k], m.e[i*n+k:])
		copy(m.vx[i*k:i*k+k], m.e[(k+i)*n:])
		copy(m.vv[i*k:i*k+k], m.e[(k+i)*n+k:])
	}
	m.left(m.xx, m.vx)
	m.left(m.xv, m.vv)
	for _, c := range [][]float64{m.vx, m.vv} {
		for i := range c {
			c[i] *= inv
		}
	}
	for _, c := range [][]float64{m.xx, m.xv, m.vx, m.vv} {
		gemm(m.a, c, m.f, k, k, k, false)
		copy(c, m.a)
	}
}

// split writes R xᵀv, given in a, as the sum of w, which must be removed from v, and a, the rest.
// It also removes the contribution of w from s, which is vᵀv.
func (m *Stiefel) split() {
	k := m.k
	if m.horizontal { // vᵀv − wᵀw
		copy(m.w, m.a)
		clear(m.a)
		gemm(m.f, m.w, m.w, k, k, k, true)
		for i := range m.s {
			m.s[i] -= m.f[i]
		}
		return
	}
	for i := range k {
		for j := range i + 1 {
			p, q := m.a[i*k+j], m.a[j*k+i]
			m.w[i*k+j], m.w[j*k+i] = 0.5*(p+q), 0.5*(p+q)
			m.a[i*k+j], m.a[j*k+i] = 0.5*(p-q), 0.5*(q-p)
		}
	}
	// vᵀv without what v loses: S + A w − w A − w².
	gemm(m.f, m.a, m.w, k, k, k, false)
	gemm(m.xx, m.w, m.a, k, k, k, false)
	gemm(m.xv, m.w, m.w, k, k, k, false)
	for i := range m.s {
		m.s[i] += (m.f[i] - m.xx[i]) - m.xv[i]
	}
}

// left turns the upper half of a column of blocks from b to R (b − w lower).
func (m *Stiefel) left(b, lower []float64) {
	k := m.k
	gemm(m.a, m.w, lower, k, k, k, false)
	for i := range b {
		b[i] -= m.a[i]
	}
	gemm(m.a, m.g, b, k, k, k, false)
	copy(b, m.a)
}

// combine applies the coefficients.
func (m *Stiefel) combine(x, v []float64, speed float64) {
	for i := range m.xv {
		m.xv[i] *= speed
		m.vv[i] *= speed
	}
	m.pair(m.p, x, v, m.xx, m.vx)
	m.pair(m.q, x, v, m.xv, m.vv)
	copy(x, m.p)
	copy(v, m.q)
}

// pair writes x a + v b.
func (m *Stiefel) pair(dst, x, v, a, b []float64) {
	gemm(dst, x, a, m.d, m.k, m.k, false)
	k := m.k
	kernel.Gemm(kernel.Matrix{Data: dst, Stride: k}, kernel.Matrix{Data: v, Stride: k},
		kernel.Matrix{Data: b, Stride: k}, m.d, k, k, false, false, true)
}

// polish takes Newton's steps to the nearest point until they are rounding,
// and the tangent part of v there.
func (m *Stiefel) polish(x, v []float64) {
	k := m.k
	for range 40 {
		gemm(m.g, x, x, k, k, m.d, true)
		miss := offIdentity(m.g, k)
		if !(miss > 1e-15) {
			break
		}
		// x (3 − xᵀx)/2 = x + x (1 − xᵀx)/2
		for i := range m.g {
			m.g[i] *= -0.5
		}
		for i := range k {
			m.g[i*k+i] += 0.5
		}
		gemm(m.p, x, m.g, m.d, k, k, false)
		kernel.Axpy(1, m.p, x)
		if miss < 1e-9 {
			break
		}
	}
	m.Project(x, v)
}

// offIdentity is the largest entry of |a − 1|.
func offIdentity(a []float64, k int) float64 {
	r := 0.0
	for i := range k {
		for j := range k {
			e := a[i*k+j]
			if i == j {
				e--
			}
			r = max(r, math.Abs(e))
		}
	}
	return r
}

// Project is u − ½ y (yᵀu + uᵀy) with y = x (3 − xᵀx)/2, which is x on the
// space. With x itself a strong normal force would leave a part of itself
// where x is off the space by a rounding.
func (m *Stiefel) Project(x, u []float64) {
	k := m.k
	m.newton(x)
	gemm(m.w, x, u, k, k, m.d, true)
	gemm(m.a, m.g, m.w, k, k, k, false)
	for i := range k {
		for j := range k {
			m.w[i*k+j] = -0.5 * (m.a[i*k+j] + m.a[j*k+i])
			if m.horizontal {
				m.w[i*k+j] = -m.a[i*k+j]
			}
		}
	}
	gemm(m.a, m.g, m.w, k, k, k, false)
	gemm(m.p, x, m.a, m.d, k, k, false)
	kernel.Axpy(1, m.p, u)
}

// newton writes (3 − xᵀx)/2 into g.
func (m *Stiefel) newton(x []float64) {
	gemm(m.g, x, x, m.k, m.k, m.d, true)
	for i := range m.g {
		m.g[i] *= -0.5
	}
	for i := range m.k {
		m.g[i*m.k+i] += 1.5
	}
}

// RandomPoint is uniform.
func (m *Stiefel) RandomPoint(src Source, _ float64, x []float64) {
	src.UniformStiefel(x, m.d, m.k)
}

// RandomTangent is standard normal in the tangent space.
func (m *Stiefel) RandomTangent(src Source, x, v []float64) {
	for i := range v {
		v[i] = src.Normal()
	}
	m.Project(x, v)
}

// Residual is the largest entry of |xᵀx − 1|.
func (m *Stiefel) Residual(x []float64) float64 {
	gemm(m.g, x, x, m.k, m.k, m.d, true)
	return orInf(offIdentity(m.g, m.k))
}
