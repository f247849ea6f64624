package noisebench

import (
	"context"
	"time"

	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/infer/tall"
)

// autoESS is the least effective sample size of runs without settings.
const autoESS = 4000

// one has chains run one after the other: evaluators of some posteriors share memory.
var one = loop.Options{Threads: 1}

// Auto runs a case without settings, as `sgppl sample` does: by full passes, as its rows
// are few, or, with minibatches, on minibatches with an anchor.
func (c *Case) Auto(ctx context.Context, minibatches bool) Run {
	out := Run{Case: c.Name, Order: "auto"}
	cfg := sampler.DefaultConfig()
	cfg.Anchor, cfg.TargetESS, cfg.MaxBias = "auto", autoESS, 0.1
	d := &sampler.Draws{Outputs: c.Target.Outputs(), Width: c.Target.OutputLen(),
		Chains: make([][]float64, cfg.Chains)}
	if !minibatches {
		full, err := cfg.FullPasses().Resolve(c.Target)
		if err == nil {
			out.Sampler = full.Sampler
			d, err = sampler.Collect(ctx, c.Target, full, one)
		}
		if err != nil {
			out.Refused = err
			return out
		}
		c.judge(&out, c.squares(d))
		out.take(d.Health)
		return out
	}
	out.Sampler = "minibatches, anchor"
	set := tall.Settings{Seed: 1, Chains: cfg.Chains, TargetESS: autoESS, Anyway: true}
	s, err := tall.Prepare(ctx, c.Target, set, one)
	for err == nil {
		for k := range d.Chains {
			d.Chains[k] = nil
		}
		var r *tall.Run
		if r, err = tall.NewRun(c.Target, s, set); err != nil {
			break
		}
		_, err = r.Go(ctx, (*kept)(d), one, time.Time{})
		switch s.Plan.Next(err, false, false) {
		case tall.Anew:
			s, err = s.Refined(err), nil
			continue
		case tall.Stays:
			err = nil
		}
		if err == nil {
			c.judge(&out, c.squares(d))
			out.take(r.Health(r.Report(), func(int) string { return "x" }))
			return out
		}
	}
	out.Refused = err
	return out
}

// squares are means of squares of the quantities, in units of the variance, of 32 batches
// of each chain.
func (c *Case) squares(d *sampler.Draws) [][]float64 {
	const batches = 32
	seen := make([][]float64, len(c.Quantities))
	for q := range c.Quantities {
		w := &c.Quantities[q]
		for chain := range d.Chains {
			n := d.Len(chain)
			for b := range batches {
				mean, from, to := 0.0, b*n/batches, (b+1)*n/batches
				for i := from; i < to; i++ {
					z := (w.Of(d.Draw(chain, i)) - w.Mean) / w.SD
					mean += z * z / float64(to-from)
				}
				seen[q] = append(seen[q], mean)
			}
		}
	}
	return seen
}

// kept is a sink that keeps all draws.
type kept sampler.Draws

func (d *kept) Draw(chain int, _ int64, out []float64, _ *sampler.Stats) error {
	d.Chains[chain] = append(d.Chains[chain], out...)
	return nil
}
func (*kept) Progress(sampler.Progress)    {}
func (*kept) Checkpoint(int, []byte) error { return nil }
func (*kept) Reserve(int64) error          { return nil }
