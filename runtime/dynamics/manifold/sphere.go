package manifold

import (
	"fmt"
	"math"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/math/kernel"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// Sphere is the unit sphere S^{n−1} in R^n. Densities on it are with respect
// to the surface measure.
type Sphere struct{ n int }

func newSphere(g target.Geometry) (Manifold, error) {
	if g.Dim < 2 {
		return nil, fmt.Errorf("a sphere needs at least 2 coordinates, not %d: in one it is two "+
			"points that no path joins", g.Dim)
	}
	return Sphere{g.Dim}, nil
}

// NewSphere is the unit sphere of R^n, n ≥ 2.
func NewSphere(n int) Sphere { return Sphere{n} }

func (Sphere) Kind() string   { return "sphere" }
func (s Sphere) Dim() int     { return s.n - 1 }
func (s Sphere) Ambient() int { return s.n }

// Flow is the great circle: with α = ‖v‖,
//
//	x cos αt + (v/α) sin αt,  −αx sin αt + v cos αt
//
// (Byrne and Girolami 2013, section 4.1). The length of x, where rounding has
// moved it away from 1, is put right by the coefficients, at the price of one
// more sum. A part of v along x is what Project takes out; a flow makes
// cos 2αt of it, so that it does not grow by itself.
func (s Sphere) Flow(x, v []float64, t float64) { s.FlowDamp(x, v, t, 1) }

// FlowDamp is Flow and then v·e, in the same passes.
func (s Sphere) FlowDamp(x, v []float64, t, e float64) {
	v = v[:len(x)]
	xx, vv := kernel.Squares(x, v)
	s.move(x, v, xx, vv, t, e)
}

// KickFlow is a kick, Λ(v + to·force + sd·noise), then v·e, then Flow for time
// t, in three passes.
func (s Sphere) KickFlow(x, v, force, noise []float64, to, sd, e, t float64) {
	v = v[:len(x)]
	xx, xv := kernel.SphereKick(x, v, force, noise, to, sd)
	s.move(x, v, xx, kernel.SphereTangent(x, v, -xv/xx, e), t, 1)
}

// move is FlowDamp for squares that are known.
func (s Sphere) move(x, v []float64, xx, vv, t, e float64) {
	switch {
	case vv < tinySquare:
		if maxAbs(v) != 0 {
			s.scaledFlow(x, v, t, 0x1p600, e)
		}
		return
	case math.IsInf(vv, 1):
		s.scaledFlow(x, v, t, 0x1p-600, e)
		return
	}
	r := 1.5 - float64(0.5*xx) // 1/√xx to first order, which is to rounding
	if math.Abs(xx-1) > 1e-8 {
		r = 1 / math.Sqrt(xx)
	}
	speed := math.Sqrt(vv)
	sin, cos := special.SinCos(speed * t)
	// x̂ cos + v sin(αt)/α, −αx̂ sin + v cos; where v is small, sin(αt)/α → t is
	// a quotient of small numbers with all their digits.
	a, b := r*cos, sin/speed
	c, d := -float64(r*float64(speed*sin)), cos
	kernel.SphereTurn(x, v, a, b, c, d, e)
}

// tinySquare bounds squares of speeds that keep their digits.
const tinySquare = 0x1p-960

// scaledFlow is FlowDamp for a v whose square overflows: that of the
// velocity v·unit in the time t/unit.
func (s Sphere) scaledFlow(x, v []float64, t, unit, e float64) {
	for i := range v {
		v[i] *= unit
	}
	s.Flow(x, v, t/unit)
	for i := range v {
		v[i] = v[i] / unit * e
	}
}

// Project is I − x xᵀ/(x·x). Without the quotient a strong force along x would
// leave a part of itself where x is off the sphere by a rounding, which moves
// x farther off in the next flow.
func (Sphere) Project(x, u []float64) {
	xx, xu := pairs(x, u)
	kernel.Axpy(-xu/xx, x, u)
}

// RandomPoint is uniform.
func (Sphere) RandomPoint(src Source, _ float64, x []float64) { src.UniformSphere(x) }

// RandomTangent is standard normal in the tangent space.
func (s Sphere) RandomTangent(src Source, x, v []float64) {
	for i := range v {
		v[i] = src.Normal()
	}
	s.Project(x, v)
}

// Residual is | ‖x‖ − 1 |.
func (Sphere) Residual(x []float64) float64 {
	return orInf(math.Abs(math.Sqrt(kernel.Dot(x, x)) - 1))
}

// orInf returns r, or +Inf where r is NaN.
func orInf(r float64) float64 {
	if r != r {
		return math.Inf(1)
	}
	return r
}

// pairs returns x·x and x·u, in the lanes of kernel.SphereKick.
func pairs(x, u []float64) (xx, xu float64) {
	var a0, a1, a2, a3, s0, s1, s2, s3 float64
	for ; len(x) >= 4 && len(u) >= 4; x, u = x[4:], u[4:] {
		a0 += float64(x[0] * x[0])
		s0 += float64(x[0] * u[0])
		a1 += float64(x[1] * x[1])
		s1 += float64(x[1] * u[1])
		a2 += float64(x[2] * x[2])
		s2 += float64(x[2] * u[2])
		a3 += float64(x[3] * x[3])
		s3 += float64(x[3] * u[3])
	}
	for i, p := range x {
		a0 += float64(p * p)
		s0 += float64(p * u[i])
	}
	return (a0 + a2) + (a1 + a3), (s0 + s2) + (s1 + s3)
}

// maxAbs is the largest |v[i]|.
func maxAbs(v []float64) float64 {
	m := 0.0
	for _, a := range v {
		m = max(m, math.Abs(a))
	}
	return m
}
