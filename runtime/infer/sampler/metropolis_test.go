package sampler

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler/settings"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// TestGMCOnRn: on R^n gmc is Hamiltonian Monte Carlo, whose moments are exact
// at a step that is no longer small, at any temperature, with rows or without.
func TestGMCOnRn(t *testing.T) {
	for _, temp := range []float64{1, 2} {
		for _, h := range []float64{0.2, 0.6} {
			t.Run(fmt.Sprint("T=", temp, "/h=", h), func(t *testing.T) {
				t.Parallel()
				c := config("hmc", "", h)
				c.FullBatch, c.Temperature, c.Leapfrog = false, temp, 3
				c.Warmup, c.Draws = 500, 30000
				g := newGaussian(variances(4), 1, 3).withRows(3, 6)
				ch := mustChain(t, g, c, 0)
				mustSteps(t, ch, int(c.Warmup))
				ms := make([]moments, 4)
				for i := range ms {
					ms[i].mean, _ = g.moments(i)
				}
				for range c.Draws {
					mustSteps(t, ch, 1)
					for i, x := range ch.Position() {
						ms[i].add(x)
					}
				}
				for i := range ms {
					_, v := g.moments(i)
					ms[i].check(t, fmt.Sprint(i), temp*v, 0)
				}
				checkHealth(t, ch, temp)
			})
		}
	}
}

// checkHealth: every statistic with an expectation is within 3 % of it or of
// its own error, and no verdict is bad.
func checkHealth(t *testing.T, ch *Chain, temp float64) {
	t.Helper()
	for _, r := range ch.Health() {
		if r.Verdict == "off" {
			t.Errorf("%+v", r)
		}
		if r.Statistic == "configurational_temperature" && r.Verdict == "unsure" {
			continue // a block without a direction
		}
		if r.Statistic == "xi_minus_friction" || math.IsNaN(r.Expected) ||
			r.Statistic == "gradient_noise" {
			continue
		}
		if math.Abs(r.Value-r.Expected) > 0.03*r.Expected+4*r.MCSE {
			t.Errorf("%+v", r)
		}
		if r.MCSE > 0.1*temp && !strings.HasPrefix(r.Statistic, "worst_") || r.MCSE > 0.4*temp {
			t.Errorf("the error says nothing: %+v", r)
		}
	}
}

// energyDrift is the mean acceptance of one leapfrog step's trajectory of
// length 1 in many dimensions: 1 − acceptance falls as h⁴ for an integrator of
// second order (Beskos et al. 2013).
func TestGMCOrder(t *testing.T) {
	rejected := func(h float64, g target.Target) float64 {
		c := config("gmc", "", h)
		c.Leapfrog = int(math.Round(1 / h))
		c.Warmup, c.Draws = 100, 4000
		ch := mustChain(t, g, c, 0)
		mustSteps(t, ch, int(c.Steps()))
		rows := ch.Health()
		return 1 - rows[len(rows)-1].Value
	}
	bingham := func(x, grad []float64) float64 {
		sum := 0.0
		for i := range x {
			k := 6 * float64(i)
			grad[i] = k * x[i]
			sum += k * x[i] * x[i] / 2
		}
		return sum
	}
	for _, g := range []target.Target{newGaussian(variances(20)), newCurved(bingham, sphere(1, 6)),
		newCurved(bingham, stiefel(1, 3, 2))} {
		a, b := rejected(0.2, g), rejected(0.1, g)
		// A mean of min(1, e^−Δ) with Δ ~ h² N falls as h².
		if r := a / b; !(r > 3 && r < 5.5) {
			t.Errorf("%v: rejections %g and %g, ratio %g, want about 4", g.Blocks(), a, b, r)
		}
	}
}

// TestGMCTooLarge: where the step is too large few trajectories are accepted,
// health says so, and the moments are still those of the target.
func TestGMCTooLarge(t *testing.T) {
	c := config("gmc", "", 1.3)
	c.Warmup, c.Draws, c.Leapfrog = 500, 100000, 1
	g := newGaussian([]float64{1, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5})
	ch := mustChain(t, g, c, 0)
	mustSteps(t, ch, int(c.Warmup))
	var m moments
	diverging := 0
	for range c.Draws {
		mustSteps(t, ch, 1)
		m.add(ch.Position()[0])
		if ch.Stats().Diverging {
			diverging++
		}
	}
	m.check(t, "x", 1, 0)
	rows := ch.Health()
	if r := rows[len(rows)-1]; r.Statistic != "acceptance_rate" || r.Verdict != "off" ||
		r.Value > 0.3 {
		t.Errorf("%+v", r)
	}
	if diverging != 0 {
		t.Errorf("%d trajectories diverged", diverging)
	}
	// Beyond the limit of stability trajectories diverge and the chain stays.
	c.Step, c.Leapfrog, c.Warmup = 4, 400, 0
	ch = mustChain(t, g, c, 0)
	x := slices.Clone(ch.Position())
	mustSteps(t, ch, 50)
	if !bitsEqual(x, ch.Position()) || !ch.Stats().Diverging || ch.Stats().Acceptance != 0 {
		t.Errorf("after divergence %v, %+v", ch.Position(), ch.Stats())
	}
}

// TestGMCSphere: von Mises and Fisher's law, by the mean of μ·x and its
// variance, at temperatures 1 and 2; matrix Langevin and the uniform law on a
// Stiefel manifold by their second moments.
func TestGMCSphere(t *testing.T) {
	for _, c := range []struct {
		d     int
		kappa float64
		temp  float64
	}{{2, 3, 1}, {3, 5, 1}, {20, 12, 2}} {
		name := fmt.Sprint(c)
		a := make([]float64, c.d)
		a[1] = c.kappa
		cfg := config("gmc", "", 0.25)
		cfg.Warmup, cfg.Draws, cfg.Temperature, cfg.Leapfrog = 400, 30000, c.temp, 4
		ch := mustChain(t, newCurved(linear(a), sphere(1, c.d)), cfg, 0)
		mustSteps(t, ch, int(cfg.Warmup))
		k := c.kappa / c.temp
		along := moments{mean: special.VMFRatio(float64(c.d), k)}
		var across moments
		for range cfg.Draws {
			mustSteps(t, ch, 1)
			along.add(ch.Position()[1])
			across.add(ch.Position()[0])
		}
		along.check(t, name, special.VMFRatioDeriv(float64(c.d), k), 0)
		across.check(t, name, along.mean/k, 0)
		checkHealth(t, ch, c.temp)
	}
}

// TestGMCResume: a chain goes on bit for bit from a checkpoint.
func TestGMCResume(t *testing.T) {
	g := newCurved(linear([]float64{1, 2, 3, 0}), sphere(2, 4), stiefel(1, 4, 2), flat(0+4))
	g.f = func(x, grad []float64) float64 {
		sum := linear([]float64{1, 2, 3, 0})(x, grad)
		for i := len(x) - 4; i < len(x); i++ {
			sum -= x[i] * x[i]
			grad[i] -= 2 * x[i]
		}
		return sum
	}
	for _, sampler := range []string{"gmc", "geodesic_sgnht", "geodesic_sghmc"} {
		c := config(sampler, "", 0.2)
		c.Warmup, c.Draws = 40, 200
		a := mustChain(t, g, c, 0)
		mustSteps(t, a, 100)
		state, err := a.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		b, err := ResumeChain(g, c, 0, state)
		if err != nil {
			t.Fatal(err)
		}
		mustSteps(t, a, 100)
		mustSteps(t, b, 100)
		if !bitsEqual(a.Position(), b.Position()) {
			t.Errorf("%s: positions differ", sampler)
		}
		if ha, hb := fmt.Sprint(a.Health()), fmt.Sprint(b.Health()); ha != hb {
			t.Errorf("%s: health differs:\n%s\n%s", sampler, ha, hb)
		}
	}
}

// TestGMCNoAllocation: nor does a trajectory allocate.
func TestGMCNoAllocation(t *testing.T) {
	c := config("gmc", "", 0.1)
	c.Warmup = 0
	ch := mustChain(t, newCurved(linear([]float64{1, 2, 3, 0}), sphere(2, 4), stiefel(1, 4, 2),
		flat(4)), c, 0)
	if a := testing.AllocsPerRun(100, func() { mustSteps(t, ch, 1); ch.Stats() }); a != 0 {
		t.Errorf("%g allocations a step", a)
	}
}

// TestGMCConfig: what a Metropolis test excludes is refused, and what has none
// has no trajectories; a block on a curved space is refused by the samplers of
// R^n, with those that can named; without minibatches auto takes
// gmc where a block is curved, else nuts.
func TestGMCConfig(t *testing.T) {
	rows := newGaussian(variances(2)).withRows(20, 1)
	for _, c := range []struct {
		flag string
		set  func(*settings.Config)
	}{
		{"batch", func(c *settings.Config) { c.Batch = 5 }},
		{"leapfrog", func(c *settings.Config) { c.Leapfrog = -1 }},
		{"leapfrog", func(c *settings.Config) {
			c.Sampler, c.FullBatch, c.Leapfrog = "sghmc", true, 5
		}},
		{"inner-steps", func(c *settings.Config) { c.InnerSteps = 2 }},
		{"grad-noise", func(c *settings.Config) { c.GradNoise = 2 }},
		{"synthetic-noise", func(c *settings.Config) { c.SyntheticNoise = "gradient:2" }},
		{"thermostat", func(c *settings.Config) { c.Thermostat = "all" }},
		{"scheme", func(c *settings.Config) { c.Scheme = "euler" }},
	} {
		cfg := settings.DefaultConfig()
		cfg.Sampler, cfg.Step = "hmc", 0.1
		c.set(&cfg)
		var e *settings.ConfigError
		if err := cfg.Validate(rows); !errors.As(err, &e) || e.Setting != c.flag {
			t.Errorf("%s: %v", c.flag, err)
		}
	}
	cfg := settings.DefaultConfig()
	cfg.Sampler, cfg.Step, cfg.Friction = "hmc", 0.1, 0
	got, err := cfg.Resolve(rows)
	if err != nil || got.Sampler != "gmc" || got.Leapfrog != 10 || !got.FullBatch ||
		got.Scheme != "leapfrog" {
		t.Errorf("%+v, %v", got, err)
	}
	ball := newCurved(linear([]float64{1, 0, 0}), sphere(1, 3))
	for _, name := range []string{"msgnht", "sghmc", "sgnht", "sgld", "psgld"} {
		cfg := settings.DefaultConfig()
		cfg.Sampler, cfg.Step = name, 0.1
		var e *settings.BlockError
		if err := cfg.Validate(ball); !errors.As(err, &e) ||
			!slices.Contains(e.Usable, "geodesic_sgnht") || !slices.Contains(e.Usable, "gmc") ||
			!strings.Contains(err.Error(), "sphere") {
			t.Errorf("%s: %v", name, err)
		}
	}
	cfg = settings.DefaultConfig()
	cfg.Step = 0.1
	for want, g := range map[string]target.Target{"gmc": ball, "nuts": newGaussian(variances(2))} {
		if got, err := cfg.Resolve(g); err != nil || got.Sampler != want {
			t.Errorf("auto is %q, %v; want %s", got.Sampler, err, want)
		}
	}
}
