package sampler

import (
	"testing"

	"github.com/sgppl/sgppl/runtime/infer/sampler/health"
)

// TestHealthShort: right runs that are short, of four chains over 70 units of
// time, are not called off whatever the seed, and two thirds of their rows are ok.
func TestHealthShort(t *testing.T) {
	g := newGaussian(variances(4), 1, 3).withRows(20, 40)
	for _, sampler := range []string{"msgnht", "sgnht", "sghmc"} {
		count := map[string]int{}
		for seed := range uint64(25) {
			cfg := config(sampler, "", 0.05)
			cfg.FullBatch, cfg.Batch, cfg.Chains, cfg.Friction = false, 10, 4, 2
			cfg.Seed, cfg.Warmup, cfg.Draws = seed, 1400, 1400
			var chains []*Chain
			for k := range cfg.Chains {
				c := mustChain(t, g, cfg, k)
				mustSteps(t, c, int(cfg.Steps()))
				chains = append(chains, c)
			}
			for _, r := range Health(chains...) {
				count[r.Verdict]++
				if r.Verdict == "off" {
					t.Errorf("%s, seed %d: %+v", sampler, seed, r)
				}
			}
		}
		t.Logf("%s: %v", sampler, count)
		if count["ok"] < 2*count["unsure"] {
			t.Errorf("%s: %v", sampler, count)
		}
	}
}

// TestHealthCold: a thermostat that is still coming down, at no more than T a
// unit of time, is called off by the kinetic temperature, which else is not
// shown; and ξ that had no time to leave its start is not judged.
func TestHealthCold(t *testing.T) {
	rows := func(xi0 float64, warmup, draws int64) map[string]health.Row {
		cfg := config("msgnht", "", 0.05)
		cfg.Xi0, cfg.Warmup, cfg.Draws, cfg.Friction = &xi0, warmup, draws, 1
		return healthOf(t, newGaussian(variances(3)), cfg)
	}
	if r := rows(100, 200, 1500)["a/kinetic_temperature"]; r.Verdict != "off" || r.Value > 0.1 {
		t.Errorf("thermostats that come down from 100: %+v", r)
	}
	if r, ok := rows(1, 2000, 20000)["a/kinetic_temperature"]; ok {
		t.Errorf("thermostats that are settled: %+v", r)
	}
	if r := rows(1, 2, 30)["a/xi_variance"]; r.Verdict != "unsure" {
		t.Errorf("thermostats that hardly moved: %+v", r)
	}
}

// TestDirectionsQuiet: right runs, whatever the seed, are not called off along any
// direction: without noise, with the same noise in all directions, in few and many
// coordinates, on a sphere, of one chain and of several.
func TestDirectionsQuiet(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		sampler string
		g       *tilted
		noise   bool
		h       float64
		chains  int
	}{
		{"sghmc", newTilted(newCurved(isotropic(1), flat(12)), 24, [][]float64{unit(12, 0)},
			[]float64{0}), false, 0.2, 1},
		{"msgnht", newTilted(newCurved(isotropic(1), flat(3)), 60,
			[][]float64{unit(3, 0), unit(3, 1), unit(3, 2)}, []float64{0.3, 0.3, 0.3}), true, 0.1, 2},
		{"sgnht", newTilted(newCurved(isotropic(1), flat(40)), 60, [][]float64{unit(40, 0)},
			[]float64{0}), true, 0.1, 1},
		{"geodesic_sgnht", newTilted(newCurved(linear([]float64{5, 0, 0}), sphere(2, 3)), 60,
			[][]float64{unit(6, 0)}, []float64{0}), false, 0.1, 2},
		{"sgld", newTilted(newCurved(isotropic(1), flat(4)), 60, [][]float64{unit(4, 0)},
			[]float64{0}), false, 0.02, 2},
	} {
		for seed := range uint64(12) {
			cfg := config(c.sampler, "", c.h)
			cfg.Chains, cfg.Warmup, cfg.Draws, cfg.Friction, cfg.Seed = c.chains, 1000, 4000, 1.5, seed
			if c.noise {
				cfg.FullBatch, cfg.Batch, cfg.BatchOrder = false, 10, "replace"
			}
			rows := directional(t, c.g, cfg)
			for _, s := range []string{"noise_temperature", "worst_temperature",
				"worst_kinetic_temperature"} {
				if r := rows[s]; r.Verdict == "off" {
					t.Errorf("%s, seed %d: %+v", c.sampler, seed, r)
				}
			}
		}
	}
}
