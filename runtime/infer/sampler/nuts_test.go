package sampler

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler/adapt"
	"github.com/sgppl/sgppl/runtime/infer/sampler/health"
	"github.com/sgppl/sgppl/runtime/infer/sampler/settings"
	"github.com/sgppl/sgppl/runtime/infer/start"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// nutsConfig is a run of one chain that finds its step.
func nutsConfig(warmup, draws int64) settings.Config {
	c := config("nuts", "", 0)
	c.Warmup, c.Draws = warmup, draws
	return c
}

// correlated is a Gaussian with x_i = s_i u_i, u of unit variances and
// correlations ρ^|i−j|; its precision is tridiagonal.
func correlated(rho float64, scales []float64) target.Target {
	q := 1 / (1 - rho*rho)
	return newCurved(func(x, grad []float64) float64 {
		n, sum := len(x), 0.0
		for i := range x {
			a := x[i] / scales[i]
			d := a
			if i > 0 {
				d += rho * rho * a
			}
			if i == 0 || i == n-1 {
				d = a
			}
			if n == 1 {
				d = a / q
			}
			if i > 0 {
				d -= rho * x[i-1] / scales[i-1]
			}
			if i < n-1 {
				d -= rho * x[i+1] / scales[i+1]
			}
			grad[i] = -q * d / scales[i]
			sum -= 0.5 * q * d * a
		}
		return sum
	}, flat(len(scales)))
}

// wide are scales from 1e-2 to 1e2.
func wide(n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = math.Pow(10, -2+4*float64(i)/float64(max(n-1, 1)))
	}
	return out
}

// banana: x ~ N(0, 1), y | x ~ N((x² − 1)/2, ½²); E y = 0, Var y = ½ + ¼.
var banana = newCurved(func(x, grad []float64) float64 {
	d := x[1] - 0.5*(x[0]*x[0]-1)
	grad[0] = -x[0] + 4*d*x[0]
	grad[1] = -4 * d
	return -0.5*x[0]*x[0] - 2*d*d
}, flat(2))

// mildFunnel: v ~ N(0, 1), four x | v ~ N(0, e^v): Var x = e^½.
var mildFunnel = newCurved(func(x, grad []float64) float64 {
	v := x[0]
	f := -0.5 * v * v
	grad[0] = -v
	for i := 1; i < 5; i++ {
		s := x[i] * x[i] * math.Exp(-v)
		f -= 0.5*s + 0.5*v
		grad[0] += 0.5*s - 0.5
		grad[i] = -x[i] * math.Exp(-v)
	}
	return f
}, flat(5))

// TestNutsMoments: means and variances of every coordinate, |z| ≤ 4.
func TestNutsMoments(t *testing.T) {
	sq := func(s []float64, temp float64) []float64 {
		out := make([]float64, len(s))
		for i, a := range s {
			out[i] = a * a * temp
		}
		return out
	}
	e := math.Exp(0.5)
	for _, g := range []struct {
		name        string
		target      target.Target
		variance    []float64
		metric      string
		step, temp  float64
		init, limit float64 // of the error of a variance
	}{
		{"correlated", correlated(0.9, wide(10)), sq(wide(10), 1), "", 0, 1, 2, 0.05},
		{"correlated dense", correlated(0.9, wide(10)), sq(wide(10), 1), "dense", 0, 1, 2, 0.05},
		{"hot", correlated(0.5, wide(3)), sq(wide(3), 2), "", 0, 2, 2, 0.05},
		{"unit", correlated(0.5, []float64{1, 2, 0.5}), []float64{1, 4, 0.25}, "unit", 0, 1, 2, 0.05},
		{"given step", correlated(0.5, []float64{1, 2, 0.5}), []float64{1, 4, 0.25}, "", 0.4, 1, 2, 0.05},
		{"one dimension", correlated(0.3, []float64{3}), []float64{9}, "", 0, 1, 2, 0.05},
		{"one dimension dense", correlated(0.3, []float64{3}), []float64{9}, "dense", 0, 1, 2, 0.05},
		{"banana", banana, []float64{1, 0.75}, "", 0, 1, 2, 0.1},
		{"funnel", mildFunnel, []float64{1, e, e, e, e}, "", 0, 1, 2, 0.1},
		{"far start", correlated(0.5, []float64{1, 1}), []float64{1, 1}, "", 0, 1, 1000, 0.05},
	} {
		t.Run(g.name, func(t *testing.T) {
			t.Parallel()
			c := nutsConfig(1000, 12000)
			if g.limit > 0.05 {
				c.Draws *= 5
			}
			c.Metric, c.Step, c.Temperature, c.InitRadius = g.metric, g.step, g.temp, g.init
			ch := mustChain(t, g.target, c, 0)
			mustSteps(t, ch, int(c.Warmup))
			ms := make([]moments, len(g.variance))
			for range c.Draws {
				mustSteps(t, ch, 1)
				for i, x := range ch.Position() {
					ms[i].add(x)
				}
			}
			for i, v := range g.variance {
				one, two := ms[i].one.Mean()/ms[i].one.MCSE(), (ms[i].two.Mean()-v)/ms[i].two.MCSE()
				if !(math.Abs(one) <= 4 && math.Abs(two) <= 4) {
					t.Errorf("x[%d]: z of mean %.3g, of variance %.3g", i, one, two)
				}
				if e := ms[i].two.MCSE() / v; !(e < g.limit) {
					t.Errorf("x[%d]: the error of the variance is %.2g of it", i, e)
				}
			}
			for _, r := range ch.Health() {
				if r.Verdict == "off" && r.Statistic != "divergences" {
					t.Errorf("%+v", r)
				}
			}
		})
	}
}

// TestNutsInvariance: one transition from an exact draw gives an exact draw.
// The ranks of three functions of it among exact draws are uniform: χ² with 19
// degrees of freedom, below its 99.99 % point. The step is coarse, so that a
// wrong weight or criterion would show.
func TestNutsInvariance(t *testing.T) {
	const n, bins = 12000, 20
	src := rng.New(7, 0, rng.Test).At(0)
	exact := func() []float64 {
		x := src.Normal()
		return []float64{x, 0.5*(x*x-1) + 0.5*src.Normal()}
	}
	functions := []func(x []float64) float64{
		func(x []float64) float64 { return x[0] },
		func(x []float64) float64 { return x[1] },
		func(x []float64) float64 { d := x[1] - 0.5*(x[0]*x[0]-1); return x[0]*x[0] + 4*d*d },
	}
	reference := make([][]float64, len(functions))
	for range 20 * n {
		x := exact()
		for k, f := range functions {
			reference[k] = append(reference[k], f(x))
		}
	}
	for k := range reference {
		slices.Sort(reference[k])
	}
	for _, h := range []float64{0.3, 0.7} {
		c := nutsConfig(0, n)
		c.Step = h
		ch := mustChain(t, banana, c, 0)
		counts := make([][bins]float64, len(functions))
		depths := 0
		for range n {
			copy(ch.state.X, exact())
			ch.hmc.Forget()
			mustSteps(t, ch, 1)
			depths += ch.Stats().Depth
			for k, f := range functions {
				at, _ := slices.BinarySearch(reference[k], f(ch.Position()))
				counts[k][min(at*bins/len(reference[k]), bins-1)]++
			}
		}
		for k := range counts {
			chi := 0.0
			for _, o := range counts[k] {
				d := o - n/bins
				chi += d * d / (n / bins)
			}
			// The reference's own bins have an error of 1/20 of the variance.
			if chi > 1.05*50.8 {
				t.Errorf("h=%g, function %d: χ² = %.1f", h, k, chi)
			}
		}
		if mean := float64(depths) / n; mean < 1 {
			t.Errorf("h=%g: trees of mean depth %g say nothing", h, mean)
		}
	}
}

// TestNutsAdaptation: the step gives the acceptance asked for. Where the metric
// is found too, the step has 50 iterations after it, in which it jumps: its
// average in the logarithm is on the safe side, as in Stan. The metric is the
// covariance.
func TestNutsAdaptation(t *testing.T) {
	acceptance := func(g target.Target, sampler, metric string, want float64) (float64, *Chain) {
		c := nutsConfig(3000, 4000)
		c.Sampler, c.TargetAccept, c.Metric = sampler, want, metric
		if sampler == "gmc" && metric == "unit" {
			c.Leapfrog = 1 // longer ones return, and are accepted, at some large steps
		}
		ch := mustChain(t, g, c, 0)
		mustSteps(t, ch, int(c.Steps()))
		for _, r := range ch.Health() {
			if r.Statistic == "acceptance_rate" {
				return r.Value, ch
			}
		}
		return math.NaN(), ch
	}
	scales := wide(6)
	g := correlated(0.7, scales)
	even := correlated(0.7, []float64{1, 2, 1, 3, 1, 1})
	for _, want := range []float64{0.6, 0.8, 0.95} {
		for _, sampler := range []string{"nuts", "gmc"} {
			got, _ := acceptance(even, sampler, "unit", want)
			if math.Abs(got-want) > 0.04 {
				t.Errorf("%s: acceptance %.3f, want %.2f", sampler, got, want)
			}
			got, ch := acceptance(g, sampler, "diag", want)
			if !(got > want-0.05 && (got < want+0.2 || sampler == "gmc")) {
				t.Errorf("%s: acceptance %.3f with a metric, want %.2f", sampler, got, want)
			}
			for i, s := range ch.hmc.Adaptation.Metric().SD {
				if r := s / scales[i]; !(r > 0.85 && r < 1.18) {
					t.Errorf("%s: scale %d is %.3g of the true one", sampler, i, r)
				}
			}
		}
	}
	c := nutsConfig(3000, 1)
	c.Metric = "dense"
	ch := mustChain(t, g, c, 0)
	mustSteps(t, ch, int(c.Warmup))
	m := ch.hmc.Adaptation.Metric()
	for i := range m.N {
		for j := range i + 1 {
			got := 0.0
			for k := range j + 1 {
				got += m.L[i*m.N+k] * m.L[j*m.N+k]
			}
			got /= scales[i] * scales[j]
			if want := math.Pow(0.7, float64(i-j)); math.Abs(got-want) > 0.12 {
				t.Errorf("covariance %d,%d is %.3f, want %.3f", i, j, got, want)
			}
		}
	}
}

// TestGMCAdapted: with a step and a metric of its own, gmc has the moments.
func TestGMCAdapted(t *testing.T) {
	scales := wide(4)
	for _, metric := range []string{"diag", "dense"} {
		c := nutsConfig(800, 12000)
		c.Sampler, c.Metric = "hmc", metric
		ch := mustChain(t, correlated(0.5, scales), c, 0)
		mustSteps(t, ch, int(c.Warmup))
		ms := make([]moments, len(scales))
		for range c.Draws {
			mustSteps(t, ch, 1)
			for i, x := range ch.Position() {
				ms[i].add(x)
			}
		}
		for i, s := range scales {
			ms[i].check(t, fmt.Sprint(metric, i), s*s, 0)
		}
	}
	// On curved spaces the step alone.
	c := nutsConfig(2000, 4000)
	c.Sampler, c.Leapfrog = "gmc", 1
	ch := mustChain(t, newCurved(linear([]float64{0, 5, 0}), sphere(1, 3)), c, 0)
	mustSteps(t, ch, int(c.Steps()))
	if ch.row.Name != "gmc" || ch.Config().Metric != "unit" {
		t.Errorf("%+v", ch.Config())
	}
	for _, r := range ch.Health() {
		if r.Statistic == "acceptance_rate" && math.Abs(r.Value-0.8) > 0.04 {
			t.Errorf("acceptance %.3f", r.Value)
		}
	}
}

// TestNutsResume: stopped anywhere, in warm-up too, a chain goes on bit for bit;
// other chains and threads change nothing.
func TestNutsResume(t *testing.T) {
	g := newGaussian(variances(5), 2, 3).withRows(7, 4)
	for _, sampler := range []string{"nuts", "gmc"} {
		for _, metric := range []string{"auto", "diag", "dense", "lowrank", "unit"} {
			c := nutsConfig(160, 60)
			c.Sampler, c.Metric, c.Chains, c.LogDensityEstimate = sampler, metric, 3, true
			whole, other := mustRun(t, g, c, 1), mustRun(t, g, c, 3)
			for k := range c.Chains {
				if !sameDraws(whole.draws[k], other.draws[k]) ||
					string(whole.last(k)) != string(other.last(k)) {
					t.Errorf("%s %s: chain %d depends on threads", sampler, metric, k)
				}
			}
			for _, stop := range []int{0, 1, 74, 80, 99, 110, 159, 160, 190} {
				a := mustChain(t, g, c, 1)
				mustSteps(t, a, stop)
				state, err := a.MarshalBinary()
				if err != nil {
					t.Fatal(err)
				}
				b, err := ResumeChain(g, c, 1, state)
				if err != nil {
					t.Fatal(err)
				}
				mustSteps(t, b, int(c.Steps())-stop)
				end, _ := b.MarshalBinary()
				if string(end) != string(whole.last(1)) {
					t.Errorf("%s %s: resumed at %d, the end differs", sampler, metric, stop)
				}
				if fmt.Sprint(*b.Stats()) != fmt.Sprint(whole.stats[1][c.Draws-1]) {
					t.Errorf("%s %s: resumed at %d: %+v, %+v", sampler, metric, stop, *b.Stats(),
						whole.stats[1][c.Draws-1])
				}
			}
		}
	}
}

// TestNutsNoAllocation: in warm-up or after it.
func TestNutsNoAllocation(t *testing.T) {
	for _, metric := range []string{"auto", "diag", "dense", "lowrank"} {
		c := nutsConfig(500, 1000)
		c.Metric = metric
		ch := mustChain(t, correlated(0.9, wide(10)), c, 0)
		mustSteps(t, ch, 2)
		if a := testing.AllocsPerRun(700, func() { mustSteps(t, ch, 1); ch.Stats() }); a != 0 {
			t.Errorf("%s: %g allocations a step", metric, a)
		}
	}
}

// TestNutsDivergence: where the curvature has no bound trajectories diverge and
// health says so; a trajectory of the greatest depth is counted too.
func TestNutsDivergence(t *testing.T) {
	funnel := newCurved(func(x, grad []float64) float64 { // Neal's, v ~ N(0, 3²)
		e := math.Exp(-x[0])
		grad[0] = -x[0] / 9
		f := -x[0] * x[0] / 18
		for i := 1; i < len(x); i++ {
			s := x[i] * x[i] * e
			f -= 0.5*s + 0.5*x[0]
			grad[0] += 0.5*s - 0.5
			grad[i] = -x[i] * e
		}
		return f
	}, flat(10))
	find := func(c *Chain, name string) health.Row {
		for _, r := range c.Health() {
			if r.Statistic == name {
				return r
			}
		}
		return health.Row{}
	}
	c := nutsConfig(500, 1500)
	ch := mustChain(t, funnel, c, 0)
	mustSteps(t, ch, int(c.Steps()))
	if r := find(ch, "e_bfmi"); r.Verdict != "off" {
		t.Errorf("%+v", r)
	}
	c.Step = 1
	ch = mustChain(t, funnel, c, 0)
	mustSteps(t, ch, int(c.Warmup))
	diverging := 0.0
	for range c.Draws {
		mustSteps(t, ch, 1)
		if ch.Stats().Diverging {
			diverging++
		}
	}
	if r := find(ch, "divergences"); r.Value != diverging || diverging < 2 || r.Verdict != "off" {
		t.Errorf("%+v, counted %g", r, diverging)
	}
	ch.hmc.Tree.Energies.Diverging = 1
	if r := find(ch, "divergences"); r.Verdict != "unsure" {
		t.Errorf("%+v", r)
	}
	c = nutsConfig(0, 300)
	c.Step, c.MaxDepth = 0.01, 3
	ch = mustChain(t, newGaussian(variances(3)), c, 0)
	mustSteps(t, ch, 300)
	if r := find(ch, "max_tree_depth_hits"); r.Value != 300 || r.Verdict != "unsure" {
		t.Errorf("%+v", r)
	}
	if s := ch.Stats(); !s.Deepest || s.Depth != 3 || s.Leapfrogs != 7 || !(s.Acceptance > 0.99) {
		t.Errorf("%+v", s)
	}
	// E-BFMI of a Gaussian in d dimensions: the energy's Var is d, its change by a
	// fresh momentum has d: about 1.
	c = nutsConfig(500, 4000)
	ch = mustChain(t, newGaussian(variances(20)), c, 0)
	mustSteps(t, ch, int(c.Steps()))
	if r := find(ch, "e_bfmi"); !(r.Value > 0.8 && r.Value < 1.3) || r.Verdict != "ok" {
		t.Errorf("%+v", r)
	}
}

// TestNutsImproper: a density without a finite integral has no step size.
func TestNutsImproper(t *testing.T) {
	g := newCurved(func(x, grad []float64) float64 { clear(grad); return 0 }, flat(2))
	ch := mustChain(t, g, nutsConfig(100, 10), 0)
	var e *start.Error
	if err := ch.Step(); !errors.As(err, &e) || !strings.Contains(err.Error(), "proper priors") {
		t.Errorf("%v", err)
	}
	if err := ch.Step(); !errors.As(err, &e) {
		t.Errorf("again: %v", err)
	}
}

// TestNutsSteepStart: where the density is e^(−1e80) at the start, the first step
// is far below 1e-30, and the chain comes down.
func TestNutsSteepStart(t *testing.T) {
	g := newCurved(func(x, grad []float64) float64 {
		e := math.Pow(x[0], 100)
		grad[0] = -x[0] - 100*e/x[0]
		return -0.5*x[0]*x[0] - e
	}, flat(1))
	c := nutsConfig(500, 100)
	c.Init = [][]float64{{6.4}}
	ch := mustChain(t, g, c, 0)
	mustSteps(t, ch, 600)
	if x := ch.Position()[0]; !(math.Abs(x) < 1.2) {
		t.Errorf("at %g after the warm-up", x)
	}
}

// TestWindows: the schedule of a thousand iterations is Stan's; shorter ones
// keep its shares; every window is in the warm-up.
func TestWindows(t *testing.T) {
	for _, c := range []struct {
		warmup      int64
		first, last int64
		after       []int64
	}{
		{0, 0, 0, nil}, {19, 0, 0, nil},
		{1000, 75, 950, []int64{99, 149, 249, 449, 949}},
		{150, 75, 100, []int64{99}},
		{100, 15, 90, []int64{89}},
		{200, 75, 150, []int64{99, 149}},
		{500, 75, 450, []int64{99, 149, 249, 449}},
		{499, 75, 449, []int64{99, 149, 448}},
	} {
		w := adapt.NewWindows(c.warmup)
		if w.First != c.first || w.Last != c.last || !slices.Equal(w.After, c.after) {
			t.Errorf("%d: %+v", c.warmup, w)
		}
	}
	for n := int64(20); n < 3000; n += 7 {
		w := adapt.NewWindows(n)
		if k := len(w.After); k == 0 || w.After[k-1] != w.Last-1 || w.Last >= n || w.First < 1 {
			t.Fatalf("%d: %+v", n, w)
		}
	}
}

// TestNutsConfig: what goes with what.
func TestNutsConfig(t *testing.T) {
	rows := newGaussian(variances(2)).withRows(20, 1)
	for _, c := range []struct {
		flag string
		set  func(*settings.Config)
	}{
		{"batch", func(c *settings.Config) { c.Batch = 5 }},
		{"leapfrog", func(c *settings.Config) { c.Leapfrog = 5 }},
		{"max-depth", func(c *settings.Config) { c.MaxDepth = 21 }},
		{"max-depth", func(c *settings.Config) { c.Sampler, c.MaxDepth = "hmc", 4 }},
		{"max-depth", func(c *settings.Config) { c.Sampler, c.Step, c.MaxDepth = "sghmc", 0.1, 4 }},
		{"target-accept", func(c *settings.Config) { c.TargetAccept = 1 }},
		{"target-accept", func(c *settings.Config) { c.Step, c.TargetAccept = 0.1, 0.9 }},
		{"target-accept", func(c *settings.Config) {
			c.Sampler, c.Step, c.TargetAccept = "msgnht", 0.1, 0.9
		}},
		{"metric", func(c *settings.Config) { c.Metric = "diagonal" }},
		{"metric", func(c *settings.Config) { c.Step, c.Metric = 0.1, "diag" }},
		{"step", func(c *settings.Config) { c.Step = -1 }},
		{"step-schedule", func(c *settings.Config) { c.Schedule = "halve@0.5" }},
		{"scheme", func(c *settings.Config) { c.Scheme = "split" }},
	} {
		cfg := settings.DefaultConfig()
		cfg.Sampler = "nuts"
		c.set(&cfg)
		var e *settings.ConfigError
		if err := cfg.Validate(rows); !errors.As(err, &e) || e.Setting != c.flag {
			t.Errorf("%s: %v", c.flag, err)
		}
	}
	large := settings.DefaultConfig()
	large.Metric = "dense"
	var le *settings.ConfigError
	if err := large.Validate(newGaussian(make([]float64, 8193))); !errors.As(err, &le) ||
		le.Setting != "metric" {
		t.Errorf("%v", err)
	}
	got, err := settings.DefaultConfig().Resolve(rows)
	if err != nil || got.Sampler != "nuts" || got.Metric != "auto" || got.TargetAccept != 0.8 ||
		got.MaxDepth != 10 || !got.FullBatch {
		t.Errorf("%+v, %v", got, err)
	}
	again, err := got.Resolve(rows)
	if err != nil || fmt.Sprint(again) != fmt.Sprint(got) {
		t.Errorf("resolved again: %+v, %v", again, err)
	}
	// On curved spaces it runs where it is asked for, in the spaces' own metric.
	onSphere := newCurved(linear([]float64{1, 0, 0}), sphere(1, 3))
	if got, err := settings.DefaultConfig().Resolve(onSphere); err != nil || got.Sampler != "gmc" {
		t.Errorf("%+v, %v", got, err)
	}
	cfg := settings.DefaultConfig()
	cfg.Sampler = "nuts"
	if got, err := cfg.Resolve(onSphere); err != nil || got.Metric != "unit" {
		t.Errorf("%+v, %v", got, err)
	}
	cfg.Metric = "auto"
	if got, err := cfg.Resolve(onSphere); err != nil || got.Metric != "diag" {
		t.Errorf("%+v, %v", got, err)
	}
	cfg.Metric = "lowrank"
	if got, err := cfg.Resolve(onSphere); err != nil || got.Metric != "dense" {
		t.Errorf("%+v, %v", got, err)
	}
}
