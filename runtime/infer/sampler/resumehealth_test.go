package sampler

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/sgppl/sgppl/runtime/dynamics/batch"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler/health"
	"github.com/sgppl/sgppl/runtime/infer/sampler/settings"
	"github.com/sgppl/sgppl/runtime/infer/sampler/table"
)

// equalHealth compares all fields of all rows, bit for bit.
func equalHealth(a, b []health.Row) bool {
	return slices.EqualFunc(a, b, func(x, y health.Row) bool {
		numbers := func(r health.Row) []float64 { return []float64{r.Value, r.Expected, r.MCSE} }
		return x.Block == y.Block && x.Statistic == y.Statistic && x.Verdict == y.Verdict &&
			slices.EqualFunc(numbers(x), numbers(y),
				func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) })
	})
}

// TestResumeHealth: every field of the health of a run is the same, to the bit,
// whether its chains were interrupted or not, wherever: in the warm-up, between
// draws, and behind the last step. So are all statistics of the draws. It holds
// for every sampler, on each kind of space, for every order of minibatches, and
// for what runs find out on their way: metrics, steps, preconditioners, noise.
func TestResumeHealth(t *testing.T) {
	rows := newGaussian(variances(5), 2, 3).withRows(23, 4)
	bent := newCurved(func(x, grad []float64) float64 {
		for i, a := range x {
			grad[i] = 0.3*float64(i%3) - a
		}
		return 0
	}, flat(2), sphere(2, 3), stiefel(1, 4, 2))
	type setting struct {
		name string
		g    target.Target
		set  func(c *settings.Config)
	}
	var all []setting
	add := func(name string, g target.Target, set func(c *settings.Config)) {
		all = append(all, setting{name, g, set})
	}
	for i := range table.Table {
		row := &table.Table[i]
		if row.Conditionals || row.Still { // sweeps_test.go, still_test.go
			continue
		}
		for _, s := range row.Schemes {
			name := row.Name + " " + s.Name
			scheme := func(c *settings.Config) {
				c.Sampler, c.Scheme, c.Step = row.Name, s.Name, 0.05
			}
			if row.Space != "" {
				add(name, gammas(1, 2, 3), scheme)
				continue
			}
			add(name, rows, scheme)
			if row.Curved {
				add(name+" on curved spaces", bent, scheme)
			}
			if row.Metropolis {
				add(name+" that adapts", rows, func(c *settings.Config) { scheme(c); c.Step = 0 })
				continue
			}
			for _, o := range append(slices.Clone(batch.Orders), batch.Blocks) {
				add(fmt.Sprintf("%s by %s", name, o), rows, func(c *settings.Config) {
					scheme(c)
					c.Batch, c.FullBatch, c.BatchOrder, c.InnerSteps = 5, false, string(o), 2
				})
			}
			if row.Velocity {
				if s.Name == "split" { // a step is found for that one
					add(name+" with a pilot", rows, func(c *settings.Config) {
						scheme(c)
						c.Metric, c.Batch, c.FullBatch, c.Warmup, c.Step = "diag", 5, false, 300, 0
					})
				}
				add(name+" with fisher", rows, func(c *settings.Config) {
					scheme(c)
					c.Fisher, c.Batch, c.FullBatch, c.BatchOrder, c.Friction, c.Step = true, 5,
						false, "replace", 30, 0.01
				})
			}
		}
	}
	add("three samplers", newGaussian(variances(5), 2, 2, 1).withRows(23, 4),
		func(c *settings.Config) {
			c.Sampler, c.Step, c.Batch, c.FullBatch = "msgnht", 0.02, 5, false
			c.For("b").Sampler = "sghmc"
			c.For("c").Sampler = "psgld"
		})
	for _, s := range all {
		c := config("msgnht", "", 0.05)
		c.Chains, c.Warmup, c.Draws, c.Thin = 2, 37, 40, 3
		s.set(&c)
		run := func(stop int64) ([]health.Row, []byte) {
			var chains []*Chain
			for k := range c.Chains {
				ch, err := NewChain(s.g, c, k)
				if err != nil {
					t.Fatalf("%s: %v", s.name, err)
				}
				if stop >= 0 {
					mustSteps(t, ch, int(stop))
					state, err := ch.MarshalBinary()
					if err != nil {
						t.Fatal(err)
					}
					if ch, err = ResumeChain(s.g, c, k, state); err != nil {
						t.Fatalf("%s: %v", s.name, err)
					}
				}
				mustSteps(t, ch, int(c.Steps()-ch.Steps()))
				chains = append(chains, ch)
			}
			last, err := chains[0].MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			return append(Health(chains...), chains[1].Health()...), last
		}
		want, last := run(-1)
		if len(want) == 0 {
			t.Errorf("%s has no health", s.name)
		}
		for _, stop := range []int64{1, c.Warmup / 2, c.Warmup, c.Warmup + 50, c.Steps()} {
			got, state := run(stop)
			if !equalHealth(got, want) {
				t.Errorf("%s, interrupted at step %d: health is\n%+v, uninterrupted\n%+v", s.name,
					stop, got, want)
				break
			}
			if string(state) != string(last) {
				t.Errorf("%s, interrupted at step %d: the last checkpoint differs", s.name, stop)
				break
			}
		}
	}
}
