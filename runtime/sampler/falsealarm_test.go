package sampler

import "testing"

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
	rows := func(xi0 float64, warmup, draws int64) map[string]HealthRow {
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
