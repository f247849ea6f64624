//go:build slow

package sampler

import (
	"fmt"
	"math"
	"testing"
)

// TestCircleLong is the experiment of the paper: V = V̂ = 1000, D = 6, 4·10⁶
// draws ten steps each; total variation over 24 bins below 0.01.
func TestCircleLong(t *testing.T) {
	_, _, _, mass := circleTruth(t)
	const parts = 2
	var all circleRun
	done := make(chan *circleRun, parts)
	for seed := range uint64(parts) {
		go func() {
			r, _ := runCircle(t, 1000, 1000, 4000000/parts, seed+1)
			done <- r
		}()
	}
	cos, sin := 0.0, 0.0
	for range parts {
		r := <-done
		for i, p := range r.mass {
			all.mass[i] += p / parts
		}
		cos += r.cos.Mean() / parts
		sin += r.sin.Mean() / parts
	}
	tv := all.variation(mass)
	t.Logf("total variation %.4f, mean cosine %.4f, mean sine %.4f", tv, cos, sin)
	if !(tv < 0.01) {
		t.Errorf("total variation %.4f", tv)
	}
}

// TestCurvedTargetsLong: every geodesic sampler on every target, at a smaller
// step, with health within 3 % of theory.
func TestCurvedTargetsLong(t *testing.T) {
	for _, c := range curvedCases() {
		for _, r := range curvedRuns {
			t.Run(fmt.Sprint(c.name, r), func(t *testing.T) {
				t.Parallel()
				cfg := r.config()
				cfg.Draws *= 8
				if r.sampler != "gmc" {
					cfg.Step, cfg.Thin = 0.05, 5
				}
				ch := c.run(t, cfg, 0.01)
				checkHealth(t, ch, 1)
				for _, h := range ch.Health() {
					if math.IsNaN(h.Expected) || h.Expected == 0 || h.Verdict == "unsure" ||
						h.Statistic == "xi_minus_friction" || h.Statistic == "gradient_noise" {
						continue
					}
					if math.Abs(h.Value-h.Expected) > 0.03*h.Expected+h.MCSE {
						t.Errorf("%+v", h)
					}
				}
			})
		}
	}
}

// TestConjugatePosteriors is checkConjugate on all of the cases.
func TestConjugatePosteriors(t *testing.T) {
	for _, c := range conjugateTruth(t) {
		for _, sampler := range []string{"geodesic_sghmc", "geodesic_sgnht", "gmc"} {
			for _, mini := range []bool{false, true} {
				if mini && sampler == "gmc" {
					continue
				}
				t.Run(fmt.Sprint(c.D, "/", c.N, "/", sampler, "/", mini), func(t *testing.T) {
					t.Parallel()
					c.check(t, sampler, mini, 60000)
				})
			}
		}
	}
}

// TestMixtureLong: the paper's mixture by every geodesic sampler on all rows,
// and by minibatches of a tenth.
func TestMixtureLong(t *testing.T) {
	for _, sampler := range []string{"gmc", "geodesic_sghmc", "geodesic_sgnht"} {
		for _, batch := range []int{0, 10} {
			if sampler == "gmc" && batch > 0 {
				continue
			}
			t.Run(fmt.Sprint(sampler, batch), func(t *testing.T) {
				t.Parallel()
				cfg := config(sampler, "", 0.01)
				cfg.Warmup, cfg.Draws, cfg.Thin, cfg.Friction = 5000, 100000, 10, 5
				part := 0.02
				if sampler == "gmc" {
					cfg.Step, cfg.Thin, cfg.Leapfrog, part = 0.04, 1, 8, 0
				}
				if batch > 0 {
					cfg.FullBatch, cfg.Batch, cfg.Step, cfg.Friction = false, batch, 0.002, 20
					cfg.Draws, part = 200000, 0.1
				}
				checkMixture(t, cfg, part)
			})
		}
	}
}

// TestMixtureFound: the same without a step and a friction, by as many steps on all rows and
// on minibatches of a tenth.
func TestMixtureFound(t *testing.T) {
	for _, sampler := range []string{"geodesic_sghmc", "geodesic_sgnht"} {
		for _, batch := range []int{0, 10} {
			for seed := range uint64(3) {
				t.Run(fmt.Sprint(sampler, batch, "/", seed+1), func(t *testing.T) {
					cfg := tuned(sampler)
					cfg.Warmup, cfg.Draws, cfg.Thin, cfg.Seed = 5000, 100000, 10, seed+1
					cfg.FullBatch, cfg.Batch = batch == 0, batch
					part := 0.02
					if batch > 0 {
						cfg.Draws, part = 200000, 0.1
					}
					checkMixture(t, cfg, part)
				})
			}
		}
	}
}
