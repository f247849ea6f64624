package examples_test

import (
	"math"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/results/diagnose"
)

// meansAndShares is a model of numbers with known variance in groups, and of the
// shares of the groups: normal means and a Dirichlet law, both exact.
func meansAndShares(t *testing.T, alpha []float64, y [][]float64) *model.Model {
	t.Helper()
	const text = `dim K, N
data a[K] : positive
data g[N] : index[K]
data y[N] : real
param mu[K] : real ~ normal(0, 2)
param p : simplex[K] ~ dirichlet(a)
for n in N {
  g[n] ~ categorical(p)
  y[n] ~ normal(mu[g[n]], 1)
}
`
	m, diags := driver.Compile(source.New("groups.sg", text),
		driver.Options{Charts: map[string]string{"p": "expanded_mean"}})
	if diags.Errors() {
		t.Fatalf("%s: %s", diags[0].Code, diags[0].Message)
	}
	var g []int
	var all []float64
	for k, ys := range y {
		for _, v := range ys {
			g, all = append(g, k), append(all, v)
		}
	}
	return onVM(t, m, jsonFile(t, map[string]any{"a": alpha, "g": g, "y": all}))
}

// TestMixedModel: msgnht for the means and sgrld for the shares of a compiled
// model, on all rows and on minibatches, have the exact means.
func TestMixedModel(t *testing.T) {
	alpha := []float64{4, 6, 10}
	y := [][]float64{{-1, -0.5, 0.2, -1.4}, {0.5, 0.9, 1.2, 0.1, 1, 0.7}, {2, 2.4, 1.7, 3.1, 2.2}}
	total := 0.0
	var want, variance []float64
	for k, ys := range y {
		total += alpha[k] + float64(len(ys))
		sum := 0.0
		for _, v := range ys {
			sum += v
		}
		precision := 0.25 + float64(len(ys))
		want, variance = append(want, sum/precision), append(variance, 1/precision)
	}
	for k, ys := range y {
		p := (alpha[k] + float64(len(ys))) / total
		want, variance = append(want, p), append(variance, p*(1-p)/(total+1))
	}
	m := meansAndShares(t, alpha, y)
	for _, batch := range []int{0, 5} {
		c := sampler.DefaultConfig()
		c.Sampler, c.Step, c.Friction, c.Seed = "msgnht", 0.05, 3, 11
		p := c.For("p")
		p.Sampler, p.Step = "sgrld", new(0.005)
		c.Batch, c.FullBatch, c.BatchOrder = batch, batch == 0, "replace"
		c.Warmup, c.Draws, c.Thin = 2000, 4000, 10
		d := collect(t, m, c)
		for i := range want {
			s := diagnose.Summarize(coordinate(d, i))
			z := (s.Mean - want[i]) / s.MCSEMean
			t.Logf("batch %d, number %d: %.4f ± %.4f, exact %.4f, z = %.1f; sd %.4f, exact %.4f",
				batch, i, s.Mean, s.MCSEMean, want[i], z, s.SD, math.Sqrt(variance[i]))
			if !(math.Abs(z) <= 4) || s.MCSEMean > 0.06*math.Sqrt(variance[i]) {
				t.Errorf("batch %d, number %d: %.4f ± %.4f, exact %.4f", batch, i, s.Mean,
					s.MCSEMean, want[i])
			}
			if !(math.Abs(s.SD*s.SD/variance[i]-1) < 0.1) {
				t.Errorf("batch %d, number %d: sd %.4f, exact %.4f", batch, i, s.SD,
					math.Sqrt(variance[i]))
			}
		}
	}
}

// TestNoRows: what a sampler asks for where blocks have their own temperatures:
// gradients without rows, whose difference in the weight of log|J| is ∇log|J|.
func TestNoRows(t *testing.T) {
	const text = "dim N\ndata y[N] : real\nparam m : real ~ normal(0, 1)\n" +
		"param s : positive ~ exponential(1)\nfor n in N { y[n] ~ normal(m, s) }\n"
	c, diags := driver.Compile(source.New("line.sg", text), driver.Options{})
	if diags.Errors() {
		t.Fatal(diags)
	}
	m := onVM(t, c, jsonFile(t, map[string]any{"y": []float64{1, 2, 4}}))
	e := m.Evaluator(2)
	x, with, without := []float64{0.3, -0.7}, make([]float64, 2), make([]float64, 2)
	e.Gradient(x, []int{}, 0, 1, with)
	e.Gradient(x, []int{}, 0, 0, without)
	// log p(m) + log p(s) with s = e^y, and log|J| = y.
	for i, want := range []float64{-0.3, -math.Exp(-0.7)} {
		if math.Abs(without[i]-want) > 1e-12 || math.Abs(with[i]-without[i]-float64(i)) > 1e-12 {
			t.Errorf("coordinate %d: %g and %g, want %g and %g", i, without[i], with[i], want,
				want+float64(i))
		}
	}
}
