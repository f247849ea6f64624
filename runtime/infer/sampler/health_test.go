package sampler

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/infer/sampler/health"
	"github.com/sgppl/sgppl/runtime/infer/sampler/settings"
	"github.com/sgppl/sgppl/runtime/infer/sampler/table"
)

// healthOf runs a chain and returns its rows by block and statistic.
func healthOf(t *testing.T, g *gaussian, c settings.Config) map[string]health.Row {
	t.Helper()
	ch := mustChain(t, g, c, 0)
	for !ch.Done() {
		mustSteps(t, ch, 1)
	}
	out := map[string]health.Row{}
	for _, r := range ch.Health() {
		out[r.Block+"/"+r.Statistic] = r
	}
	return out
}

// TestHealth: with exact gradients or known V each statistic is within 3 % of
// its theoretical value at a small step and says ok.
func TestHealth(t *testing.T) {
	eachSampler(func(row *table.Row, scheme string) {
		for _, noise := range []float64{0, 6} {
			if noise > 0 && !row.Velocity {
				continue // nothing takes the noise up
			}
			for _, temp := range []float64{1, 2} {
				t.Run(fmt.Sprintf("%s/%s/V=%g/T=%g", row.Name, scheme, noise, temp), func(t *testing.T) {
					t.Parallel()
					testHealth(t, row, scheme, noise, temp)
				})
			}
		}
	})
}

func testHealth(t *testing.T, row *table.Row, scheme string, noise, temp float64) {
	const h, d = 0.1, 1.5
	c := config(row.Name, scheme, h)
	if scheme == "euler" {
		c.Step = 0.02
	}
	c.Friction, c.Temperature, c.Warmup, c.Draws = d, temp, 2000, 60000
	c.SyntheticNoise = fmt.Sprint("gradient:", noise)
	if !row.Thermostat() && row.Velocity {
		c.GradNoise = noise // or it would be hot, and rightly reported so
	}
	rows := healthOf(t, newGaussian(variances(10), 4, 6), c)
	want := map[string]float64{"configurational_temperature": temp}
	switch {
	case row.Thermostat():
		dofs := 1.0
		if row.Name == "sgnht" {
			dofs = 10
		}
		want["xi_minus_friction"] = noise * c.Step / (2 * temp)
		want["xi_variance"] = temp / dofs
		want["gradient_noise"] = noise
	case row.Velocity:
		want["kinetic_temperature"] = temp
	}
	for name, r := range rows {
		if strings.HasPrefix(name, "all/") {
			if r.Verdict != "ok" && r.Verdict != "unsure" {
				t.Errorf("%s: %+v", name, r)
			}
			delete(rows, name)
		}
	}
	if len(rows) != 2*len(want) {
		t.Errorf("rows are %v", rows)
	}
	for _, block := range []string{"a", "b"} {
		for name, w := range want {
			r, ok := rows[block+"/"+name]
			if !ok {
				t.Errorf("no %s of %s", name, block)
				continue
			}
			if math.Abs(r.Expected-w) > 1e-12 {
				t.Errorf("%s: expected is %g, want %g", name, r.Expected, w)
			}
			allowed := 0.03*w + 4*r.MCSE
			if name == "xi_minus_friction" {
				allowed += 0.03 * d // a small excess is small compared with D
			}
			if name == "gradient_noise" {
				allowed += 0.03 * d * 2 * temp / c.Step
			}
			if !(math.Abs(r.Value-w) <= allowed) || r.MCSE > 0.2*d*max(1, 2*temp/c.Step) {
				t.Errorf("%s of %s: %.4g ± %.2g, want %.4g", name, block, r.Value, r.MCSE, w)
			}
			if name != "gradient_noise" && (r.Verdict == "off" || r.Verdict == "") {
				t.Errorf("%s of %s: %.4g ± %.2g for %.4g is called %q", name, block, r.Value,
					r.MCSE, w, r.Verdict)
			}
		}
	}
}

// TestHealthOff: too large a step, or a gradient noise that constant friction
// does not know of, is visible.
func TestHealthOff(t *testing.T) {
	for _, c := range []struct {
		sampler, scheme, noise string
		h                      float64
		off                    []string
	}{
		{"sghmc", "euler", "", 0.8, []string{"kinetic_temperature"}},
		{"sghmc", "split", "gradient:20", 0.1,
			[]string{"kinetic_temperature", "configurational_temperature"}},
		{"msgnht", "split", "", 1.6, []string{"xi_minus_friction"}},
		{"msgnht", "euler", "", 0.23, []string{"configurational_temperature"}},
		{"sgld", "euler", "", 0.8, []string{"configurational_temperature"}},
	} {
		cfg := config(c.sampler, c.scheme, c.h)
		cfg.SyntheticNoise = c.noise
		cfg.Warmup, cfg.Draws = 1000, 40000
		rows := healthOf(t, newGaussian([]float64{1, 1, 1}), cfg)
		for _, name := range c.off {
			if r := rows["a/"+name]; r.Verdict != "off" {
				t.Errorf("%s %s h = %g: %+v", c.sampler, c.scheme, c.h, r)
			}
		}
	}
}

// TestHealthUnknownNoise: with minibatches nothing says what V is, and the
// thermostat's estimate is that of the rows.
func TestHealthUnknownNoise(t *testing.T) {
	g := newGaussian([]float64{4, 4}).withRows(50, 9)
	c := config("msgnht", "", 0.05)
	c.FullBatch, c.Batch, c.BatchOrder, c.Warmup, c.Draws, c.Friction = false, 5, "replace", 2000,
		100000, 2
	rows := healthOf(t, g, c)
	r := rows["a/gradient_noise"]
	want := 0.0 // N²/|S| Cov(∇ log p(row)) with replacement
	for j := range 2 {
		var mean, square float64
		for _, y := range g.y {
			mean += y[j] / 50
			square += y[j] * y[j] / 50
		}
		want += 50 * 50 / 5.0 * (square - mean*mean) / 81 / 2
	}
	if !math.IsNaN(r.Expected) || math.Abs(r.Value-want) > 4*r.MCSE+0.03*want {
		t.Errorf("%+v, want %g", r, want)
	}
	if v := rows["a/xi_minus_friction"]; v.Verdict != "ok" && v.Verdict != "unsure" {
		t.Errorf("%+v", v)
	}
}

// TestHealthOfChains: the rows of several chains are their mean.
func TestHealthOfChains(t *testing.T) {
	c := config("sghmc", "", 0.1)
	c.Chains = 2
	g := newGaussian(variances(3))
	a, b := mustChain(t, g, c, 0), mustChain(t, g, c, 1)
	if rows := Health(a, b); len(rows) != 0 {
		t.Errorf("before the first draw: %v", rows)
	}
	mustSteps(t, a, 1800)
	mustSteps(t, b, 1800)
	all := Health(a, b)
	if want := (a.Health()[0].Value + b.Health()[0].Value) / 2; math.Abs(all[0].Value-want) >
		1e-12 || len(all) != 4 {
		t.Errorf("%v, want %g", all, want)
	}
	if !slices.Equal(a.Blocks(), []string{"a"}) {
		t.Errorf("blocks %v", a.Blocks())
	}
}
