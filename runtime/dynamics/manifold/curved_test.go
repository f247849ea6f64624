package manifold

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

func random(m Manifold, step uint64) bundle {
	src := rng.New(8, 0, rng.Test).At(step)
	b := bundle{make([]float64, m.Ambient()), make([]float64, m.Ambient())}
	m.RandomPoint(&src, 1, b.x)
	m.RandomTangent(&src, b.x, b.v)
	return b
}

// TestOneColumn: a Stiefel manifold of one column is the sphere.
func TestOneColumn(t *testing.T) {
	a, b := NewSphere(7), NewStiefel(7, 1)
	if a.Dim() != b.Dim() || a.Ambient() != b.Ambient() {
		t.Error("dimensions differ")
	}
	for step := range uint64(20) {
		p := random(a, step)
		q := p.copy()
		time := 0.3 * float64(step)
		a.Flow(p.x, p.v, time)
		b.Flow(q.x, q.v, time)
		if d := max(distance(p.x, q.x), distance(p.v, q.v)); d > 1e-13 {
			t.Errorf("flows for %g differ by %g", time, d)
		}
		u := append([]float64(nil), p.v...)
		w := append([]float64(nil), p.v...)
		u[2] += 1
		w[2] += 1
		a.Project(p.x, u)
		b.Project(p.x, w)
		if d := distance(u, w); d > 1e-15 {
			t.Errorf("projections differ by %g", d)
		}
	}
}

// TestRotations: on the orthogonal group of the plane the flow is a rotation
// by the angle that v turns.
func TestRotations(t *testing.T) {
	m := NewStiefel(2, 2)
	for _, angle := range []float64{1e-9, 0.4, 3, 50} {
		x, v := []float64{1, 0, 0, 1}, []float64{0, -angle, angle, 0}
		m.Flow(x, v, 1)
		s, c := math.Sincos(angle)
		if d := distance(x, []float64{c, -s, s, c}); d > 1e-14*max(angle, 1) {
			t.Errorf("rotation by %g is off by %g", angle, d)
		}
	}
}

// TestPutsBack: a point and a velocity a little off the tangent bundle are on
// it after a flow, a projection as a kick has it, and a flow, where those
// nearest to them would have gone.
func TestPutsBack(t *testing.T) {
	for _, m := range []Manifold{NewSphere(5), NewStiefel(6, 3)} {
		b := random(m, 3)
		want := b.copy()
		m.Flow(want.x, want.v, 0.5)
		const miss = 1e-7
		for i := range b.x {
			b.v[i] += miss * b.x[i]
		}
		for i := range b.x {
			b.x[i] *= 1 + miss
		}
		m.Flow(b.x, b.v, 0.25)
		m.Project(b.x, b.v)
		m.Flow(b.x, b.v, 0.25)
		if r := m.Residual(b.x); r > 1e-13 {
			t.Errorf("%s: residual %g", m.Kind(), r)
		}
		if r := tangency(m, b); r > 1e-12 {
			t.Errorf("%s: the velocity is %g off", m.Kind(), r)
		}
		if d := max(distance(b.x, want.x), distance(b.v, want.v)); d > 3*miss {
			t.Errorf("%s: %g away", m.Kind(), d)
		}
	}
}

// TestStrongForce: a force that is strong and normal to the space does not
// move points off it, kick by kick, however small or large the velocity.
func TestStrongForce(t *testing.T) {
	for _, m := range []Manifold{NewSphere(2), NewSphere(9), NewStiefel(6, 3)} {
		for _, strength := range []float64{1e3, 1e6} {
			b := random(m, 4)
			src := rng.New(9, 0, rng.Test).At(1)
			for step := range 3000 {
				m.Flow(b.x, b.v, 0.05)
				for i := range b.v {
					b.v[i] += 0.1 * (float64(strength*b.x[i]) + src.Normal())
				}
				m.Project(b.x, b.v)
				m.Flow(b.x, b.v, 0.05)
				if r := m.Residual(b.x); !(r < 1e-15*strength) {
					t.Fatalf("%s, force %g: residual %g after %d kicks", m.Kind(),
						strength, r, step+1)
				}
				for i := range b.v {
					b.v[i] *= 0.95
				}
			}
		}
	}
}

// TestExtremes: speeds whose squares are no numbers, endless paths, and what
// is not finite.
func TestExtremes(t *testing.T) {
	for _, m := range []Manifold{NewSphere(4), NewStiefel(5, 2)} {
		for _, size := range []float64{5e-324, 1e-310, 1e-200, 1e-150, 1e100, 1e154, 1e200, 1e307} {
			b := random(m, 5)
			for i := range b.v {
				b.v[i] *= size
			}
			before := maxAbs(b.v)
			m.Flow(b.x, b.v, 1)
			if r := m.Residual(b.x); !(r < 1e-12) {
				t.Errorf("%s, speed %g: residual %g", m.Kind(), size, r)
			}
			if after := maxAbs(b.v); !(after > 0.1*before && after < 10*before) {
				t.Errorf("%s, speed %g: velocity from %g to %g", m.Kind(), size, before, after)
			}
		}
		// A tiny speed for a long time is a speed of 1.
		b := random(m, 6)
		want := b.copy()
		for i := range b.v {
			b.v[i] *= 0x1p-700
		}
		m.Flow(b.x, b.v, 0x1p700)
		m.Flow(want.x, want.v, 1)
		if d := distance(b.x, want.x); d > 1e-14 {
			t.Errorf("%s: off by %g", m.Kind(), d)
		}
		b.v[1] = math.NaN()
		m.Flow(b.x, b.v, 1)
		if !math.IsInf(m.Residual(b.x), 1) && !math.IsNaN(maxAbs(b.v)) {
			t.Errorf("%s: a velocity that is no number was lost", m.Kind())
		}
	}
}

// TestGeometries that are none.
func TestGeometries(t *testing.T) {
	for _, c := range []struct {
		g    target.Geometry
		want string
	}{
		{target.Geometry{Kind: "sphere", Points: 1, Dim: 1}, "at least 2"},
		{target.Geometry{Kind: "stiefel", Points: 1, Dim: 3, Cols: 4}, "orthonormal"},
		{target.Geometry{Kind: "stiefel", Points: 1, Dim: 3}, "orthonormal"},
		{target.Geometry{Kind: "stiefel", Points: 1, Dim: 1, Cols: 1}, "orthonormal"},
	} {
		b := target.Block{Name: "b", Len: max(c.g.Dim*c.g.Cols, c.g.Dim), Geometry: c.g}
		if _, err := Product([]target.Block{b}, b.Len); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c.g, err)
		}
	}
	b := target.Block{Name: "b", Len: 30,
		Geometry: target.Geometry{Kind: "stiefel", Points: 5, Dim: 3, Cols: 2}}
	f, err := Product([]target.Block{b}, 30)
	if err != nil || f[0].Dim() != 15 || f[0].Points != 5 || f[0].Flat {
		t.Errorf("%+v, %v", f, err)
	}
}

// TestExpm: of a nilpotent matrix, of a rotation that needs squarings, and of
// a matrix and its negative.
func TestExpm(t *testing.T) {
	e := newExpm(3)
	m := []float64{0, 1, 2, 0, 0, 3, 0, 0, 0}
	e.run(m)
	if d := distance(m, []float64{1, 1, 3.5, 0, 1, 3, 0, 0, 1}); d > 1e-15 {
		t.Errorf("nilpotent: off by %g", d)
	}
	m = []float64{0, -40, 0, 40, 0, 0, 0, 0, -30}
	if s := e.run(m); s == 0 {
		t.Error("it did not square")
	}
	sin, cos := math.Sincos(40)
	if d := distance(m, []float64{cos, -sin, 0, sin, cos, 0, 0, 0, math.Exp(-30)}); d > 1e-13 {
		t.Errorf("rotation: off by %g", d)
	}
	for _, size := range []float64{1, 0.05, 0.01} { // both degrees
		a := []float64{1, -2, 0.5, 3, 0.1, -1, 2, 2, -0.7}
		b, c, p := make([]float64, 9), make([]float64, 9), make([]float64, 9)
		for i := range a {
			a[i] *= size
			b[i], c[i] = -a[i], 8*a[i]
		}
		e.run(a)
		e.run(b)
		e.mul(p, a, b)
		if d := distance(p, []float64{1, 0, 0, 0, 1, 0, 0, 0, 1}); d > 1e-13 {
			t.Errorf("size %g: e^A e^−A is off by %g", size, d)
		}
		for range 3 { // (e^A)⁸ = e^{8A}
			e.mul(p, a, a)
			copy(a, p)
		}
		e.run(c)
		if d := distance(a, c); d > 1e-13*norm1(c, 3) {
			t.Errorf("size %g: eight times the exponent is off by %g", size, d)
		}
	}
}

func BenchmarkFlow(b *testing.B) {
	for _, n := range []int{2, 3, 16, 64, 384, 768, 10000, 100000} {
		for _, m := range []Manifold{NewEuclidean(n), NewSphere(n)} {
			benchmark(b, m, fmt.Sprintf("%s/%d", m.Kind(), n))
		}
	}
	for _, g := range [][2]int{{3, 3}, {10, 2}, {100, 5}, {1000, 10}} {
		benchmark(b, NewStiefel(g[0], g[1]), fmt.Sprintf("stiefel/%d,%d", g[0], g[1]))
	}
}

func benchmark(b *testing.B, m Manifold, name string) {
	b.Run(name, func(b *testing.B) {
		p := random(m, 1)
		for b.Loop() {
			m.Flow(p.x, p.v, 0.001)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(m.Ambient()),
			"ns/coord")
	})
}
