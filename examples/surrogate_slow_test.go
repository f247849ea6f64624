//go:build slow

package examples_test

import (
	"testing"

	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/infer/surrogate"
)

// TestSurrogateA9A: 2,000 and 8,000 rows by leverage, and without the rows, which is refused.
func TestSurrogateA9A(t *testing.T) {
	m := newA9A(t).fitted
	c := sampler.DefaultConfig()
	c.Sampler, c.Chains, c.Warmup, c.Draws, c.Seed = "nuts", 4, 1000, 1000, 3
	truth, sd := weightedMeans(states(t, m, collect(t, m, c)))
	for _, k := range []struct {
		rows int
		sd   float64
	}{{2000, 0.5}, {8000, 0.15}} {
		r, err := surrogateOf(t, m, 1000, surrogate.Settings{Rows: k.rows})
		if err != nil {
			if r != nil {
				t.Logf("%+v", r.Exactness)
			}
			t.Fatal(err)
		}
		x := r.Exactness
		mean, _ := weightedMeans(r.Drawn, r.Weights)
		far := farthestMean(mean, truth, sd)
		t.Logf("%d rows: %+v; worst mean %.3f sd", k.rows, x, far)
		if x.K > 0.5 || x.SD > k.sd || far > 0.15 {
			t.Errorf("%d rows: k %.2f, sd %.2g, a mean is off by %.2g sd", k.rows, x.K, x.SD, far)
		}
	}
	_, err := surrogateOf(t, m, 1000, surrogate.Settings{Rows: -1})
	if err == nil {
		t.Error("without rows: no refusal")
	}
	t.Log(err)
}
