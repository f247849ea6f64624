package sampler

import (
	"fmt"
	"math"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler/health"
	"github.com/sgppl/sgppl/runtime/infer/sampler/settings"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// A curvedCase is a target with density e^{κ x_0} on its first point and what
// else of it is known: the law of x_0, and variances of other coordinates.
type curvedCase struct {
	name      string
	g         target.Target
	d         float64 // of the sphere that x_0 is on
	kappa     float64
	variances map[int]float64 // by coordinate, at T = 1, of mean 0
}

// curvedCases: von Mises and Fisher's law on S² and S^19; on a Stiefel manifold a matrix Langevin
// law that pulls at one entry: its column is von Mises–Fisher, and the entry next to it a
// coordinate of a uniform direction orthogonal to that column; and a product of spheres, a Stiefel
// manifold and R².
func curvedCases() []curvedCase {
	pull := func(n int, kappa float64, flatFrom int) func(x, grad []float64) float64 {
		return func(x, grad []float64) float64 {
			clear(grad)
			grad[0] = kappa
			f := kappa * x[0]
			for i := flatFrom; i < n; i++ {
				grad[i] = -x[i] / 2
				f -= x[i] * x[i] / 4
			}
			return f
		}
	}
	across := func(d, k float64) float64 { return special.VMFRatio(d, k) / k }
	second := func(d, k float64) float64 { // E x_0²
		a := special.VMFRatio(d, k)
		return special.VMFRatioDeriv(d, k) + a*a
	}
	beside := func(d, k float64) float64 { return (1 - second(d, k)) / (d - 1) }
	return []curvedCase{
		{"vmf on S^2", newCurved(pull(3, 5, 3), sphere(1, 3)), 3, 5,
			map[int]float64{1: across(3, 5)}},
		{"vmf on S^19", newCurved(pull(20, 12, 20), sphere(1, 20)), 20, 12,
			map[int]float64{7: across(20, 12)}},
		{"matrix Langevin", newCurved(pull(10, 4, 10), stiefel(1, 5, 2)), 5, 4,
			map[int]float64{1: beside(5, 4), 2: across(5, 4)}},
		{"rotations", newCurved(pull(9, 0, 9), stiefel(1, 3, 3)), 3, 0,
			map[int]float64{1: 1. / 3, 5: 1. / 3}},
		{"product", newCurved(pull(16, 5, 14), sphere(2, 3), stiefel(1, 4, 2), flat(2)), 3, 5,
			map[int]float64{1: across(3, 5), 4: 1. / 3, 8: 1. / 4, 15: 2}},
	}
}

// run takes the draws of a chain and compares them with the target at T.
func (c *curvedCase) run(t *testing.T, cfg settings.Config, bias float64) *Chain {
	ch := mustChain(t, c.g, cfg, 0)
	mustSteps(t, ch, int(cfg.Warmup))
	along := moments{mean: special.VMFRatio(c.d, c.kappa)}
	others := map[int]*moments{}
	for i := range c.variances {
		others[i] = &moments{}
	}
	for range cfg.Draws {
		mustSteps(t, ch, int(cfg.Thin))
		x := ch.Position()
		along.add(x[0])
		for i, m := range others {
			m.add(x[i])
		}
	}
	along.check(t, c.name+": x[0]", special.VMFRatioDeriv(c.d, c.kappa), bias)
	for i, m := range others {
		m.check(t, fmt.Sprintf("%s: x[%d]", c.name, i), c.variances[i], bias)
	}
	return ch
}

// A curvedRun is a sampler with exact gradients, or with known noise.
type curvedRun struct {
	sampler, thermostat string
	noise               float64
}

var curvedRuns = []curvedRun{
	{"geodesic_sghmc", "", 0}, {"geodesic_sghmc", "", 10},
	{"geodesic_sgnht", "", 0}, {"geodesic_sgnht", "", 10},
	{"geodesic_sgnht", "point", 10}, {"geodesic_sgnht", "all", 10},
	{"gmc", "", 0}, {"nuts", "", 0},
}

func (r curvedRun) config() settings.Config {
	cfg := config(r.sampler, "", 0.08)
	cfg.Thermostat, cfg.Warmup, cfg.Draws, cfg.Thin = r.thermostat, 2000, 14000, 3
	if r.noise > 0 {
		cfg.SyntheticNoise = fmt.Sprint("gradient:", r.noise)
		if r.sampler == "geodesic_sghmc" {
			cfg.GradNoise = r.noise
		}
	}
	if r.sampler == "gmc" {
		cfg.Step, cfg.Thin, cfg.Leapfrog = 0.25, 2, 3
	}
	if r.sampler == "nuts" {
		cfg.Step, cfg.Thin = 0.25, 1
	}
	return cfg
}

// TestCurvedTargets: every geodesic sampler on S², and some on every target,
// with the health statistics that theory knows. The slow test has all of them.
func TestCurvedTargets(t *testing.T) {
	for i, c := range curvedCases() {
		for j, r := range curvedRuns {
			if (i > 0 && j%3 != 0 || i > 1 && j != 3) && (r.sampler != "nuts" || i > 2) {
				continue
			}
			t.Run(fmt.Sprint(c.name, r), func(t *testing.T) {
				t.Parallel()
				checkHealth(t, c.run(t, r.config(), 0.02), 1)
			})
		}
	}
}

// TestCurvedHealthOff: a step that is too large, and a noise that constant
// friction does not know of, are visible on curved blocks.
func TestCurvedHealthOff(t *testing.T) {
	strong := newCurved(linear([]float64{30, 0, 0}), sphere(1, 3))
	langevin := newCurved(linear([]float64{30, 0, 0, 20, 0, 0, 0, 0}), stiefel(1, 4, 2))
	for _, c := range []struct {
		g              target.Target
		sampler, noise string
		h              float64
		off            []string
	}{
		{strong, "geodesic_sghmc", "", 0.3, []string{"kinetic_temperature"}},
		{langevin, "geodesic_sghmc", "", 0.3, []string{"kinetic_temperature"}},
		{strong, "geodesic_sghmc", "gradient:20", 0.05,
			[]string{"kinetic_temperature", "configurational_temperature"}},
		{strong, "geodesic_sgnht", "", 0.3, []string{"xi_minus_friction"}},
		{langevin, "geodesic_sgnht", "", 0.3, []string{"xi_minus_friction"}},
		{strong, "gmc", "", 0.5, []string{"acceptance_rate"}},
	} {
		cfg := config(c.sampler, "", c.h)
		cfg.SyntheticNoise, cfg.Warmup, cfg.Draws = c.noise, 2000, 20000
		ch := mustChain(t, c.g, cfg, 0)
		mustSteps(t, ch, int(cfg.Steps()))
		rows := map[string]health.Row{}
		for _, r := range ch.Health() {
			rows[r.Statistic] = r
		}
		for _, name := range c.off {
			if r := rows[name]; r.Verdict != "off" {
				t.Errorf("%s %s h = %g: %+v", c.sampler, c.noise, c.h, rows)
			}
		}
	}
}

// TestCurvedHealthSilent: without a direction there is nothing to say of the
// configurational temperature, and it is not called off.
func TestCurvedHealthSilent(t *testing.T) {
	for _, d := range []int{3, 200} {
		for seed := range uint64(5) {
			cfg := config("geodesic_sgnht", "", 0.1)
			cfg.Seed, cfg.Warmup, cfg.Draws = seed, 1000, 2000
			ch := mustChain(t,
				newCurved(func(x, grad []float64) float64 {
					clear(grad)
					return 0
				}, sphere(1, d)), cfg, 0)
			mustSteps(t, ch, int(cfg.Steps()))
			for _, r := range ch.Health() {
				if r.Statistic == "configurational_temperature" && r.Verdict != "unsure" {
					t.Errorf("d = %d: %+v", d, r)
				}
			}
		}
	}
}

// TestCurvedStart: a start a little off its space is put on it, one that is
// far off is refused.
func TestCurvedStart(t *testing.T) {
	g := newCurved(linear([]float64{1, 0, 0}), sphere(1, 3))
	cfg := config("geodesic_sghmc", "", 0.1)
	cfg.Init = [][]float64{{1 + 3e-7, 0, 0}}
	ch := mustChain(t, g, cfg, 0)
	mustSteps(t, ch, 2)
	x := ch.Position()
	if n := x[0]*x[0] + x[1]*x[1] + x[2]*x[2]; math.Abs(n-1) > 1e-14 {
		t.Errorf("after two steps x·x is 1 + %g", n-1)
	}
	for _, bad := range [][]float64{{1.1, 0, 0}, {math.NaN(), 0, 0}} {
		cfg.Init = [][]float64{bad}
		if _, err := NewChain(g, cfg, 0); err == nil {
			t.Errorf("a chain started at %v", bad)
		}
	}
}

// TestNutsCurvedAdapts: nuts finds its step on curved spaces and reaches the
// mean acceptance that it is asked for, and its draws have the target's law.
// Its trajectories go on until they turn: consecutive draws of von Mises and
// Fisher's law hardly depend on each other.
func TestNutsCurvedAdapts(t *testing.T) {
	for _, i := range []int{0, 1, 4} {
		c := curvedCases()[i]
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			cfg := config("nuts", "", 0)
			cfg.Warmup, cfg.Draws, cfg.Thin = 300, 6000, 2
			ch := c.run(t, cfg, 0.02)
			var accept *health.Series
			if accept = &ch.health.accept; accept.N == 0 {
				t.Fatal("nothing was observed")
			}
			if mean, _ := health.Merge([]*health.Series{accept}); math.Abs(mean-0.8) > 0.07 {
				t.Errorf("mean acceptance %g, asked for 0.8", mean)
			}
			if h := &ch.hmc.Tree.Energies; h.Diverging > 0 {
				t.Errorf("%g divergences", h.Diverging)
			}
		})
	}
}
