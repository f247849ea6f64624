package sampler

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler/health"
	"github.com/sgppl/sgppl/runtime/infer/sampler/settings"
	"github.com/sgppl/sgppl/runtime/infer/sampler/table"
)

func mirrored(dim int) target.Geometry {
	return target.Geometry{Kind: "mirrored", Points: 1, Dim: dim}
}

// gammas is the density Π ρ_k^{α_k − 1} e^{−ρ_k} of ρ = |x|: a Dirichlet law of
// concentration α on the expanded mean.
func gammas(alpha ...float64) target.Target {
	return newCurved(func(x, grad []float64) float64 {
		f := 0.0
		for k, a := range alpha {
			rho := math.Abs(x[k])
			f += (a-1)*math.Log(rho) - rho
			grad[k] = math.Copysign(1, x[k]) * ((a-1)/rho - 1)
		}
		return f
	}, mirrored(len(alpha)))
}

// stationaryMirrored runs a sampler of simplexes by expanded_mean on gammas: where
// reflections are too seldom to count, a coordinate of SGRLD is a linear recursion
// with noise of variance 2hTρ + h²Vρ², whose first two moments are known with their
// discretisation: mean m = α − 1 + T, variance (2hTm + h²Vm²)/(2h − h² − h²V), of first
// order in h.
func stationaryMirrored(t *testing.T, sampler, scheme string) {
	for i, c := range []struct{ h, temp, v float64 }{{0.05, 1, 0}, {0.4, 1, 0}, {0.2, 2, 0},
		{0.2, 1, 0.5}} {
		t.Run(fmt.Sprintf("h=%g/T=%g/V=%g", c.h, c.temp, c.v), func(t *testing.T) {
			t.Parallel()
			alpha := []float64{5, 8, 12}
			cfg := config(sampler, scheme, c.h)
			cfg.Temperature, cfg.Seed = c.temp, uint64(i+1)
			if c.v > 0 {
				cfg.SyntheticNoise = fmt.Sprint("gradient:", c.v)
			}
			ch := mustChain(t, gammas(alpha...), cfg, 0)
			mustSteps(t, ch, 500)
			ms := make([]moments, len(alpha))
			for k, a := range alpha {
				ms[k].mean = a - 1 + c.temp
			}
			for range 200000 {
				mustSteps(t, ch, 1)
				for k, x := range ch.Position() {
					if x < 0 {
						t.Fatalf("x[%d] is %g", k, x)
					}
					ms[k].add(x)
				}
			}
			for k := range ms {
				m := ms[k].mean
				noise := c.h * c.h * c.v
				ms[k].check(t, fmt.Sprint(k), (2*c.h*c.temp*m+noise*m*m)/(2*c.h-c.h*c.h-noise), 0)
			}
		})
	}
}

// sumOfSquares is E Σπ² by SGRLD with steps of size h, with its error.
func sumOfSquares(t *testing.T, h float64, steps int, alpha ...float64) (mean, mcse float64) {
	cfg := config("sgrld", "", h)
	ch := mustChain(t, gammas(alpha...), cfg, 0)
	mustSteps(t, ch, int(20/h))
	var s health.Series
	for range steps {
		mustSteps(t, ch, 1)
		total, square := 0.0, 0.0
		for _, x := range ch.Position() {
			total += x
			square += x * x
		}
		s.Add(square / (total * total))
	}
	return s.Mean(), s.MCSE()
}

// concentrated is E Σπ² of a Dirichlet law: Σ α_k (α_k + 1)/(α_0 (α_0 + 1)).
func concentrated(alpha ...float64) float64 {
	sum, square := 0.0, 0.0
	for _, a := range alpha {
		sum += a
		square += a * (a + 1)
	}
	return square / (sum * (sum + 1))
}

// TestSGRLDBias: on the simplex the bias is of first order in h where every
// α ≥ 1, and nothing is left of it at small steps. Below 1 the reflections
// count: the order is about h^α, so that at α = ½ four times smaller steps do
// not halve it, and at 0.1 no step is small enough. dynamics.md has ilr for that.
func TestSGRLDBias(t *testing.T) {
	t.Parallel()
	large := []float64{5, 8, 12}
	b4, e4 := sumOfSquares(t, 0.4, 400000, large...)
	b2, e2 := sumOfSquares(t, 0.2, 400000, large...)
	want := concentrated(large...)
	b4, b2 = b4-want, b2-want
	t.Logf("bias at 0.4 %.5f ± %.5f, at 0.2 %.5f ± %.5f", b4, e4, b2, e2)
	if !(b4 > 5*e4) || !(math.Abs(b4-2*b2) < 4*math.Hypot(e4, 2*e2)) {
		t.Errorf("the bias at h = 0.4 is %.5f ± %.5f, at 0.2 %.5f ± %.5f: not of first order", b4,
			e4, b2, e2)
	}
	one := []float64{1, 2, 3}
	if m, e := sumOfSquares(t, 0.02, 800000, one...); !(math.Abs(m-concentrated(one...)) < 4*e) ||
		e > 0.002 {
		t.Errorf("E Σπ² is %.5f ± %.5f, exact %.5f", m, e, concentrated(one...))
	}
	for _, a := range []float64{0.5, 0.1} {
		alpha := []float64{a, a, a}
		want := concentrated(alpha...)
		m4, e4 := sumOfSquares(t, 0.4, 200000, alpha...)
		m1, e1 := sumOfSquares(t, 0.1, 400000, alpha...)
		order := math.Log((want-m4)/(want-m1)) / math.Log(4)
		t.Logf("α = %g: off by %.4f ± %.4f at h = 0.4, by %.4f ± %.4f at 0.1: order %.2f", a,
			want-m4, e4, want-m1, e1, order)
		if !(order > a/2 && order < 3*a/2) {
			t.Errorf("α = %g: the order is %.2f, not about α", a, order)
		}
	}
}

// TestMirroredHealth: the configurational temperature of a mirrored block is T
// for sgrld, whose x stay positive with a density that does not vanish at 0.
func TestMirroredHealth(t *testing.T) {
	cfg := config("sgrld", "", 0.02)
	cfg.Draws, cfg.Warmup = 400000, 2000
	ch := mustChain(t, gammas(1, 2, 3), cfg, 0)
	mustSteps(t, ch, int(cfg.Steps()))
	seen := false
	for _, r := range ch.Health() {
		if r.Statistic != "configurational_temperature" {
			continue
		}
		seen = true
		t.Logf("%.4f ± %.4f", r.Value, r.MCSE)
		if !(math.Abs(r.Value-1) < max(0.03, 4*r.MCSE)) || r.MCSE > 0.05 {
			t.Errorf("the configurational temperature is %.4f ± %.4f", r.Value, r.MCSE)
		}
	}
	if !seen {
		t.Error("it is not reported")
	}
}

// TestMirroredRefuses all samplers but sgrld, whatever the temperature: steps of a
// fixed size are thrown off where the gradient has no bound, and trajectories with
// a Metropolis test hardly leave such a place.
func TestMirroredRefuses(t *testing.T) {
	for _, row := range table.Table {
		if row.Conditionals || row.Still { // they are of whole models
			continue
		}
		for _, temp := range []float64{1, 2} {
			c := config(row.Name, "", 0.1)
			c.Temperature = temp
			err := c.Validate(gammas(0.1, 1, 3))
			if row.Name == "sgrld" {
				if err != nil {
					t.Errorf("T = %g: %v", temp, err)
				}
				continue
			}
			var be *settings.BlockError
			if !errors.As(err, &be) || !slices.Equal(be.Usable, []string{"sgrld"}) ||
				!strings.Contains(err.Error(), "--sampler a=sgrld") ||
				!strings.Contains(err.Error(), "without `by expanded_mean`") {
				t.Errorf("%s, T = %g: %v", row.Name, temp, err)
			}
		}
	}
	c := config("msgnht", "", 0.1)
	c.For("b").Sampler = "sgrld"
	if err := c.Validate(newCurved(func(x, grad []float64) float64 { clear(grad); return 0 }, flat(2),
		mirrored(3))); err != nil {
		t.Errorf("sgrld beside msgnht: %v", err)
	}
}

// TestSGRLDResume: a checkpoint in the middle moves no bit.
func TestSGRLDResume(t *testing.T) {
	g := newMultinomial([]float64{1, 2, 3}, 12, 6, 22)
	cfg := config("sgrld", "", 0.01)
	cfg.FullBatch, cfg.Batch, cfg.Temperature = false, 7, 1.5
	a := mustChain(t, g, cfg, 0)
	mustSteps(t, a, 23)
	state, err := a.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	b, err := ResumeChain(g, cfg, 0, state)
	if err != nil {
		t.Fatal(err)
	}
	mustSteps(t, a, 30)
	mustSteps(t, b, 30)
	if !bitsEqual(a.Position(), b.Position()) {
		t.Errorf("%v and %v", a.Position(), b.Position())
	}
	if n := testing.AllocsPerRun(50, func() { mustSteps(t, a, 1) }); n != 0 {
		t.Errorf("%g allocations a step", n)
	}
}

// multinomial is the posterior of a simplex of n rows of categories, on the
// expanded mean of a Dirichlet prior.
type multinomial struct {
	curved
	alpha []float64
	rows  []int
}

func newMultinomial(alpha []float64, counts ...int) *multinomial {
	g := &multinomial{alpha: alpha}
	g.dim = len(alpha)
	g.blocks = []target.Block{{Name: "p", Len: g.dim, Geometry: mirrored(g.dim)}}
	for k, n := range counts {
		for range n {
			g.rows = append(g.rows, k)
		}
	}
	return g
}

func (g *multinomial) Rows() int { return len(g.rows) }
func (g *multinomial) NewEvaluator(int) target.Evaluator {
	return &multinomialEval{gaussianEval{&g.gaussian}, g}
}

type multinomialEval struct {
	gaussianEval
	g *multinomial
}

func (e *multinomialEval) LogDensityGradient(
	x []float64, rows []int, scale, _ float64, grad []float64,
) float64 {
	f, total := 0.0, 0.0
	for k, a := range e.g.alpha {
		f += (a-1)*math.Log(x[k]) - x[k]
		grad[k] = (a-1)/x[k] - 1
		total += x[k]
	}
	one := func(k int) {
		f += scale * math.Log(x[k]/total)
		grad[k] += scale / x[k]
		for j := range grad {
			grad[j] -= scale / total
		}
	}
	if rows == nil {
		for _, k := range e.g.rows {
			one(k)
		}
	}
	for _, i := range rows {
		one(e.g.rows[i])
	}
	return f
}

func (e *multinomialEval) Gradient(
	x []float64, rows []int, scale, jacobian float64, grad []float64,
) {
	e.LogDensityGradient(x, rows, scale, jacobian, grad)
}

func (e *multinomialEval) LogDensity(x []float64, rows []int, scale, jacobian float64) float64 {
	return e.LogDensityGradient(x, rows, scale, jacobian, make([]float64, len(x)))
}

// TestSGRLDMinibatch: the posterior of a simplex from counts, by minibatches.
func TestSGRLDMinibatch(t *testing.T) {
	alpha, counts := []float64{4, 6, 10}, []int{12, 6, 22}
	g := newMultinomial(alpha, counts...)
	cfg := config("sgrld", "", 0.01)
	cfg.FullBatch, cfg.Batch = false, 10
	ch := mustChain(t, g, cfg, 0)
	mustSteps(t, ch, 2000)
	ms := make([]moments, 3)
	n := 0.0
	for k, a := range alpha {
		n += a + float64(counts[k])
	}
	for k, a := range alpha {
		ms[k].mean = (a + float64(counts[k])) / n
	}
	total := moments{mean: 20}
	for range 300000 {
		mustSteps(t, ch, 1)
		r := 0.0
		for _, x := range ch.Position() {
			r += x
		}
		total.add(r)
		for k, x := range ch.Position() {
			ms[k].add(x / r)
		}
	}
	for k := range ms {
		ms[k].check(t, fmt.Sprint("p", k), ms[k].mean*(1-ms[k].mean)/(n+1), 0.05)
	}
	total.check(t, "total", 20, 0.05) // of which the rows say nothing
}

// TestSGRLDRefuses blocks that are not mirrored, alone and together with one that is.
func TestSGRLDRefuses(t *testing.T) {
	f := func(x, grad []float64) float64 { clear(grad); return 0 }
	var be *settings.BlockError
	for _, g := range []target.Target{newCurved(f, mirrored(3), flat(2)),
		newCurved(f, mirrored(3), sphere(1, 3))} {
		if err := config("sgrld", "", 0.1).Validate(g); !errors.As(err, &be) || be.Block != "b" ||
			len(be.Usable) == 0 {
			t.Errorf("got %v", err)
		}
	}
}
