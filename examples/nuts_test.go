package examples_test

import (
	"context"
	"math"
	"testing"

	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/results/diagnose"
)

// TestNuts: compiled models by nuts with its defaults and by gmc with a small
// step and long chains have one posterior: means, and mean squares for the
// spreads, within four of their joint errors, which are small compared with the
// spreads.
func TestNuts(t *testing.T) {
	for _, c := range []struct {
		model    string
		step     float64
		leapfrog int
		draws    int64
	}{{"eight_schools", 0.15, 12, 8000}, {"linear_regression", 0.03, 4, 5000}} {
		t.Run(c.model, func(t *testing.T) {
			t.Parallel()
			m := onVM(t, compile(t, c.model))
			run := func(set func(*sampler.Config)) *sampler.Draws {
				cfg := sampler.DefaultConfig()
				cfg.Seed = seed
				set(&cfg)
				d, err := sampler.Collect(context.Background(), m, cfg, sampler.RunOptions{})
				if err != nil {
					t.Fatal(err)
				}
				return d
			}
			long := run(func(c0 *sampler.Config) {
				c0.Sampler, c0.Step, c0.Leapfrog, c0.Draws, c0.Seed = "gmc", c.step, c.leapfrog,
					c.draws, seed+1
			})
			d := run(func(*sampler.Config) {})
			for _, h := range d.Health {
				switch h.Statistic {
				case "divergences", "max_tree_depth_hits":
					if h.Value > 4 { // one chain of a thousand
						t.Errorf("%+v", h)
					}
				case "acceptance_rate":
					if !(h.Value > 0.75 && h.Value < 0.97) {
						t.Errorf("%+v", h)
					}
				case "e_bfmi":
					if h.Verdict != "ok" {
						t.Errorf("%+v", h)
					}
				}
			}
			for i := range d.Width {
				a, b := coordinate(d, i), coordinate(long, i)
				one, other := diagnose.Summarize(a), diagnose.Summarize(b)
				agree(t, i, one, other, 0.05)
				if one.Rhat > 1.02 {
					t.Errorf("%d: R-hat %.3f", i, one.Rhat)
				}
				if one.ESSBulk < 1000 {
					t.Errorf("%d: effective sample size %.0f of 4000", i, one.ESSBulk)
				}
				agree(t, i, diagnose.Summarize(squares(a, other.Mean)),
					diagnose.Summarize(squares(b, other.Mean)), 0.2)
			}
		})
	}
}

// agree compares means; their error may be no more than a share of the spread.
func agree(t *testing.T, i int, a, b diagnose.Summary, share float64) {
	t.Helper()
	e := math.Hypot(a.MCSEMean, b.MCSEMean)
	if z := (a.Mean - b.Mean) / e; !(math.Abs(z) < 4) {
		t.Errorf("%d: %.5g and %.5g are %.2f errors apart", i, a.Mean, b.Mean, z)
	}
	if !(e < share*b.SD) {
		t.Errorf("%d: an error of %.2g beside a spread of %.2g says nothing", i, e, b.SD)
	}
}

func squares(x [][]float64, mean float64) [][]float64 {
	out := make([][]float64, len(x))
	for k := range x {
		for _, a := range x[k] {
			out[k] = append(out[k], (a-mean)*(a-mean))
		}
	}
	return out
}

// TestEvaluate: the density and the gradient at once are those of each alone, to
// rounding, on all rows and on some.
func TestEvaluate(t *testing.T) {
	for _, r := range recipes {
		t.Run(r.model, func(t *testing.T) {
			t.Parallel()
			m := onVM(t, compile(t, r.model))
			cfg := sampler.DefaultConfig()
			cfg.Sampler, cfg.Step, cfg.FullBatch, cfg.InitRadius = "gmc", 1e-9, true, 0.5
			rows := [][]int{nil}
			if m.Rows() > 3 {
				rows = append(rows, []int{2, 0, 3})
			}
			for k := range 3 {
				chain, err := sampler.NewChain(m, cfg, k)
				if err != nil {
					t.Fatal(err)
				}
				e, x := m.NewEvaluator(3), chain.Position()
				g, both := make([]float64, len(x)), make([]float64, len(x))
				for _, some := range rows {
					f, joint := e.LogDensity(x, some, 2, 0.7),
						e.LogDensityGradient(x, some, 2, 0.7, both)
					e.Gradient(x, some, 2, 0.7, g)
					if !(math.Abs(f-joint) <= 1e-11*(1+math.Abs(f))) {
						t.Errorf("density %v, %v", f, joint)
					}
					most := 1.0
					for _, a := range g {
						most = max(most, math.Abs(a))
					}
					for i := range g {
						if !(math.Abs(g[i]-both[i]) <= 1e-11*most) {
							t.Errorf("gradient %d: %v, %v", i, g[i], both[i])
						}
					}
				}
			}
		})
	}
}
