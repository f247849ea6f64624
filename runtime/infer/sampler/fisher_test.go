package sampler

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/infer/sampler/health"
	"github.com/sgppl/sgppl/runtime/infer/sampler/settings"
)

// noisyRows is a Gaussian posterior whose rows' gradients have a known
// covariance, the same at every x: N² Cov is noise(j).
func noisyRows(n int) *gaussian {
	g := newGaussian([]float64{4, 4, 4}, 2, 1).withRows(n, float64(n))
	for _, row := range g.y {
		for j := range row {
			row[j] = (row[j] - 0.5) * []float64{12, 17, 22}[j]
		}
	}
	return g
}

// noise is the variance of the gradient of a minibatch of b rows.
func (g *gaussian) noise(j int, b float64, replace bool) float64 {
	n := float64(len(g.y))
	mean, square := 0.0, 0.0
	for _, row := range g.y {
		mean += row[j] / n
	}
	for _, row := range g.y {
		square += (row[j] - mean) * (row[j] - mean) / (g.rowVar * g.rowVar)
	}
	if replace {
		return n * n / b * square / n
	}
	return n * n / b * (1 - b/n) * square / (n - 1)
}

func fisherConfig(sampler string, h float64, batch int, order string) settings.Config {
	c := config(sampler, "", h)
	c.FullBatch, c.Batch, c.BatchOrder, c.Fisher = false, batch, order, true
	return c
}

// TestFisherEstimate: V̂ is the covariance of the gradient's noise, by
// coordinate, also where slices are of unequal size.
func TestFisherEstimate(t *testing.T) {
	g := noisyRows(200)
	for _, c := range []struct {
		batch, slices int
		order         string
	}{{20, 0, "replace"}, {21, 8, "replace"}, {60, 4, "replace"}, {5, 5, "replace"},
		{2, 2, "replace"}} {
		cfg := fisherConfig("sghmc", 0.01, c.batch, c.order)
		cfg.FisherSlices, cfg.FisherEvery, cfg.Friction = c.slices, 2, 5
		ch := mustChain(t, g, cfg, 0)
		mustSteps(t, ch, 500)
		mean, v := make([]float64, 3), make([]float64, 3)
		const looks = 40 // an average of about 100 estimates each
		for range looks {
			mustSteps(t, ch, 400)
			ch.NoiseEstimate(v)
			for j := range v {
				mean[j] += v[j] / looks
			}
		}
		for j := range mean {
			want := g.noise(j, float64(c.batch), c.order == "replace")
			if !(math.Abs(mean[j]/want-1) < 0.05) {
				t.Errorf("%+v: V̂[%d] is %.4g, want %.4g", c, j, mean[j], want)
			}
		}
	}
}

// temperatures are the kinetic temperature and the variance of x[2] over that
// of the posterior.
func temperatures(
	t *testing.T, g *gaussian, cfg settings.Config, draws int,
) (kinetic, position, mcse float64) {
	ch := mustChain(t, g, cfg, 0)
	mustSteps(t, ch, 2000)
	m := moments{}
	var variance float64
	m.mean, variance = g.moments(2)
	var k health.Series
	for range draws {
		mustSteps(t, ch, 1)
		m.add(ch.Position()[2])
		v := ch.state.V[2]
		k.Add(v * v)
	}
	return k.Mean(), m.two.Mean() / variance, math.Max(k.MCSE(), m.two.MCSE()/variance)
}

// TestFisherTemperature: minibatches drawn with replacement heat sghmc by
// V h/(2D), half of T here, and with V̂ taken out they do not.
func TestFisherTemperature(t *testing.T) {
	t.Parallel()
	g := noisyRows(200)
	for _, scheme := range []string{"split", "euler"} {
		const h, batch = 0.1, 20
		v := g.noise(2, batch, true)
		_, s := g.moments(2)
		for _, corrected := range []bool{true, false} {
			cfg := fisherConfig("sghmc", h, batch, "replace")
			cfg.Scheme, cfg.Friction, cfg.Fisher = scheme, v*h, corrected
			left := v
			if corrected {
				left = 0
			}
			k, x, e := temperatures(t, g, cfg, 200000)
			want := linearVariance("sghmc", scheme, s, h, 1, cfg.Friction, left) / s
			t.Logf("%s, corrected %v: kinetic %.3f, of x %.3f ± %.3f, theory %.3f", scheme,
				corrected, k, x, e, want)
			if !(math.Abs(x-want) < 5*e) || e > 0.02 || corrected == (k > 1.3) {
				t.Errorf("%s, corrected %v: kinetic temperature %.3f, of x %.3f ± %.3f, theory %.3f", scheme,
					corrected, k, x, e, want)
			}
		}
	}
}

// TestFisherOrder: passes without replacement cancel the noise of their batches. If a pass is short
// compared with 1/D, the temperature would be V h/(2D) too low with the full V̂ taken out (½ of T
// here), so that they are refused.
func TestFisherOrder(t *testing.T) {
	g := noisyRows(40)
	for _, order := range []string{"shuffle", "sequential", "blocks", ""} {
		cfg := fisherConfig("sghmc", 0.1, 20, order)
		var ce *settings.ConfigError
		if err := cfg.Validate(g); !errors.As(err, &ce) ||
			!strings.Contains(err.Error(), "--batch-order replace") {
			t.Errorf("order %q: %v", order, err)
		}
	}
}

// TestFisherThermostat: a thermostat finds nothing left to take up.
func TestFisherThermostat(t *testing.T) {
	g := noisyRows(200)
	const h, batch = 0.1, 20
	for _, corrected := range []bool{true, false} {
		cfg := fisherConfig("msgnht", h, batch, "replace")
		cfg.Friction, cfg.Fisher, cfg.Draws = 2, corrected, 100000
		ch := mustChain(t, g, cfg, 0)
		mustSteps(t, ch, int(cfg.Steps()))
		seen := map[string]float64{}
		for _, r := range ch.Health() {
			if r.Block == "b" || r.Block == "all" {
				seen[r.Statistic] = r.Value
			}
		}
		v := g.noise(2, batch, true)
		want := v * h / 2
		if corrected {
			want = 0
			// 7 calls more every tenth step, and at the first 50.
			if calls := seen["noise_estimate_calls"]; math.Abs(calls/0.7-1) > 0.01 {
				t.Errorf("%g calls a step", calls)
			}
			if e := seen["noise_estimate"]; math.Abs(e/v-1) > 0.2 {
				t.Errorf("V̂ is reported as %g, it is %g", e, v)
			}
		}
		if got := seen["xi_minus_friction"]; math.Abs(got-want) > 0.04 {
			t.Errorf("corrected %v: ξ̄ − D is %.3f, want %.3f", corrected, got, want)
		}
		if got := seen["gradient_noise"]; math.Abs(got/v-1) > 0.15 {
			t.Errorf("corrected %v: the thermostat finds V = %.3g, it is %.3g", corrected, got, v)
		}
	}
}

// TestFisherCurved: on a sphere V̂ is the mean over tangent directions of the
// rows' gradients, at each point of it.
func TestFisherCurved(t *testing.T) {
	var x [][]float64
	for _, row := range newGaussian(make([]float64, 3)).withRows(60, 1).y {
		r := math.Sqrt(dotOf(row, row))
		x = append(x, []float64{row[0] / r, row[1] / r, row[2] / r})
	}
	const kappa, batch = 4, 12
	g := newRows(x, kappa, []float64{0, 0, 1}, 1)
	cfg := fisherConfig("geodesic_sghmc", 1e-6, batch, "replace") // it stays where it starts
	cfg.FisherEvery = 1
	cfg.Init = [][]float64{{0.6, 0, 0.8}}
	ch := mustChain(t, g, cfg, 0)
	mustSteps(t, ch, 500)
	// Tr(ΛCov)/2 of the rows' gradients κ x_i at that point.
	mean, total := make([]float64, 3), 0.0
	for _, r := range x {
		for j := range r {
			mean[j] += r[j] / 60
		}
	}
	mu := cfg.Init[0]
	for _, r := range x {
		d := []float64{r[0] - mean[0], r[1] - mean[1], r[2] - mean[2]}
		n := dotOf(d, mu)
		total += (dotOf(d, d) - n*n) * kappa * kappa / 60
	}
	want := 60. * 60 / batch * total / 2
	v := make([]float64, 3)
	sum := 0.0
	for range 40 {
		mustSteps(t, ch, 200)
		ch.NoiseEstimate(v)
		if v[0] != v[1] || v[1] != v[2] {
			t.Fatalf("V̂ of a point is %v", v)
		}
		sum += v[0] / 40
	}
	if math.Abs(sum/want-1) > 0.04 {
		t.Errorf("V̂ is %g, want %g", sum, want)
	}
}

func dotOf(a, b []float64) (s float64) {
	for i := range a {
		s += a[i] * b[i]
	}
	return s
}

// TestFisherResume: what has been estimated belongs to the checkpoint; and
// steps that estimate allocate nothing.
func TestFisherResume(t *testing.T) {
	g := noisyRows(50)
	for _, sampler := range []string{"sghmc", "msgnht"} {
		cfg := fisherConfig(sampler, 0.05, 8, "replace")
		cfg.Friction, cfg.FisherEvery, cfg.Draws = 10, 3, 100
		a := mustChain(t, g, cfg, 0)
		for _, stop := range []int{0, 1, 44, 60} {
			mustSteps(t, a, stop)
			state, err := a.MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			b, err := ResumeChain(g, cfg, 0, state)
			if err != nil {
				t.Fatal(err)
			}
			mustSteps(t, a, 13)
			mustSteps(t, b, 13)
			x, _ := a.MarshalBinary()
			y, _ := b.MarshalBinary()
			if string(x) != string(y) {
				t.Errorf("%s: resumed at step %d, the chains differ", sampler, a.Steps()-13)
			}
		}
		if n := testing.AllocsPerRun(50, func() { mustSteps(t, a, 1) }); n != 0 {
			t.Errorf("%s: %g allocations a step", sampler, n)
		}
	}
}

// TestFisherRefused: a kick without the room stops the run, with block, step
// and what would do; and settings that leave nothing to estimate.
func TestFisherRefused(t *testing.T) {
	g := noisyRows(200)
	cfg := fisherConfig("sghmc", 0.1, 20, "replace")
	cfg.Friction, cfg.Warmup = 0.3, 300 // 2DT = 0.6 is below V h = 0.8 of x[2] alone
	ch := mustChain(t, g, cfg, 0)
	var err error
	steps := 0
	for ; err == nil && steps < 1000; steps++ {
		err = ch.Step()
	}
	var ne *NoiseError
	if !errors.As(err, &ne) || ne.Block != "b" || ne.Index != 0 || ne.Step != int64(steps) ||
		steps < 151 || steps > 300 ||
		math.Abs(ne.Noise/g.noise(2, 20, true)-1) > 0.3 ||
		!strings.Contains(err.Error(), fmt.Sprint("--friction ", ne.Friction)) {
		t.Errorf("after %d steps: %v", steps, err)
	}
	if again := ch.Step(); again != err {
		t.Errorf("and then %v", again)
	}
	for _, c := range []struct {
		want   string
		change func(*settings.Config)
	}{
		{"no noise to estimate", func(c *settings.Config) { c.Batch, c.FullBatch = 0, true }},
		{"needs two", func(c *settings.Config) { c.Batch = 1 }},
		{"no kick", func(c *settings.Config) { c.Sampler = "sgld" }},
		{"exclude each other", func(c *settings.Config) { c.GradNoise = 1 }},
		{"one noise", func(c *settings.Config) { c.InnerSteps = 2 }},
		{"slices", func(c *settings.Config) { c.FisherSlices = 21 }},
		{"without friction", func(c *settings.Config) { c.Sampler, c.Friction = "msgnht", 0 }},
		{"every -1", func(c *settings.Config) { c.FisherEvery = -1 }},
		{"none is made", func(c *settings.Config) { c.Fisher, c.FisherEvery = false, 3 }},
		{"are exact", func(c *settings.Config) {
			c.Sampler, c.Batch, c.FullBatch = "gmc", 0, true
		}},
	} {
		cfg := fisherConfig("sghmc", 0.1, 20, "replace")
		c.change(&cfg)
		var ce *settings.ConfigError
		if err := cfg.Validate(g); !errors.As(err, &ce) || ce.Setting != "grad-noise" ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("want %q, got %v", c.want, err)
		}
	}
}
