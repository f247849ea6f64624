package examples_test

import (
	"math"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/optimize"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
)

// points are a sink that keeps the points of chain 0 but its iterates, in the
// model's coordinates.
type points map[optimize.Kind][]float64

func (p points) Point(chain int, kind optimize.Kind, out []float64, _ *optimize.Stats) error {
	if chain == 0 && kind != optimize.Iterate {
		p[kind] = append([]float64(nil), out...)
	}
	return nil
}
func (points) Progress(optimize.Progress)   {}
func (points) Checkpoint(int, []byte) error { return nil }

// optimum runs an algorithm with cosine steps, on all rows where batch is 0.
// The step h is that of the mean gradient; Santa's is h over √N.
func optimum(
	t *testing.T, m *model.Model, algorithm string, h float64, batch, starts int, steps int64,
) (points, []*optimize.Chain) {
	t.Helper()
	c := optimize.DefaultConfig()
	c.Algorithm, c.Step, c.Schedule, c.Steps, c.Batch, c.FullBatch = algorithm, h, "cyclic:1",
		steps, batch, batch == 0
	c.InitRadius, c.Seed, c.Chains = 0.5, seed, starts
	row, _ := optimize.Lookup(algorithm)
	if row.Thermostat {
		c.Step /= math.Sqrt(float64(m.Rows()))
	}
	p := points{}
	chains, err := optimize.Run(t.Context(), m, nil, c, p, loop.Options{})
	if err != nil {
		t.Fatalf("%s: %v", algorithm, err)
	}
	return p, chains
}

// steps of the algorithms for models whose numbers are of order 1.
var optimizerSteps = map[string]float64{"sgd": 0.3, "sgdm": 0.05, "rmsprop": 0.01, "adam": 0.01,
	"santa": 0.2, "santa-e": 0.1, "santa-refine": 0.2}

// TestOptimizeConjugate: every algorithm finds the mode of the conjugate
// regression, which has a closed form: β = (XᵀX + I/v0)⁻¹Xᵀy,
// σ² = (b0 + β·β/(2 v0) + |y − Xβ|²/2)/(a0 + 1 + (P + N)/2).
func TestOptimizeConjugate(t *testing.T) {
	t.Parallel()
	c := compile(t, "conjugate_regression")
	m, given := onVM(t, c), bind(t, c, data.Options{})
	x, y := given.Values["X"].F64, given.Values["y"].F64
	n, p := len(y), len(x)/len(y)
	const a0, b0, v0 = 3.0, 1.5, 10.0
	a := make([][]float64, p)
	for i := range a {
		a[i] = make([]float64, p+1)
		a[i][i] = 1 / v0
		for r := range n {
			for j := range p {
				a[i][j] += x[r*p+i] * x[r*p+j]
			}
			a[i][p] += x[r*p+i] * y[r]
		}
	}
	beta := solve(a)
	s := b0
	for _, b := range beta {
		s += b * b / (2 * v0)
	}
	for r := range n {
		d := y[r]
		for j := range p {
			d -= x[r*p+j] * beta[j]
		}
		s += d * d / 2
	}
	sigma2 := s / (a0 + 1 + float64(p+n)/2)
	for name, h := range optimizerSteps {
		for _, batch := range []int{0, 20} {
			found, _ := optimum(t, m, name, h, batch, 1, 20000)
			for kind, q := range found {
				worst := math.Abs(q[0]/sigma2-1) / math.Sqrt(2/float64(n))
				for j, b := range beta {
					worst = math.Max(worst, math.Abs(q[1+j]-b)/math.Sqrt(sigma2/float64(n)))
				}
				bound := 0.01
				if batch > 0 { // the last steps are small, and still of noise
					bound = 0.1
				}
				if !(worst < bound) {
					t.Errorf("%s, batch %d: the %s point is %.2g posterior standard deviations "+
						"off the mode", name, batch, kind, worst)
				}
			}
		}
	}
}

// solve solves the linear equations whose right side is the last column.
func solve(a [][]float64) []float64 {
	n := len(a)
	for k := range a { // positive definite
		for i := range a {
			if i == k {
				continue
			}
			r := a[i][k] / a[k][k]
			for j := k; j <= n; j++ {
				a[i][j] -= r * a[k][j]
			}
		}
	}
	x := make([]float64, n)
	for i := range x {
		x[i] = a[i][n] / a[i][i]
	}
	return x
}

// TestOptimizeLogistic: the gradient at what is found is small in the metric of the curvature
// there, by which the log density, a concave function, can rise by no more than half its square,
// except for the terms of higher order.
func TestOptimizeLogistic(t *testing.T) {
	t.Parallel()
	m := onVM(t, compile(t, "logistic"))
	e := m.Evaluator(0)
	n := m.Dim()
	for _, x := range []struct {
		algorithm string
		batch     int
	}{{"adam", 0}, {"santa", 0}, {"adam", 100}, {"santa", 100}, {"sgdm", 100}} {
		_, chains := optimum(t, m, x.algorithm, optimizerSteps[x.algorithm], x.batch, 1, 10000)
		at, _, _ := chains[0].Best()
		g, plus, minus := make([]float64, n), make([]float64, n), make([]float64, n)
		e.Gradient(at, nil, 1, 0, g)
		const eps = 1e-4
		a, y := make([][]float64, n), make([]float64, n)
		for i := range a {
			a[i] = make([]float64, n+1)
			copy(y, at)
			y[i] = at[i] + eps
			e.Gradient(y, nil, 1, 0, plus)
			y[i] = at[i] - eps
			e.Gradient(y, nil, 1, 0, minus)
			for j := range n {
				a[i][j] = (minus[j] - plus[j]) / (2 * eps)
			}
			a[i][n] = g[i]
		}
		rise := 0.0
		for i, d := range solve(a) {
			rise += g[i] * d / 2
		}
		if !(rise < 0.01) {
			t.Errorf("%s, batch %d: the log density is %.3g below its maximum", x.algorithm,
				x.batch, rise)
		}
	}
}

// TestOptimizeNetwork: Adam and Santa, each from three starts, find points of
// the network that are more probable than any draw of NUTS, and the same best one.
func TestOptimizeNetwork(t *testing.T) {
	t.Parallel()
	m := onVM(t, compile(t, "neural_network"))
	e := m.Evaluator(0)
	c := sampler.DefaultConfig()
	c.Sampler, c.FullBatch, c.Chains, c.Warmup, c.Draws, c.InitRadius, c.Seed = "nuts", true, 1,
		200, 60, 0.5, seed
	drawn := math.Inf(-1)
	for k := range c.Chains {
		ch, err := sampler.NewChain(m, c, k)
		if err != nil {
			t.Fatal(err)
		}
		for !ch.Done() {
			if err := ch.Step(); err != nil {
				t.Fatal(err)
			}
			drawn = math.Max(drawn, e.LogDensity(ch.Position(), nil, 1, 0))
		}
	}
	best := map[string]float64{"adam": math.Inf(-1), "santa": math.Inf(-1)}
	for name := range best {
		_, chains := optimum(t, m, name, optimizerSteps[name], 50, 3, 10000)
		for k, ch := range chains {
			_, value, _ := ch.Best()
			best[name] = math.Max(best[name], value)
			if !(value > drawn) {
				t.Errorf("%s, start %d: log density %.6g, and NUTS drew one of %.6g", name, k,
					value, drawn)
			}
		}
	}
	if d := best["adam"] - best["santa"]; math.Abs(d) > 0.05 {
		t.Errorf("adam's best point has the log density %.6g, santa's %.6g", best["adam"],
			best["santa"])
	}
}
