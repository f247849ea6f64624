package manifold

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/rng"
	"github.com/sgppl/sgppl/runtime/target"
)

// examples has the geometries that the conformance suite runs for each row of
// the table: a new row needs some here, or the suite fails.
var examples = map[string][]target.Geometry{
	"euclidean": {{Kind: "euclidean", Dim: 1}, {Kind: "euclidean", Dim: 3}, {Kind: "euclidean", Dim: 50}},
}

// dims are the intrinsic dimensions of those geometries.
var dims = map[string][]int{"euclidean": {1, 3, 50}}

func TestConformance(t *testing.T) {
	for _, row := range Table {
		if len(examples[row.Kind]) == 0 {
			t.Errorf("%s: no example geometry", row.Kind)
		}
		for i, g := range examples[row.Kind] {
			t.Run(fmt.Sprintf("%s/%d", row.Kind, g.Dim), func(t *testing.T) {
				m, err := row.New(g)
				if err != nil {
					t.Fatal(err)
				}
				if m.Kind() != row.Kind {
					t.Errorf("Kind is %q", m.Kind())
				}
				if m.Dim() != dims[row.Kind][i] {
					t.Errorf("intrinsic dimension %d, want %d", m.Dim(), dims[row.Kind][i])
				}
				conformance(t, m)
			})
		}
	}
}

// A point of the tangent bundle.
type bundle struct{ x, v []float64 }

func (b bundle) copy() bundle {
	return bundle{append([]float64(nil), b.x...), append([]float64(nil), b.v...)}
}

func distance(a, b []float64) float64 {
	d := 0.0
	for i := range a {
		d = max(d, math.Abs(a[i]-b[i]))
	}
	return d
}

func dot(a, b []float64) float64 {
	s := 0.0
	for i := range a {
		s += a[i] * b[i]
	}
	return s
}

func conformance(t *testing.T, m Manifold) {
	src := rng.New(7, 0, rng.Test).At(uint64(m.Ambient()))
	n := m.Ambient()
	start := func() bundle {
		b := bundle{make([]float64, n), make([]float64, n)}
		m.RandomPoint(&src, 1, b.x)
		m.RandomTangent(&src, b.x, b.v)
		return b
	}
	near := func(what string, got, want bundle, tol float64) {
		t.Helper()
		if d := max(distance(got.x, want.x), distance(got.v, want.v)); !(d <= tol) {
			t.Errorf("%s: off by %g", what, d)
		}
	}

	b := start()
	if r := m.Residual(b.x); r > 1e-14 {
		t.Errorf("a random point lies %g off the space", r)
	}
	once := b.copy()
	m.Flow(once.x, once.v, 0.7)
	twice := b.copy()
	m.Flow(twice.x, twice.v, 0.3)
	m.Flow(twice.x, twice.v, 0.4)
	near("flow(0.3) then flow(0.4)", twice, once, 1e-13)
	m.Flow(once.x, once.v, -0.7)
	near("flow(−t) after flow(t)", once, b, 1e-13)

	still := b.copy()
	clear(still.v)
	want := still.copy()
	m.Flow(still.x, still.v, 3)
	near("zero velocity", still, want, 0)
	for _, size := range []float64{1e-300, 1e-12, 1e6} {
		s := b.copy()
		for i := range s.v {
			s.v[i] *= size
		}
		speed := dot(s.v, s.v)
		m.Flow(s.x, s.v, 1)
		if r := m.Residual(s.x); !(r < 1e-12) {
			t.Errorf("speed %g: residual %g", size, r)
		}
		if e := dot(s.v, s.v); math.Abs(e-speed) > 1e-12*speed {
			t.Errorf("speed %g: v·v from %g to %g", size, speed, e)
		}
	}

	u := start().v
	w := start().v
	for i := range u {
		u[i] += 0.3
		w[i] -= 0.2
	}
	pu := append([]float64(nil), u...)
	m.Project(b.x, pu)
	ppu := append([]float64(nil), pu...)
	m.Project(b.x, ppu)
	if d := distance(pu, ppu); d > 1e-14 {
		t.Errorf("projection is not idempotent: %g", d)
	}
	pw := append([]float64(nil), w...)
	m.Project(b.x, pw)
	if d := math.Abs(dot(pu, w) - dot(u, pw)); d > 1e-13*float64(n) {
		t.Errorf("projection is not self-adjoint: %g", d)
	}

	// E v·v = Dim for v ~ N(0, Λ).
	const draws = 4000
	sum := 0.0
	for range draws {
		m.RandomTangent(&src, b.x, b.v)
		pv := append([]float64(nil), b.v...)
		m.Project(b.x, pv)
		if d := distance(pv, b.v); d > 1e-13 {
			t.Fatalf("a random tangent is not tangent: %g", d)
		}
		sum += dot(b.v, b.v)
	}
	if d := float64(m.Dim()); math.Abs(sum/draws-d) > 5*math.Sqrt(2*d/draws) {
		t.Errorf("E v·v = %g over dimension %g", sum/draws, d)
	}
	long := start()
	for range 10000 {
		m.Flow(long.x, long.v, 0.01)
	}
	if r := m.Residual(long.x); !(r < 1e-12) {
		t.Errorf("after 10,000 flows the residual is %g", r)
	}
}

func TestEuclideanRandomPoint(t *testing.T) {
	src := rng.New(1, 0, rng.Test).At(0)
	m := NewEuclidean(1000)
	x := make([]float64, 1000)
	m.RandomPoint(&src, 2, x)
	lo, hi := 0.0, 0.0
	for _, a := range x {
		lo, hi = min(lo, a), max(hi, a)
	}
	if lo < -2 || hi > 2 || lo > -1.95 || hi < 1.95 {
		t.Errorf("uniform on (−2, 2) reached from %g to %g", lo, hi)
	}
	m.RandomPoint(&src, 0, x)
	for _, a := range x {
		if a != 0 {
			t.Fatalf("radius 0 gave %g", a)
		}
	}
	if !math.IsInf(m.Residual([]float64{math.NaN()}), 1) {
		t.Error("NaN lies in R")
	}
}

func TestProduct(t *testing.T) {
	block := func(name, kind string, at, n int) target.Block {
		return target.Block{Name: name, Offset: at, Len: n, Geometry: target.Geometry{Kind: kind, Points: 2, Dim: n / 2}}
	}
	f, err := Product([]target.Block{block("a", "euclidean", 0, 4), block("b", "euclidean", 4, 0), block("c", "euclidean", 4, 2)}, 6)
	if err != nil || len(f) != 2 || f[1].Name != "c" || f[0].Dim() != 4 || f[0].Points != 1 {
		t.Errorf("got %+v, %v", f, err)
	}
	for _, c := range []struct {
		want   string
		blocks []target.Block
	}{
		{"hyperbolic", []target.Block{block("a", "hyperbolic", 0, 6)}},
		{"lies at 3", []target.Block{block("a", "euclidean", 0, 2), block("b", "euclidean", 3, 3)}},
		{"cover 4 of 6", []target.Block{block("a", "euclidean", 0, 4)}},
	} {
		if _, err := Product(c.blocks, 6); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("want an error with %q, got %v", c.want, err)
		}
	}
}
