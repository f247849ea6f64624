package examples_test

import (
	"math"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
)

// wellConfig is the protocol of Ding et al. (2014), §3: noise N(0, 2Bh) with
// B = 1 in the gradient's impulse, none injected, ξ₀ = 1, θ₀ = 0, v₀ ~ N(0, 1),
// and no warm-up.
func wellConfig(name, scheme string, h float64, seed uint64, steps int64) sampler.Config {
	one := 1.0
	c := sampler.DefaultConfig()
	c.Sampler, c.Scheme, c.Step = name, scheme, h
	c.Friction, c.Xi0, c.SyntheticNoise, c.InitRadius = 0, &one, "diffusion:1", 0
	c.Seed, c.Chains, c.Warmup, c.Draws, c.Thin = seed, 1, 0, steps, 1
	return c
}

type wellTruth struct {
	Z, Mean, Var, SD json64
	Negative         json64 `json:"P_theta_lt_0"`
	E2               json64 `json:"E_theta2"`
	E4               json64 `json:"E_theta4"`
}

// wellGrid is the grid of the paper's figure: cells of 0.01 around −5 … 5, of
// which the ends hold what lies beyond.
const wellLo, wellWidth, wellCells = -5.0, 0.01, 1001

// wellExact is exp(−U)/Z at the middle of each cell.
func wellExact(m *model.Model) (p [wellCells]float64, z float64) {
	e := m.Evaluator(0)
	for i := range p {
		p[i] = math.Exp(e.LogDensity([]float64{wellLo + wellWidth*float64(i)}, nil, 1, 1))
		z += p[i] * wellWidth
	}
	for i := range p {
		p[i] /= z
	}
	return p, z
}

// wellRun runs one chain over the grid: the mean of ξ and the KL divergence
// from the exact density, symmetrised and without dx as in the figure.
func wellRun(t *testing.T, m *model.Model, c sampler.Config) (xi, kl float64, err error) {
	t.Helper()
	ch, err := sampler.NewChain(m, c, 0)
	if err != nil {
		t.Fatal(err)
	}
	var hist [wellCells]float64
	for range c.Draws {
		if err := ch.Step(); err != nil {
			return 0, 0, err
		}
		xi += ch.Xi()[0]
		cell := math.Round((ch.Position()[0] - wellLo) / wellWidth)
		hist[int(min(max(cell, 0), wellCells-1))]++
	}
	n := float64(c.Draws)
	exact, _ := wellExact(m)
	for i, e := range exact {
		y, e := hist[i]/n/wellWidth+1e-60, e+1e-60
		kl += 0.5*y*math.Log(y/e) + 0.5*e*math.Log(e/y)
	}
	return xi / n, kl, nil
}

// wellMoments runs four chains at a small step, long enough to cross the
// barrier some thousand times, against the exact moments and P(θ < 0). The
// sampler is given noise of whose size it knows nothing.
func wellMoments(t *testing.T, scheme string, h float64) {
	var truth wellTruth
	loadTruth(t, "double_well.json", &truth)
	m := onVM(t, compile(t, "double_well"))
	if _, z := wellExact(m); math.Abs(z/float64(truth.Z)-1) > 1e-6 {
		t.Errorf("Z is %.9g, exact %.9g", z, truth.Z)
	}
	mean, sd, p := float64(truth.Mean), float64(truth.SD), float64(truth.Negative)
	c := wellConfig("msgnht", scheme, h, 1, 40000)
	c.Chains, c.Thin = 4, int64(math.Round(2/h))
	d := collect(t, m, c)
	meets(t, d, []expectation{
		{"θ", func(d []float64) float64 { return d[0] }, mean, sd},
		{"(θ - mean)²", func(d []float64) float64 {
			return (d[0] - mean) * (d[0] - mean)
		}, sd * sd, 0},
		{"θ²", func(d []float64) float64 { return d[0] * d[0] }, float64(truth.E2),
			math.Sqrt(float64(truth.E4 - truth.E2*truth.E2))},
		{"θ < 0", func(d []float64) float64 { return indicator(d[0] < 0) }, p,
			math.Sqrt(p * (1 - p))},
	})
	healthy(t, d.Health)
}

// TestDoubleWellMoments: on one coordinate sgnht is msgnht, so one of them is
// enough; Euler, which needs a smaller step, is among the slow tests.
func TestDoubleWellMoments(t *testing.T) { wellMoments(t, "split", 0.05) }

// TestDoubleWellStability: from h = 0.25 Euler is thrown out of the well, and
// the run stops; splitting stays, with the bias of ξ that is known.
func TestDoubleWellStability(t *testing.T) {
	m := onVM(t, compile(t, "double_well"))
	const steps = 200000
	for _, h := range []float64{0.25, 0.3} {
		for seed := range uint64(5) {
			_, _, err := wellRun(t, m, wellConfig("msgnht", "euler", h, seed, steps))
			if e, ok := sampler.IsNonFinite(err); !ok {
				t.Errorf("Euler at h = %g, seed %d: %v", h, seed, err)
			} else if e.Block != "theta" || e.LastGood != e.Step-1 || len(e.Try) == 0 {
				t.Errorf("the error says too little: %v", e)
			}
			if _, _, err := wellRun(t, m, wellConfig("msgnht", "split", h, seed,
				steps)); err != nil {
				t.Errorf("splitting at h = %g, seed %d: %v", h, seed, err)
			}
		}
	}
}
