package manifold

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// examples has the geometries that the conformance suite runs for each row of
// the table: a new row needs some here, or the suite fails.
var examples = map[string][]target.Geometry{
	"euclidean": {{Kind: "euclidean", Dim: 1}, {Kind: "euclidean", Dim: 3},
		{Kind: "euclidean", Dim: 50}},
	"mirrored": {{Kind: "mirrored", Dim: 1}, {Kind: "mirrored", Dim: 7}},
	"sphere": {
		{Kind: "sphere", Dim: 2}, {Kind: "sphere", Dim: 3}, {Kind: "sphere", Dim: 20},
		{Kind: "sphere", Dim: 301},
	},
	"stiefel": {
		{Kind: "stiefel", Dim: 4, Cols: 1}, {Kind: "stiefel", Dim: 3, Cols: 2},
		{Kind: "stiefel", Dim: 3, Cols: 3},
		{Kind: "stiefel", Dim: 20, Cols: 4},
	},
	"grassmann": {
		{Kind: "grassmann", Dim: 3, Cols: 1}, {Kind: "grassmann", Dim: 4, Cols: 2},
		{Kind: "grassmann", Dim: 20, Cols: 4}, {Kind: "grassmann", Dim: 5, Cols: 4},
	},
	"hyperbolic": {{Kind: "hyperbolic", Dim: 2}, {Kind: "hyperbolic", Dim: 3},
		{Kind: "hyperbolic", Dim: 11}},
	"positive_definite": {
		{Kind: "positive_definite", Dim: 1, Cols: 1}, {Kind: "positive_definite", Dim: 2, Cols: 2},
		{Kind: "positive_definite", Dim: 4, Cols: 4},
	},
}

// dims are the intrinsic dimensions of those geometries.
var dims = map[string][]int{"euclidean": {1, 3, 50}, "mirrored": {1, 7}, "sphere": {1, 2, 19, 300},
	"stiefel": {3, 3, 3, 70}, "grassmann": {2, 4, 64, 4}, "hyperbolic": {1, 2, 10},
	"positive_definite": {1, 3, 10}}

func TestConformance(t *testing.T) {
	for _, row := range Table {
		if len(examples[row.Kind]) == 0 {
			t.Errorf("%s: no example geometry", row.Kind)
		}
		for i, g := range examples[row.Kind] {
			t.Run(fmt.Sprintf("%s/%d,%d", row.Kind, g.Dim, g.Cols), func(t *testing.T) {
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
	for _, size := range []float64{1e-300, 1e-160, 1e-12, 1e6} {
		if _, ok := m.(Framed); ok && size > 1 {
			continue // there points at such distances are not numbers
		}
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
	if _, ok := m.(Framed); ok {
		checkFramed(t, m.(Framed), start())
	} else {
		checkLong(t, m, start(), 10000)
		checkOde(t, m, start())
	}
	if n := testing.AllocsPerRun(10, func() {
		m.Flow(b.x, b.v, 0.1)
		m.Project(b.x, u)
		m.RandomTangent(&src, b.x, b.v)
		m.RandomPoint(&src, 1, b.x)
		m.Residual(b.x)
	}); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

// tangency is how far v is from the tangent space, over its length.
func tangency(m Manifold, b bundle) float64 {
	p := append([]float64(nil), b.v...)
	m.Project(b.x, p)
	return distance(p, b.v) / math.Sqrt(dot(b.v, b.v))
}

// checkLong: after many flows the point is on the manifold to 1e-12, the
// velocity tangent, and v·v what it was.
func checkLong(t *testing.T, m Manifold, b bundle, flows int) {
	t.Helper()
	energy := dot(b.v, b.v)
	for i := range flows {
		m.Flow(b.x, b.v, 0.01)
		if i%1000 == 999 {
			if r := m.Residual(b.x); !(r < 1e-12) {
				t.Fatalf("after %d flows the residual is %g", i+1, r)
			}
			if r := tangency(m, b); !(r < 1e-12) {
				t.Fatalf("after %d flows the velocity is %g off the tangent space", i+1, r)
			}
		}
	}
	if e := math.Abs(dot(b.v, b.v)/energy - 1); !(e < 1e-15*float64(flows)+1e-13) {
		t.Errorf("v·v changes by %g of it in %d flows", e, flows)
	}
}

// acceleration is that of geodesics in the space around, x” = −x (vᵀv): of
// Stiefel manifolds (Edelman, Arias and Smith 1998, equation 2.7), of which
// the sphere has one column. R^n has none.
func acceleration(m Manifold, x, v, a []float64) {
	k := 1
	switch s := m.(type) {
	case Euclidean, Mirrored:
		clear(a)
		return
	case *Stiefel:
		k = s.k
	case *Grassmann:
		k = s.k
	}
	for i := 0; i < len(x); i += k {
		for c := range k {
			a[i+c] = 0
			for b := range k {
				vv := 0.0
				for j := 0; j < len(x); j += k {
					vv += v[j+b] * v[j+c]
				}
				a[i+c] -= x[i+b] * vv
			}
		}
	}
}

// checkOde compares a flow with Runge and Kutta's solution in the space
// around, which never projects; a single flow from a point of the manifold has
// nothing to put back either.
func checkOde(t *testing.T, m Manifold, b bundle) {
	t.Helper()
	speed := math.Sqrt(dot(b.v, b.v))
	for i := range b.v { // an arc of 1.5
		b.v[i] *= 1.5 / speed
	}
	want := b.copy()
	n := len(b.x)
	const steps = 200
	h := 1.0 / steps
	var kx, kv [4][]float64
	for i := range kx {
		kx[i], kv[i] = make([]float64, n), make([]float64, n)
	}
	y := want.copy()
	for range steps {
		for s, c := range []float64{0, h / 2, h / 2, h} {
			for i := range n {
				y.x[i], y.v[i] = want.x[i], want.v[i]
				if s > 0 {
					y.x[i] += c * kx[s-1][i]
					y.v[i] += c * kv[s-1][i]
				}
			}
			copy(kx[s], y.v)
			acceleration(m, y.x, y.v, kv[s])
		}
		for i := range n {
			want.x[i] += h / 6 * (kx[0][i] + 2*kx[1][i] + 2*kx[2][i] + kx[3][i])
			want.v[i] += h / 6 * (kv[0][i] + 2*kv[1][i] + 2*kv[2][i] + kv[3][i])
		}
	}
	m.Flow(b.x, b.v, 1)
	if d := max(distance(b.x, want.x), distance(b.v, want.v)); !(d < 1e-9) {
		t.Errorf("the flow is %g off Runge and Kutta's solution", d)
	}
	if r := m.Residual(b.x); r > 1e-14 {
		t.Errorf("one flow leaves the manifold by %g", r)
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

// TestMirroredRandomPoint: starts are positive, spread in the logarithm.
func TestMirroredRandomPoint(t *testing.T) {
	src := rng.New(1, 0, rng.Test).At(0)
	m, err := newMirrored(target.Geometry{Kind: "mirrored", Dim: 1000})
	if err != nil {
		t.Fatal(err)
	}
	x := make([]float64, 1000)
	m.RandomPoint(&src, 2, x)
	lo, hi := math.Inf(1), 0.0
	for _, a := range x {
		lo, hi = min(lo, math.Log(a)), max(hi, math.Log(a))
	}
	if lo < -2 || hi > 2 || lo > -1.95 || hi < 1.95 {
		t.Errorf("logarithms on (−2, 2) reached from %g to %g", lo, hi)
	}
	m.RandomPoint(&src, 0, x)
	for _, a := range x {
		if a != 1 {
			t.Fatalf("radius 0 gave %g", a)
		}
	}
}

func TestProduct(t *testing.T) {
	block := func(name, kind string, at, n int) target.Block {
		return target.Block{Name: name, Offset: at, Len: n,
			Geometry: target.Geometry{Kind: kind, Points: 2, Dim: n / 2}}
	}
	f, err := Product([]target.Block{block("a", "euclidean", 0, 4), block("b", "euclidean", 4, 0),
		block("c", "euclidean", 4, 2)}, 6)
	if err != nil || len(f) != 2 || f[1].Name != "c" || f[0].Dim() != 4 || f[0].Points != 1 {
		t.Errorf("got %+v, %v", f, err)
	}
	for _, c := range []struct {
		want   string
		blocks []target.Block
	}{
		{"elliptic", []target.Block{block("a", "elliptic", 0, 6)}},
		{"lies at 3", []target.Block{block("a", "euclidean", 0, 2), block("b", "euclidean", 3, 3)}},
		{"cover 4 of 6", []target.Block{block("a", "euclidean", 0, 4)}},
	} {
		if _, err := Product(c.blocks, 6); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("want an error with %q, got %v", c.want, err)
		}
	}
}
