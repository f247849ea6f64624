package sampler

import (
	"context"
	"iter"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler/health"
	"github.com/sgppl/sgppl/runtime/infer/sampler/settings"
)

// Draws holds the draws of a run in memory.
type Draws struct {
	Outputs []target.Output
	// Width is the length of a draw, the sum of the outputs' lengths.
	Width int
	// Chains has the draws of each chain, one after the other: draw i is
	// Chains[k][i*Width : (i+1)*Width].
	Chains [][]float64
	Health []health.Row
}

// Draw returns draw i of chain k, laid out as Outputs says.
func (d *Draws) Draw(k, i int) []float64 {
	return d.Chains[k][i*d.Width : (i+1)*d.Width : (i+1)*d.Width]
}

// Len returns the number of draws of chain k.
func (d *Draws) Len(k int) int {
	if d.Width == 0 {
		return 0
	}
	return len(d.Chains[k]) / d.Width
}

// Collect runs all chains and keeps their draws in memory. If the run stops early, it returns the
// draws so far with the error. States of the warm-up are left out.
func Collect(
	ctx context.Context, t target.Target, c settings.Config, o RunOptions,
) (*Draws, error) {
	d := &Draws{Outputs: t.Outputs(), Width: t.OutputLen()}
	c.SaveWarmup = false
	c, err := c.Resolve(t)
	if err != nil {
		return nil, err
	}
	d.Chains = make([][]float64, c.Chains)
	chains, err := Run(ctx, t, c, (*collector)(d), o)
	d.Health = Health(chains...)
	return d, err
}

// A collector appends each chain's draws to a slice of that chain, so that chains need no lock.
type collector Draws

func (d *collector) Draw(chain int, _ int64, out []float64, _ *Stats) error {
	d.Chains[chain] = append(d.Chains[chain], out...)
	return nil
}
func (*collector) Progress(Progress)            {}
func (*collector) Checkpoint(int, []byte) error { return nil }

// All takes the remaining steps of the chain and yields its draws; each draw is valid until the
// next. It ends after the last draw, at an error, or when ctx is done; an error is yielded with a
// nil draw.
func (c *Chain) All(ctx context.Context) iter.Seq2[[]float64, error] {
	return func(yield func([]float64, error) bool) {
		out := make([]float64, c.target.OutputLen())
		for !c.Done() {
			if err := ctx.Err(); err != nil {
				yield(nil, err)
				return
			}
			if err := c.Step(); err != nil {
				yield(nil, err)
				return
			}
			if after := c.step - c.cfg.Warmup; after > 0 && after%c.cfg.Thin == 0 {
				c.Constrain(out)
				if !yield(out, nil) {
					return
				}
			}
		}
	}
}
