package tall

import (
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/sgppl/sgppl/runtime/dynamics/manifold"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/tall/chart"
	"github.com/sgppl/sgppl/runtime/infer/tall/control"
	"github.com/sgppl/sgppl/runtime/infer/tall/whitening"
)

func flatPrior([]float64, []float64) float64 { return 0 }

// onSpaces has a target of rows live on spaces of these geometries.
func onSpaces(t *rowTarget, geometries ...target.Geometry) *rowTarget {
	for i, g := range geometries {
		n := g.Points * g.Dim * max(g.Cols, 1)
		t.blocks = append(t.blocks,
			target.Block{Name: string(rune('u' + i)), Offset: t.d, Len: n, Geometry: g})
		t.d += n
	}
	return t
}

func sphereOf(dim int) target.Geometry {
	return target.Geometry{Kind: "sphere", Points: 1, Dim: dim}
}

// directionRows are n rows of a logistic regression on a direction u of S², with slope
// times x·u behind an outcome.
func directionRows(n int, slope float64, seed uint64) *rowTarget {
	r := rand.New(rand.NewPCG(seed, 5))
	x, y := make([]float64, 3*n), make([]float64, n)
	for i := range y {
		for j := range 3 {
			x[3*i+j] = r.NormFloat64() * float64(j+1) / 2
		}
		if eta := slope * (0.6*x[3*i] + 0.8*x[3*i+2]); r.Float64() < 1/(1+math.Exp(-eta)) {
			y[i] = 1
		}
	}
	return onSpaces(&rowTarget{n: n, prior: flatPrior,
		row: func(i int, u []float64, w float64, grad []float64) float64 {
			row := x[3*i : 3*i+3]
			f, s := logistic(y[i], slope*dot(row, u))
			if grad != nil {
				for j, v := range row {
					grad[j] += w * s * slope * v
				}
			}
			return f
		}}, sphereOf(3))
}

// TestCurvedTruth: draws of a direction have the means and standard deviations of its
// posterior by the measure of the sphere, where that is as wide as to tell it from the
// measure of the chart's coordinates: without the chart's Jacobian standard deviations
// would be 8 % larger. The exact ones are sums over a grid of the sphere.
func TestCurvedTruth(t *testing.T) {
	of := directionRows(1000, 0.19, 1)
	e := of.NewEvaluator(1)
	mean, square, total := make([]float64, 3), make([]float64, 3), 0.0
	const steps = 60
	value := e.LogDensity([]float64{0.6, 0, 0.8}, nil, 1, 1)
	for i := range steps {
		// slices of a sphere have areas in proportion to their heights
		z := (2*float64(i)+1)/steps - 1
		for k := range 2 * steps {
			a := math.Pi * float64(k) / steps
			u := []float64{math.Sqrt(1-z*z) * math.Cos(a), math.Sqrt(1-z*z) * math.Sin(a), z}
			p := math.Exp(e.LogDensity(u, nil, 1, 1) - value)
			total += p
			for j, x := range u {
				mean[j] += p * x
				square[j] += p * x * x
			}
		}
	}
	set := Settings{Seed: 3, Anyway: true, Draws: 3000}
	s, err := Prepare(t.Context(), of, set, loop.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if s.Plan.Dim != 2 || s.Plan.FullPasses != "gmc" || s.Plan.Modes != 1 ||
		s.Plan.Noise > s.Plan.NoisePlain/20 {
		t.Errorf("the plan is %+v", s.Plan)
	}
	r, err := NewRun(of, s, set)
	if err != nil {
		t.Fatal(err)
	}
	got := &drawn{draws: make([][]float64, 4), states: make([][]byte, 4)}
	rep, err := r.Go(t.Context(), got, loop.Options{}, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	space := manifold.NewSphere(3)
	for j := range 3 {
		m := mean[j] / total
		sd := math.Sqrt(square[j]/total - m*m)
		n, sum, squares := 0.0, 0.0, 0.0
		for _, c := range got.draws {
			for at := 0; at < len(c); at += 3 {
				n++
				sum += c[at+j]
				squares += c[at+j] * c[at+j]
				if r := space.Residual(c[at : at+3]); r > 1e-12 {
					t.Fatalf("a draw is %g off the sphere", r)
				}
			}
		}
		found := math.Sqrt(squares/n - sum/n*sum/n)
		t.Logf("number %d: mean %.4f, exact %.4f ± %.4f; sd ratio %.4f; ESS %.0f, bias %+v", j,
			sum/n, m, sd, found/sd, rep.ESS[j], rep.Bias[j])
		if by := math.Abs(sum/n-m) / sd; by > 0.02+4/math.Sqrt(rep.ESS[j]) {
			t.Errorf("the mean of number %d is off by %.3f sd", j, by)
		}
		if q := found / sd; math.Abs(q-1) > 0.03 {
			t.Errorf("the standard deviation of number %d is %.3f of the exact one", j, q)
		}
	}
}

// TestCurvedGradient: in charts the estimate of the gradient has the gradient of all rows
// as its mean, and none of the noise at the anchor.
func TestCurvedGradient(t *testing.T) {
	base := directionRows(40, 1, 2)
	at := chart.About(base, []float64{0.6, 0, 0.8})
	e := at.NewEvaluator(1).(*chart.Evaluator)
	w := whitening.New([]float64{0.1, -0.2}, true)
	est := control.New(e, &control.Anchor{X: w.Mean, Rows: e.RowsAt(w.Mean, nil, 1)}, w)
	full, sum, g := make([]float64, 2), make([]float64, 2), make([]float64, 2)
	for _, z := range [][]float64{{0, 0}, {0.3, 0.5}, {2, -1}} {
		x := make([]float64, 2)
		w.Point(z, x)
		e.Gradient(x, nil, 1, 1, full)
		clear(sum)
		least, most := math.Inf(1), math.Inf(-1)
		for i := range base.n { // each as the only row of a minibatch
			est.Gradient(z, []int{i}, []float64{float64(base.n)}, g)
			least, most = min(least, g[0]), max(most, g[0])
			for j := range sum {
				sum[j] += g[j] / float64(base.n)
			}
		}
		for j := range sum {
			if math.Abs(sum[j]-full[j]) > 1e-10 {
				t.Errorf("at %v the mean of derivative %d is %g, not %g", z, j, sum[j], full[j])
			}
		}
		if spread := most - least; (spread < 1e-10) != (z[0] == 0 && z[1] == 0) {
			t.Errorf("at %v minibatches differ by %g", z, spread)
		}
	}
}

// TestCurvedModes: what has maxima on two sides of a space takes full passes, for every
// seed: points opposite to each other, columns whose signs do not matter, the components
// of an orthogonal group; one maximum is one, wherever climbs begin.
func TestCurvedModes(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	const n = 600
	x := make([]float64, 4*n)
	for i := range x {
		x[i] = r.NormFloat64()
		if i%4 == 0 {
			x[i] *= 2
		} else if i%4 == 1 {
			x[i] *= 1.4
		}
	}
	// power is Σ_k (row·column k)^p with weights.
	power := func(p int, by []float64) func(i int, u []float64, w float64, grad []float64) float64 {
		return func(i int, u []float64, w float64, grad []float64) float64 {
			row, f, k := x[4*i:4*i+4], 0.0, len(by)
			for c, b := range by {
				at := 0.0
				for j := range len(u) / k {
					at += row[j] * u[j*k+c]
				}
				d := b
				if p == 2 {
					f += b * at * at / 2
					d *= at
				} else {
					f += b * at
				}
				for j := range len(u) / k {
					if grad != nil {
						grad[j*k+c] += w * d * row[j]
					}
				}
			}
			return f
		}
	}
	for i := range n {
		x[4*i+3] += 0.5 // for what is linear
	}
	for _, c := range []struct {
		name  string
		of    *rowTarget
		modes bool
	}{
		{"an axis", onSpaces(&rowTarget{n: n, prior: flatPrior, row: power(2, []float64{0.5})},
			sphereOf(4)), true},
		{"signs of columns", onSpaces(&rowTarget{n: n, prior: flatPrior,
			row: power(2, []float64{0.5, 0.2})},
			target.Geometry{Kind: "stiefel", Points: 1, Dim: 4, Cols: 2}), true},
		{"a group", onSpaces(&rowTarget{n: n, prior: flatPrior, row: power(2, []float64{0.5, 0.3})},
			target.Geometry{Kind: "stiefel", Points: 1, Dim: 2, Cols: 2}), true},
		{"a direction", onSpaces(&rowTarget{n: n, prior: flatPrior, row: power(1, []float64{0.5})},
			sphereOf(4)), false},
		{"a frame", onSpaces(&rowTarget{n: n, prior: flatPrior, row: power(1, []float64{0.5, 0.2})},
			target.Geometry{Kind: "stiefel", Points: 1, Dim: 4, Cols: 2}), false},
		{"a logit", directionRows(n, 1, 3), false},
	} {
		for seed := range uint64(3) {
			s := Settings{Seed: seed + 1}.filled(n)
			found, _, err := searchModes(t.Context(), c.of, s, loop.Options{})
			if err != nil {
				t.Fatal(c.name, err)
			}
			if c.modes == (found.modes == 1) {
				t.Errorf("%s, seed %d: %d maxima", c.name, s.Seed, found.modes)
			}
		}
	}
	_, err := Prepare(t.Context(),
		onSpaces(&rowTarget{n: n, prior: flatPrior, row: power(2, []float64{0.5})}, sphereOf(4)),
		Settings{Seed: 1}, loop.Options{})
	var refusal *Refusal
	if !errors.As(err, &refusal) || !strings.Contains(refusal.Why, "several modes") {
		t.Error(err)
	}
}

// TestCurvedSpread: a posterior that is spread over its sphere takes full passes, and says
// why.
func TestCurvedSpread(t *testing.T) {
	_, err := Prepare(t.Context(), directionRows(1000, 0.04, 1), Settings{Seed: 1, Anyway: true},
		loop.Options{})
	var refusal *Refusal
	if !errors.As(err, &refusal) ||
		!strings.Contains(refusal.Why,
			"the posterior of u is spread over more than a quarter turn") {
		t.Error(err)
	}
}

// TestCurvedSameDraws: a run on a sphere and R² has the same draws on any number of
// threads, and from a set-up that was stored.
func TestCurvedSameDraws(t *testing.T) {
	direct := directionRows(1500, 1, 4)
	of := onSpaces(&rowTarget{n: direct.n, prior: normalPrior(2),
		row: func(i int, x []float64, w float64, grad []float64) float64 {
			u := []float64{x[1], x[2], x[3]}
			var g []float64
			if grad != nil {
				g = make([]float64, 3)
			}
			f := direct.row(i, u, w, g) - (x[0]-x[4])*(x[0]-x[4])/8 - x[4]*x[4]/8
			if grad != nil {
				for j, v := range g {
					grad[1+j] += v
				}
				grad[0] -= w * (x[0] - x[4]) / 4
				grad[4] += w * ((x[0]-x[4])/4 - x[4]/4)
			}
			return f
		}}, target.Geometry{Kind: "euclidean", Points: 1, Dim: 1}, sphereOf(3),
		target.Geometry{Kind: "euclidean", Points: 1, Dim: 1})
	set := Settings{Seed: 7, Anyway: true, Draws: 60, Chains: 2}
	var want [][]float64
	for _, threads := range []int{1, 3} {
		s, err := Prepare(t.Context(), of, set, loop.Options{Threads: threads})
		if err != nil {
			t.Fatal(err)
		}
		b, err := s.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		stored := &Setup{}
		if err := stored.UnmarshalBinary(b); err != nil {
			t.Fatal(err)
		}
		for _, s := range []*Setup{s, stored} {
			r, err := NewRun(of, s, set)
			if err != nil {
				t.Fatal(err)
			}
			got := &drawn{draws: make([][]float64, 2), states: make([][]byte, 2)}
			if _, err := r.Go(t.Context(), got, loop.Options{Threads: threads}, time.Time{}); err != nil {
				t.Fatal(err)
			}
			if want == nil {
				want = got.draws
			}
			if !reflect.DeepEqual(got.draws, want) || len(want[1]) != 60*5 {
				t.Errorf("%d threads: other draws", threads)
			}
		}
	}
}

// TestWay: the way between two points of a sphere is the arc of the great circle, walked
// evenly; between points that are opposite it is one of the arcs.
func TestWay(t *testing.T) {
	of := onSpaces(&rowTarget{}, target.Geometry{Kind: "euclidean", Points: 1, Dim: 1}, sphereOf(3))
	x := []float64{1, 1, 0, 0}
	for _, angle := range []float64{0.3, 2, 3.1, math.Pi} {
		y := []float64{3, math.Cos(angle), math.Sin(angle), 0}
		w, ok := newWay(of, x, y)
		if !ok {
			t.Fatal(angle)
		}
		for _, part := range []float64{0.1, 0.5, 0.9} {
			at := w.at(part)
			turned := math.Acos(at[1])
			if off := math.Abs(turned - part*angle); off > 1e-6 && angle < 3.14 || off > 0.04 ||
				math.Abs(at[0]-1-2*part) > 1e-12 {
				t.Errorf("angle %g, part %g: turned by %g, at %v", angle, part, turned, at)
			}
		}
	}
}

// TestCurvedModesOfFewRows: a direction whose sign does not matter, which only a few of
// many rows tell, has two modes.
func TestCurvedModesOfFewRows(t *testing.T) {
	const n, few = 60000, 6
	r := rand.New(rand.NewPCG(16, 6))
	y, a := make([]float64, n), make([]float64, 3*n)
	for i := range y {
		y[i] = r.NormFloat64()
		for j := range 3 {
			a[3*i+j] = 0.3 * r.NormFloat64()
		}
		a[3*i]++
	}
	of := onSpaces(&rowTarget{n: n, prior: flatPrior,
		row: func(i int, x []float64, w float64, grad []float64) float64 {
			d := y[i] - x[0]
			f := -d * d / 2
			if grad != nil {
				grad[0] += w * d
			}
			if i%(n/few) == 7 {
				along := dot(a[3*i:3*i+3], x[1:])
				f += 4 * along * along
				if grad != nil {
					for j := range 3 {
						grad[1+j] += w * 8 * along * a[3*i+j]
					}
				}
			}
			return f
		}}, target.Geometry{Kind: "euclidean", Points: 1, Dim: 1}, sphereOf(3))
	missed := 0
	for seed := range uint64(2) {
		_, err := Prepare(t.Context(), of, Settings{Seed: seed}, loop.Options{})
		var refusal *Refusal
		if !errors.As(err, &refusal) || !strings.Contains(refusal.Why, "several modes") {
			t.Errorf("seed %d: %v", seed, err)
		} else if strings.Contains(refusal.Why, "climbs on the rows that matter most") {
			missed++
		}
	}
	if missed == 0 {
		t.Error("the first climbs see both modes with every seed: the test does not test what it says")
	}
}
