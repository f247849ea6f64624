package examples_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/results/diagnose"
)

// A dirichletCase is a law of dirichlet.json.
type dirichletCase struct {
	Name      string
	Alpha     []float64
	SumSq     float64 `json:"E_sum_sq"`
	MaxLarge  float64 `json:"P_max_gt_0_9"`
	Marginals []struct {
		First  int `json:"index_of_first"` // from 1
		Alpha  float64
		Mean   float64
		SD     float64
		Square float64 `json:"E_sq"`
		Log    float64 `json:"E_log"`
		VarLog float64 `json:"Var_log"`
		Root   float64 `json:"E_sqrt"`
		Small  float64 `json:"P_lt_1e_minus3"`
		Large  float64 `json:"P_gt_0_9"`
	}
}

func dirichlets(t *testing.T) []dirichletCase {
	var truth struct{ Cases []dirichletCase }
	loadTruth(t, "dirichlet.json", &truth)
	return truth.Cases
}

// total is α_0.
func (c *dirichletCase) total() (sum float64) {
	for _, a := range c.Alpha {
		sum += a
	}
	return sum
}

// onSphere reports whether the density on the sphere chart, Π |x_k|^{2α_k − 1}, is bounded.
func (c *dirichletCase) onSphere() bool { return slices.Min(c.Alpha) >= 0.5 }

// target is the model of the law itself, on a chart.
func (c *dirichletCase) target(t *testing.T, chart string) *model.Model {
	t.Helper()
	text := fmt.Sprintf("dim K\ndata a[K] : positive\n"+
		"param p : simplex[K] ~ dirichlet(a) by %s\ntrack l = log(p)\n", chart)
	m, diags := driver.Compile(source.New("dirichlet.sg", text), driver.Options{})
	if diags.Errors() {
		t.Fatalf("%s: %s", diags[0].Code, diags[0].Message)
	}
	return onVM(t, m, jsonFile(t, map[string]any{"a": c.Alpha}))
}

// settings of gmc by these rules:
//
//   - ilr: the potential's Hessian is α_0 (diag π − ππᵀ), at most α_0/2 in any
//     direction, whose time is 1/√(α_0/2): the step is half of it. The widest
//     coordinate is the log π_k of the greatest deviation; a trajectory takes
//     twice that, at speed 1.
//   - sphere: √π_k has the deviation 1/√(4α_0) about, in every direction; the
//     step is a quarter of it, for the force that has no bound at the faces,
//     over (K − 1)^¼, as the error of the energy grows with the dimension
//     (Neal 2011, §4.4), and a trajectory takes twice the deviation.
//
// Four chains of so many trajectories; 5000 give errors below 0.02 standard
// deviations in all cases.
func (c *dirichletCase) settings(chart string, draws int64) sampler.Config {
	cfg := sampler.DefaultConfig()
	cfg.Sampler, cfg.Seed = "gmc", uint64(100+len(c.Alpha))
	cfg.Warmup, cfg.Draws = 500, draws
	length := 0.0
	if chart == "ilr" {
		cfg.Step = 0.5 / math.Sqrt(c.total()/2)
		for _, m := range c.Marginals {
			length = max(length, 2*math.Sqrt(m.VarLog))
		}
	} else {
		sd := 1 / math.Sqrt(4*c.total())
		cfg.Step, length = sd/4/math.Pow(float64(len(c.Alpha)-1), 0.25), 2*sd
	}
	cfg.Leapfrog = int(math.Ceil(length / cfg.Step))
	return cfg
}

// want are the expectations of the first coordinate of each concentration, and
// of the whole. Probabilities below 1 % and above 99 % would rest on a few
// draws. Entries of p underflow where α is small: their logarithms do not.
func (c *dirichletCase) want() []expectation {
	k := len(c.Alpha)
	var out []expectation
	for _, m := range c.Marginals {
		i := m.First - 1
		add := func(what string, of func([]float64) float64, mean, sd float64) {
			out = append(out, expectation{fmt.Sprintf("%s %d", what, i), of, mean, sd})
		}
		add("p", at(i), m.Mean, m.SD)
		add("p²", squared(i, 0), m.Square, 0)
		add("log p", at(k+i), m.Log, math.Sqrt(m.VarLog))
		add("√p", func(d []float64) float64 { return math.Sqrt(d[i]) }, m.Root, 0)
		if likely(m.Small) {
			add("p < 10⁻³", func(d []float64) float64 { return indicator(d[i] < 1e-3) }, m.Small, 0)
		}
		if likely(m.Large) {
			add("p > 0.9", func(d []float64) float64 { return indicator(d[i] > 0.9) }, m.Large, 0)
		}
	}
	out = append(out, expectation{"Σp²", func(d []float64) float64 {
		sum := 0.0
		for _, x := range d[:k] {
			sum += x * x
		}
		return sum
	}, c.SumSq, 0})
	if likely(c.MaxLarge) {
		out = append(out, expectation{"max p > 0.9",
			func(d []float64) float64 { return indicator(slices.Max(d[:k]) > 0.9) }, c.MaxLarge, 0})
	}
	return out
}

func likely(p float64) bool { return p > 0.01 && p < 0.99 }

// check draws from the law on a chart and compares.
func (c *dirichletCase) check(t *testing.T, chart string, draws int64) {
	m := c.target(t, chart)
	cfg := c.settings(chart, draws)
	d := collect(t, m, cfg)
	worst := meets(t, d, c.want())
	for _, h := range d.Health {
		if h.Statistic == "acceptance_rate" {
			t.Logf("%s on %s: h = %.3g, %d steps a trajectory, acceptance %.3f, largest |z| %.2f",
				c.Name, chart, cfg.Step, cfg.Leapfrog, h.Value, worst)
			if !(h.Value >= 0.6) {
				t.Errorf("acceptance %.3f", h.Value)
			}
		}
	}
}

// TestDirichlet: some of the laws, on both charts; the rest is slow.
func TestDirichlet(t *testing.T) {
	for _, c := range dirichlets(t) {
		switch c.Name {
		case "sym0.1_K3":
			t.Run(c.Name+" on ilr", func(t *testing.T) { t.Parallel(); c.check(t, "ilr", 2500) })
		case "sym0.01_K10": // p underflows
			t.Run(c.Name+" on ilr", func(t *testing.T) { t.Parallel(); c.check(t, "ilr", 1600) })
		case "asym_1_2_3":
			t.Run(c.Name+" on sphere",
				func(t *testing.T) { t.Parallel(); c.check(t, "sphere", 5000) })
		}
	}
}

// expandedMean is a simplex with counts, on the chart of SGRLD.
func expandedMean(t *testing.T, alpha []float64, rows []int) *model.Model {
	t.Helper()
	const text = "dim K, N\ndata a[K] : positive\ndata y[N] : index[K]\n" +
		"param p : simplex[K] ~ dirichlet(a) by expanded_mean\ny ~ categorical(p)\n"
	m, diags := driver.Compile(source.New("counts.sg", text), driver.Options{})
	if diags.Errors() {
		t.Fatalf("%s: %s", diags[0].Code, diags[0].Message)
	}
	return onVM(t, m, jsonFile(t, map[string]any{"a": alpha, "y": rows}))
}

// TestExpandedMean: sgrld's drift h (1 + ρ⊙∇log p) under a Dirichlet prior is
// h (α − ρ + ρ⊙∇ log-lik), of which the last term is n_k − N π_k for counts.
func TestExpandedMean(t *testing.T) {
	alpha, rho := []float64{0.3, 2, 7}, []float64{0.02, 1.5, 4}
	e := expandedMean(t, alpha, []int{0, 2, 2, 1, 2}).Evaluator(5)
	g := make([]float64, 3)
	e.Gradient(rho, nil, 1, 1, g)
	for k, n := range []float64{1, 1, 3} {
		want := alpha[k] - rho[k] + n - 5*rho[k]/(0.02+1.5+4)
		if got := 1 + rho[k]*g[k]; !(math.Abs(got-want) < 1e-12) {
			t.Errorf("drift %d is %g, want %g", k, got, want)
		}
	}
}

// TestSGRLD: the posterior Dirichlet(α + n) of a compiled model by sgrld on
// minibatches, to a twentieth of its standard deviation.
func TestSGRLD(t *testing.T) {
	alpha, counts := []float64{4, 6, 10}, []int{12, 6, 22}
	var rows []int
	total := 0.0
	for k, n := range counts {
		for range n {
			rows = append(rows, k)
		}
		total += alpha[k] + float64(n)
	}
	c := sampler.DefaultConfig()
	c.Sampler, c.Step, c.Batch, c.Warmup, c.Draws, c.Thin, c.Seed = "sgrld", 0.01, 10,
		1000, 2000, 20, 5
	d := collect(t, expandedMean(t, alpha, rows), c)
	for k := range alpha {
		mean := (alpha[k] + float64(counts[k])) / total
		variance := mean * (1 - mean) / (total + 1)
		s := diagnose.Summarize(coordinate(d, k))
		t.Logf("p[%d]: %.4f ± %.4f, exact %.4f; sd %.4f, exact %.4f", k, s.Mean, s.MCSEMean, mean,
			s.SD, math.Sqrt(variance))
		if !(math.Abs(s.Mean-mean) < 0.05*math.Sqrt(variance)+4*s.MCSEMean) ||
			s.MCSEMean > 0.05*math.Sqrt(variance) {
			t.Errorf("p[%d]: mean %.4f ± %.4f, exact %.4f", k, s.Mean, s.MCSEMean, mean)
		}
		if !(math.Abs(s.SD*s.SD/variance-1) < 0.08) {
			t.Errorf("p[%d]: sd %.4f, exact %.4f", k, s.SD, math.Sqrt(variance))
		}
	}
}

// TestSGRLDNearZero: the health of a compiled model by sgrld says where entries come
// out too large near 0, and says nothing where they do not.
func TestSGRLDNearZero(t *testing.T) {
	for _, c := range []struct {
		alpha []float64
		want  string
	}{{[]float64{0.1, 0.1, 0.1, 0.1}, "off"}, {[]float64{2, 2, 2, 2}, "ok"}} {
		s := sampler.DefaultConfig()
		s.Sampler, s.Step, s.Batch, s.Chains, s.Warmup, s.Draws, s.Thin, s.Seed = "sgrld", 0.002, 3,
			2, 1000, 1000, 20, 5
		d := collect(t, expandedMean(t, c.alpha, []int{0, 0, 0, 1, 1, 0}), s)
		seen := ""
		for _, r := range d.Health {
			if r.Statistic == "reflection_bias" {
				t.Logf("%v: %.4f ± %.4f, %s", c.alpha, r.Value, r.MCSE, r.Verdict)
				seen = r.Verdict
			}
		}
		if seen != c.want {
			t.Errorf("%v: reflection_bias is %q, want %s", c.alpha, seen, c.want)
		}
	}
}
