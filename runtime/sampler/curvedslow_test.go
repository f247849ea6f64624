//go:build slow

package sampler

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"testing"

	"github.com/sgppl/sgppl/internal/shared"
	"github.com/sgppl/sgppl/runtime/special"
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
		cos += r.cos.mean() / parts
		sin += r.sin.mean() / parts
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
					if math.IsNaN(h.Expected) || h.Expected == 0 || h.Verdict == "unsure" || h.Statistic == "xi_minus_friction" || h.Statistic == "gradient_noise" {
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

// TestConjugatePosteriors: von Mises and Fisher's law as the posterior of a
// direction, by every applicable sampler, with all rows and with minibatches
// of a fifth; minibatch means within 0.1 posterior sd.
func TestConjugatePosteriors(t *testing.T) {
	text, err := os.ReadFile(shared.Path(t, "truth", "vmf_conjugate_posterior.json"))
	if err != nil {
		t.Fatal(err)
	}
	var truth struct {
		Cases []struct {
			D, N     int
			KappaX   float64   `json:"kappa_x"`
			Kappa0   float64   `json:"kappa_0"`
			Prior    []float64 `json:"prior_mean"`
			X        [][]float64
			Mean     []float64 `json:"E_mu"`
			SD       []float64 `json:"sd_mu"`
			PostK    float64   `json:"post_kappa"`
			PostMean []float64 `json:"post_mean_direction"`
		}
	}
	if err := json.Unmarshal(text, &truth); err != nil {
		t.Fatal(err)
	}
	for _, c := range truth.Cases {
		for _, sampler := range []string{"geodesic_sghmc", "geodesic_sgnht", "gmc"} {
			for _, mini := range []bool{false, true} {
				if mini && sampler == "gmc" {
					continue
				}
				t.Run(fmt.Sprint(c.D, "/", c.N, "/", sampler, "/", mini), func(t *testing.T) {
					t.Parallel()
					g := newRows(c.X, c.KappaX, c.Prior, c.Kappa0)
					rate := math.Sqrt(c.PostK)
					cfg := config(sampler, "", 0.1/rate)
					cfg.Friction, cfg.Warmup, cfg.Draws, cfg.Thin = rate, 5000, 60000, 10
					if sampler == "gmc" {
						cfg.Step, cfg.Thin, cfg.Draws, cfg.Leapfrog = 0.4/rate, 1, 60000, 4
					}
					if mini {
						cfg.FullBatch, cfg.Batch = false, c.N/5
						v := g.noise(cfg.Batch)
						cfg.Friction = max(rate, v*cfg.Step*2)
						if sampler == "geodesic_sghmc" {
							cfg.GradNoise = v
						}
					}
					ch := mustChain(t, g, cfg, 0)
					mustSteps(t, ch, int(cfg.Warmup))
					ms := make([]moments, c.D)
					along := moments{mean: special.VMFRatio(float64(c.D), c.PostK)}
					for i := range ms {
						ms[i].mean = c.Mean[i]
					}
					for range cfg.Draws {
						mustSteps(t, ch, int(cfg.Thin))
						sum := 0.0
						for i, x := range ch.Position() {
							ms[i].add(x)
							sum += x * c.PostMean[i]
						}
						along.add(sum)
					}
					worst, scale := 0.0, 0.0
					for i := range ms {
						e := 5 * ms[i].one.slowest()
						if mini {
							e = max(e, 0.1*c.SD[i])
						}
						miss := math.Abs(ms[i].one.mean() - c.Mean[i])
						worst = max(worst, miss/c.SD[i])
						if !(miss < e) {
							t.Errorf("E μ[%d] off by %.2g of its sd", i, miss/c.SD[i])
						}
						scale += ms[i].two.mean() / (c.SD[i] * c.SD[i]) / float64(c.D)
					}
					t.Logf("means off by at most %.3f sd, variances by a factor %.3f, 1 − μ·R by %.3f", worst, scale, (1-along.one.mean())/(1-along.mean))
				})
			}
		}
	}
}
