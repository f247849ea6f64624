package manifold

import (
	"fmt"
	"math"

	"github.com/sgppl/sgppl/runtime/kernel"
	"github.com/sgppl/sgppl/runtime/special"
	"github.com/sgppl/sgppl/runtime/target"
)

// Sphere is the unit sphere S^{n−1} in R^n. Densities on it are with respect
// to the surface measure.
type Sphere struct{ n int }

func newSphere(g target.Geometry) (Manifold, error) {
	if g.Dim < 2 {
		return nil, fmt.Errorf("a sphere needs at least 2 coordinates, not %d: in one it is two points that no path joins", g.Dim)
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
// (Byrne and Girolami 2013, section 4.1). Both are combinations of x and v, so
// what rounding has put between them and the tangent bundle since the last
// flow, a length of x that is not 1 and a part of v along x, is taken out by
// the coefficients, at the price of two more sums.
func (s Sphere) Flow(x, v []float64, t float64) { s.FlowDamp(x, v, t, 1) }

// FlowDamp is Flow and then v·e, in the same passes.
func (s Sphere) FlowDamp(x, v []float64, t, e float64) {
	v = v[:len(x)]
	xx, xv, vv := products(x, v)
	s.move(x, v, xx, xv, vv, t, e)
}

// KickFlow is a kick, u = to·force + sd·noise and v + Λu, then v·e, then Flow
// for time t, in three passes; noise is left as u.
func (s Sphere) KickFlow(x, v, force, noise []float64, to, sd, e, t float64) {
	v = v[:len(x)]
	f := -impulse(x, force, noise, to, sd)
	xx, xv, vv := push(x, v, noise, f, e)
	s.move(x, v, xx, xv, vv, t, 1)
}

// move is FlowDamp for products that are known.
func (s Sphere) move(x, v []float64, xx, xv, vv, t, e float64) {
	switch {
	case vv < tinySquare:
		if speed := maxAbs(v); speed != 0 {
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
	normal := float64(r * xv) // of v along x̂ = r x
	speed := math.Sqrt(max(vv-float64(normal*normal), 0))
	sin, cos := special.SinCos(speed * t)
	// sin(αt)/α → t
	chord := t
	if speed > 0 {
		chord = sin / speed
	}
	a, b := float64(r*(cos-float64(chord*normal))), chord
	c, d := -float64(r*(float64(speed*sin)+float64(cos*normal))), cos
	v = v[:len(x)]
	if e == 1 {
		for i, p := range x {
			q := v[i]
			x[i] = float64(a*p) + float64(b*q)
			v[i] = float64(c*p) + float64(d*q)
		}
		return
	}
	for i, p := range x {
		q := v[i]
		x[i] = float64(a*p) + float64(b*q)
		v[i] = (float64(c*p) + float64(d*q)) * e
	}
}

// tinySquare bounds squares of speeds that keep their digits.
const tinySquare = 0x1p-960

// scaledFlow is FlowDamp for a v whose square is no number: that of the
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

// Project is I − x xᵀ.
func (Sphere) Project(x, u []float64) {
	kernel.Axpy(-dot4(x, u), x, u)
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

// orInf is r, or +Inf where r is no number.
func orInf(r float64) float64 {
	if r != r {
		return math.Inf(1)
	}
	return r
}

// products returns x·x, x·v and v·v, each in four lanes.
func products(x, v []float64) (xx, xv, vv float64) {
	var a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3 float64
	for ; len(x) >= 4 && len(v) >= 4; x, v = x[4:], v[4:] {
		p, q := x[0], v[0]
		a0 += float64(p * p)
		b0 += float64(p * q)
		c0 += float64(q * q)
		p, q = x[1], v[1]
		a1 += float64(p * p)
		b1 += float64(p * q)
		c1 += float64(q * q)
		p, q = x[2], v[2]
		a2 += float64(p * p)
		b2 += float64(p * q)
		c2 += float64(q * q)
		p, q = x[3], v[3]
		a3 += float64(p * p)
		b3 += float64(p * q)
		c3 += float64(q * q)
	}
	for i, p := range x {
		q := v[i]
		a0 += float64(p * p)
		b0 += float64(p * q)
		c0 += float64(q * q)
	}
	return (a0 + a2) + (a1 + a3), (b0 + b2) + (b1 + b3), (c0 + c2) + (c1 + c3)
}

// dot4 is x·u, in the lanes of impulse.
func dot4(x, u []float64) float64 {
	var s0, s1, s2, s3 float64
	for ; len(x) >= 4 && len(u) >= 4; x, u = x[4:], u[4:] {
		s0 += float64(x[0] * u[0])
		s1 += float64(x[1] * u[1])
		s2 += float64(x[2] * u[2])
		s3 += float64(x[3] * u[3])
	}
	for i, p := range x {
		s0 += float64(p * u[i])
	}
	return (s0 + s2) + (s1 + s3)
}

// impulse turns z into u = to·g + sd·z and returns x·u.
func impulse(x, g, z []float64, to, sd float64) float64 {
	var s0, s1, s2, s3 float64
	for ; len(x) >= 4 && len(g) >= 4 && len(z) >= 4; x, g, z = x[4:], g[4:], z[4:] {
		a := float64(to*g[0]) + float64(sd*z[0])
		b := float64(to*g[1]) + float64(sd*z[1])
		c := float64(to*g[2]) + float64(sd*z[2])
		d := float64(to*g[3]) + float64(sd*z[3])
		s0 += float64(x[0] * a)
		s1 += float64(x[1] * b)
		s2 += float64(x[2] * c)
		s3 += float64(x[3] * d)
		z[0], z[1], z[2], z[3] = a, b, c, d
	}
	for i, p := range x {
		a := float64(to*g[i]) + float64(sd*z[i])
		s0 += float64(p * a)
		z[i] = a
	}
	return (s0 + s2) + (s1 + s3)
}

// push adds u + f x to v, multiplies v by e, and returns what products does.
func push(x, v, u []float64, f, e float64) (xx, xv, vv float64) {
	var a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3 float64
	for ; len(x) >= 4 && len(v) >= 4 && len(u) >= 4; x, v, u = x[4:], v[4:], u[4:] {
		p := x[0]
		q := (v[0] + (u[0] + float64(f*p))) * e
		v[0] = q
		a0 += float64(p * p)
		b0 += float64(p * q)
		c0 += float64(q * q)
		p = x[1]
		q = (v[1] + (u[1] + float64(f*p))) * e
		v[1] = q
		a1 += float64(p * p)
		b1 += float64(p * q)
		c1 += float64(q * q)
		p = x[2]
		q = (v[2] + (u[2] + float64(f*p))) * e
		v[2] = q
		a2 += float64(p * p)
		b2 += float64(p * q)
		c2 += float64(q * q)
		p = x[3]
		q = (v[3] + (u[3] + float64(f*p))) * e
		v[3] = q
		a3 += float64(p * p)
		b3 += float64(p * q)
		c3 += float64(q * q)
	}
	for i, p := range x {
		q := (v[i] + (u[i] + float64(f*p))) * e
		v[i] = q
		a0 += float64(p * p)
		b0 += float64(p * q)
		c0 += float64(q * q)
	}
	return (a0 + a2) + (a1 + a3), (b0 + b2) + (b1 + b3), (c0 + c2) + (c1 + c3)
}

// maxAbs is the largest |v[i]|.
func maxAbs(v []float64) float64 {
	m := 0.0
	for _, a := range v {
		m = max(m, math.Abs(a))
	}
	return m
}
