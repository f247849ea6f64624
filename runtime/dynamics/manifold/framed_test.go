package manifold

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/sgppl/sgppl/runtime/math/rng"
)

// metricDistance is the length of the shortest path between two points, by closed forms:
// arcosh of Minkowski's product, and the norm of the logarithms of the eigenvalues of P⁻¹ R
// by gonum.
func metricDistance(m Framed, x, y []float64) float64 {
	switch m := m.(type) {
	case Hyperbolic:
		p := x[0] * y[0]
		for i := range x[1:] {
			p -= x[1+i] * y[1+i]
		}
		return math.Acosh(max(p, 1))
	case *PositiveDefinite:
		k := m.k
		var l, r, c mat.Dense
		l.CloneFrom(mat.NewDense(k, k, append([]float64(nil), x...)))
		if err := c.Solve(&l, mat.NewDense(k, k, append([]float64(nil), y...))); err != nil {
			panic(err)
		}
		r.Mul(&c, c.T())
		s := mat.NewSymDense(k, nil)
		for i := range k {
			for j := range i + 1 {
				s.SetSym(i, j, r.At(i, j))
			}
		}
		var e mat.EigenSym
		if !e.Factorize(s, false) {
			panic("no eigenvalues")
		}
		sum := 0.0
		for _, v := range e.Values(nil) {
			sum += math.Log(v) * math.Log(v)
		}
		return math.Sqrt(sum)
	}
	panic("no distance")
}

// checkFramed: a flow of time t ends |v| t away from its start, as only geodesics do at every
// t; gradients in the frame are slopes along flows; and long runs stay on the space.
func checkFramed(t *testing.T, m Framed, b bundle) {
	t.Helper()
	speed := math.Sqrt(dot(b.v, b.v))
	for _, time := range []float64{0.1, 0.5, 1, 2} {
		c := b.copy()
		m.Flow(c.x, c.v, time)
		if d := metricDistance(m, b.x, c.x); !(math.Abs(d-speed*time) < 1e-9*(1+speed*time)) {
			t.Errorf("a flow of length %g ends %g away", speed*time, d)
		}
	}
	src := rng.New(3, 0, rng.Test).At(1)
	a := make([]float64, m.Ambient())
	for i := range a {
		a[i] = src.Normal()
	}
	f := func(at float64) float64 { // Σ a sin x, along the flow
		c, s := b.copy(), 0.0
		m.Flow(c.x, c.v, at)
		for i, p := range c.x {
			s += a[i] * math.Sin(p)
		}
		return s
	}
	g := make([]float64, len(a))
	for i, p := range b.x {
		g[i] = a[i] * math.Cos(p)
	}
	m.Pull(b.x, g)
	const h = 1e-4
	slope := (8*(f(h)-f(-h)) - (f(2*h) - f(-2*h))) / (12 * h)
	if d := math.Abs(slope - dot(g, b.v)); !(d < 1e-8*(1+math.Abs(slope))) {
		t.Errorf("the slope along a flow is %g, by the gradient %g", slope, dot(g, b.v))
	}
	pulled := append([]float64(nil), g...)
	m.Project(b.x, pulled)
	if d := distance(g, pulled); d != 0 {
		t.Errorf("a gradient in the frame is %g off the velocities", d)
	}
	energy := dot(b.v, b.v)
	for i := range 2000 { // to and fro, or the point is beyond all numbers
		m.Flow(b.x, b.v, 0.01*math.Cos(float64(i)/100))
	}
	if r := m.Residual(b.x); !(r < 1e-12) {
		t.Errorf("residual %g after many flows", r)
	}
	if e := math.Abs(dot(b.v, b.v)/energy - 1); !(e < 1e-12) {
		t.Errorf("v·v changes by %g of it", e)
	}
}

// TestFarPoints: a path that ends where numbers do not reach says so.
func TestFarPoints(t *testing.T) {
	for _, m := range []Framed{NewHyperbolic(4), NewPositiveDefinite(3)} {
		for _, size := range []float64{1e6, 1e200, math.Inf(1), math.NaN()} {
			b := random(m, 2)
			for i := range b.v {
				if b.v[i] != 0 {
					b.v[i] *= size
				}
			}
			m.Flow(b.x, b.v, 1)
			if r := m.Residual(b.x); !math.IsInf(r, 1) {
				t.Errorf("%s, speed times %g: residual %g", m.Kind(), size, r)
			}
		}
	}
}

// TestIllConditioned: a flow keeps the digits of a matrix with eigenvalues from 1e-12 to 1e12.
func TestIllConditioned(t *testing.T) {
	m := NewPositiveDefinite(2)
	x, v := []float64{1e-6, 0, 0, 1e6}, []float64{0.5, 0, 0, -0.25}
	m.Flow(x, v, 2)
	for i, want := range []float64{1e-6 * math.Exp(0.5), 0, 0, 1e6 * math.Exp(-0.25)} {
		if math.Abs(x[i]-want) > 1e-14*math.Abs(want) {
			t.Errorf("entry %d is %g, not %g", i, x[i], want)
		}
	}
}

// TestSubspaces: a flow on the Grassmann manifold moves the projection onto the subspace in the
// same way whatever basis it begins with, and its length is that of the principal angles.
func TestSubspaces(t *testing.T) {
	m := NewGrassmann(6, 2)
	b := random(m, 4)
	turned := b.copy()
	s, c := math.Sincos(1.1)
	for i := 0; i < 12; i += 2 {
		for _, a := range [][]float64{turned.x, turned.v} {
			a[i], a[i+1] = c*a[i]-s*a[i+1], s*a[i]+c*a[i+1]
		}
	}
	projection := func(x []float64) *mat.Dense {
		a, p := mat.NewDense(6, 2, append([]float64(nil), x...)), new(mat.Dense)
		p.Mul(a, a.T())
		return p
	}
	start := mat.NewDense(6, 2, append([]float64(nil), b.x...))
	speed := math.Sqrt(dot(b.v, b.v))
	for i := range b.v {
		b.v[i] *= 0.9 / speed
		turned.v[i] *= 0.9 / speed
	}
	m.Flow(b.x, b.v, 1)
	m.Flow(turned.x, turned.v, 1)
	if !mat.EqualApprox(projection(b.x), projection(turned.x), 1e-13) {
		t.Error("the subspace depends on the basis")
	}
	var overlap mat.Dense
	overlap.Mul(start.T(), mat.NewDense(6, 2, b.x))
	var svd mat.SVD
	svd.Factorize(&overlap, mat.SVDNone)
	angles := 0.0
	for _, v := range svd.Values(nil) {
		angles += math.Acos(min(v, 1)) * math.Acos(min(v, 1))
	}
	if d := math.Abs(math.Sqrt(angles) - 0.9); d > 1e-7 {
		t.Errorf("the principal angles have the norm %g, not 0.9", math.Sqrt(angles))
	}
}
