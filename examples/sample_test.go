package examples_test

import (
	"cmp"
	"context"
	"math"
	"testing"

	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/results/diagnose"
)

// TestSample: two chains of each recipe's sampler on stochastic gradients start, stay
// finite, are healthy, and find the parameters that the data was simulated from.
func TestSample(t *testing.T) {
	for _, r := range recipes {
		t.Run(r.model, func(t *testing.T) {
			t.Parallel()
			m := onVM(t, compile(t, r.model))
			c := sampler.DefaultConfig()
			c.Sampler, c.Step, c.Friction, c.Batch = r.method(), r.step, r.friction, r.batch
			c.FullBatch = r.batch == 0
			c.Chains, c.Warmup, c.Draws, c.Thin, c.Seed, c.InitRadius = 2, 10000,
				1000, 10, seed, 0.5
			brief := cmp.Or(r.brief, 3)
			c.Warmup, c.Draws = c.Warmup/brief, c.Draws/brief
			d, err := sampler.Collect(context.Background(), m, c, sampler.RunOptions{})
			if err != nil {
				t.Fatal(err)
			}
			for _, h := range d.Health {
				if h.Verdict == "off" {
					t.Errorf("%s of %s is %.3f ± %.3f, expected %g", h.Statistic, h.Block, h.Value,
						h.MCSE, h.Expected)
				}
			}
			if r.chart != "" {
				return
			}
			for _, o := range d.Outputs {
				truth := r.truth[o.Name]
				for i := range o.Len {
					s := diagnose.Summarize(coordinate(d, o.Offset+i))
					if s.Rhat > 1.1 {
						t.Errorf("%s[%d]: R-hat is %.3f", o.Name, i, s.Rhat)
					}
					if truth == nil || s.SD == 0 && s.Mean == truth.F64[i] {
						continue // not known, or fixed: above the diagonal of a factor
					}
					if z := (s.Mean - truth.F64[i]) / s.SD; !(math.Abs(z) < 4) {
						t.Errorf("%s[%d]: %.3g ± %.3g, simulated from %g", o.Name, i, s.Mean, s.SD,
							truth.F64[i])
					}
				}
			}
		})
	}
}

// coordinate i of all draws, by chain.
func coordinate(d *sampler.Draws, i int) [][]float64 {
	out := make([][]float64, len(d.Chains))
	for k := range out {
		for n := range d.Len(k) {
			out[k] = append(out[k], d.Draw(k, n)[i])
		}
	}
	return out
}
