package sampler

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/sgppl/sgppl/internal/reference"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// A conjugate is a posterior of a direction that is von Mises–Fisher.
type conjugate struct {
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

func conjugateTruth(t *testing.T) []conjugate {
	text, err := os.ReadFile(reference.Path(t, "truth", "vmf_conjugate_posterior.json"))
	if err != nil {
		t.Fatal(err)
	}
	var truth struct{ Cases []conjugate }
	if err := json.Unmarshal(text, &truth); err != nil {
		t.Fatal(err)
	}
	return truth.Cases
}

// check compares the posterior's means with a sampler's, on all rows or on
// minibatches of a fifth of them, which may be off by 0.1 posterior sd.
func (c *conjugate) check(t *testing.T, sampler string, mini bool, draws int64) {
	g := newRows(c.X, c.KappaX, c.Prior, c.Kappa0)
	rate := math.Sqrt(c.PostK)
	cfg := config(sampler, "", 0.1/rate)
	cfg.Friction, cfg.Warmup, cfg.Draws, cfg.Thin = rate, 5000, draws, 10
	if sampler == "gmc" {
		cfg.Step, cfg.Thin, cfg.Leapfrog = 0.4/rate, 1, 4
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
		e := 5 * ms[i].one.Slowest()
		if mini {
			e = max(e, 0.1*c.SD[i])
		}
		miss := math.Abs(ms[i].one.Mean() - c.Mean[i])
		worst = max(worst, miss/c.SD[i])
		if !(miss < e) {
			t.Errorf("E μ[%d] off by %.2g of its sd", i, miss/c.SD[i])
		}
		scale += ms[i].two.Mean() / (c.SD[i] * c.SD[i]) / float64(c.D)
	}
	t.Logf("means off by at most %.3f sd, variances by a factor %.3f, 1 − μ·R by %.3f", worst,
		scale, (1-along.one.Mean())/(1-along.mean))
}

// TestConjugate: a case by each sampler; the slow test has all of them.
func TestConjugate(t *testing.T) {
	cases := conjugateTruth(t)
	cases[0].check(t, "geodesic_sghmc", true, 8000)
	cases[2].check(t, "geodesic_sgnht", true, 4000)
	cases[0].check(t, "gmc", false, 8000)
}
