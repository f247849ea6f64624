package sampler

import (
	"fmt"
	"math"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler/settings"
	"github.com/sgppl/sgppl/runtime/infer/sampler/table"
)

// onBoth has a direction on S² with density e^{κ x_0} and a normal on R² with the
// deviations 100 and 0.01, correlated by ρ.
func onBoth(kappa, rho float64) target.Target {
	scales := []float64{100, 0.01}
	q := 1 / (1 - rho*rho)
	return newCurved(func(x, grad []float64) float64 {
		a, b := x[3]/scales[0], x[4]/scales[1]
		grad[0], grad[1], grad[2] = kappa, 0, 0
		grad[3] = -q * (a - rho*b) / scales[0]
		grad[4] = -q * (b - rho*a) / scales[1]
		return kappa*x[0] - 0.5*q*(a*a+b*b-2*rho*a*b)
	}, sphere(1, 3), flat(2))
}

// TestCurvedMetric: with a block on a sphere, --metric applies to the flat block: the law is right,
// and trajectories are short where deviations differ by 1e4.
func TestCurvedMetric(t *testing.T) {
	const kappa = 20.0
	for _, c := range []struct {
		sampler, metric string
		rho             float64
	}{{"nuts", "diag", 0.2}, {"nuts", "dense", 0.9}, {"gmc", "diag", 0.2}, {"nuts", "auto", 0.2},
		{"geodesic_sgnht", "diag", 0.2}, {"geodesic_sghmc", "dense", 0.9}} {
		cfg := nutsConfig(600, 6000)
		cfg.Sampler, cfg.Metric = c.sampler, c.metric
		if row, _ := table.Lookup(c.sampler); !row.Metropolis {
			cfg.Step, cfg.Draws = 0.05, 60000
		}
		ch := mustChain(t, onBoth(kappa, c.rho), cfg, 0)
		mustSteps(t, ch, int(cfg.Warmup))
		var north, wide, narrow moments
		steps := 0
		for range cfg.Draws {
			mustSteps(t, ch, 1)
			steps += ch.Stats().Leapfrogs
			x := ch.Position()
			north.add(x[0])
			wide.add(x[3] / 100)
			narrow.add(x[4] / 0.01)
		}
		name := fmt.Sprint(c)
		if d, e := north.one.Mean()-(1/math.Tanh(kappa)-1/kappa),
			north.one.MCSE(); math.Abs(d) > 4*e+0.001 {
			t.Errorf("%s: mean of x_0 off by %.5f ± %.5f", name, d, e)
		}
		wide.check(t, name+" wide", 1, 0.01)
		narrow.check(t, name+" narrow", 1, 0.01)
		if perDraw := float64(steps) / float64(cfg.Draws); perDraw > 20 {
			t.Errorf("%s: %.0f leapfrog steps a draw", name, perDraw)
		}
	}
}

// TestCurvedMetricResume: stopped anywhere, a chain with a metric and a curved block continues bit
// for bit.
func TestCurvedMetricResume(t *testing.T) {
	g := onBoth(5, 0.5)
	for _, c := range []struct{ sampler, metric string }{{"nuts", "diag"}, {"gmc", "dense"},
		{"geodesic_sgnht", "diag"}} {
		cfg := nutsConfig(300, 30)
		cfg.Sampler, cfg.Metric, cfg.Chains = c.sampler, c.metric, 2
		if c.sampler == "geodesic_sgnht" {
			cfg.Step = 0.05
		}
		whole := mustRun(t, g, cfg, 2)
		for _, stop := range []int{0, 80, 100, 149, 150, 151, 200, 300, 320} {
			a := mustChain(t, g, cfg, 1)
			mustSteps(t, a, stop)
			state, err := a.MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			b, err := ResumeChain(g, cfg, 1, state)
			if err != nil {
				t.Fatal(err)
			}
			mustSteps(t, b, int(cfg.Steps())-stop)
			if end, _ := b.MarshalBinary(); string(end) != string(whole.last(1)) {
				t.Errorf("%+v: resumed at %d, the end differs", c, stop)
			}
		}
	}
}

// TestEveryMetricBesideCurved: no kind of metric is refused because a block is on a curved space,
// by any sampler that has metrics; each resolves to one that the others can have, and a chain in it
// finds a step for coordinates of which one is as another, except for a hundredth.
func TestEveryMetricBesideCurved(t *testing.T) {
	g := newCurved(func(x, grad []float64) float64 {
		s, d := x[3]+x[4], x[3]-x[4]
		grad[0], grad[1], grad[2] = 50, 0, 0
		grad[3], grad[4] = -s-1e4*d, -s+1e4*d
		return 50*x[0] - s*s/2 - 1e4*d*d/2
	}, sphere(1, 3), flat(2))
	for _, name := range []string{"nuts", "gmc", "geodesic_sghmc", "geodesic_sgnht"} {
		for asked, want := range map[string]string{"auto": "diag", "diag": "diag", "dense": "dense",
			"lowrank": "dense", "unit": "unit"} {
			c := settings.DefaultConfig()
			c.Sampler, c.Metric, c.Chains, c.FullBatch = name, asked, 1, true
			got, err := c.Resolve(g)
			if err != nil || got.Metric != want {
				t.Errorf("%s --metric %s: resolved to %q, %v", name, asked, got.Metric, err)
			}
		}
		c := settings.DefaultConfig()
		c.Sampler, c.Metric, c.Chains, c.FullBatch = name, "lowrank", 1, true
		ch := mustChain(t, g, c, 0)
		mustSteps(t, ch, 1000)
		step := ch.Tuning().Step
		if p := ch.Tuned(); p != nil {
			step = p.Parts[0].Step
		}
		if step < 0.02 { // in the coordinates of the model it would have to be below 0.007
			t.Errorf("%s: step %g", name, step)
		}
	}
}
