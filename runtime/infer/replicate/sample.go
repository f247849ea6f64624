// Package replicate samples many posteriors of one model, a data set each, and keeps of each a
// fixed number of draws that are as good as independent: the work of simulation-based calibration.
// It runs in process, and as the main program of a model that was built as a separate binary.
package replicate

import (
	"context"
	"math"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/results/diagnose"
)

// Work says how a posterior is sampled.
type Work struct {
	Config sampler.Config `json:"config"` // resolved; chain 0 of it is run
	Keep   int            `json:"keep"`   // draws to be kept
	Most   int            `json:"most"`   // the chain ends after Most·Keep draws
}

// Kept are the draws of one posterior.
type Kept struct {
	States      [][]float64 `json:"states"`
	Iterations  int64       `json:"iterations"` // after the warm-up
	ESS         float64     `json:"ess"`        // the least of all quantities
	Divergences int         `json:"divergences"`
	Short       bool        `json:"short"` // the effective sample size asked for was not reached
}

// look is how many steps are taken between looks at the context.
const look = 16

// Sample runs a chain until the bulk effective sample size of every value and
// track, and of the log density, is twice the draws to be kept, and keeps draws at even
// distances: of an autoregressive series they then have a correlation of e^−4.
func Sample(ctx context.Context, t target.Target, w Work) (*Kept, error) {
	chain, err := sampler.NewChain(t, w.Config, 0)
	if err != nil {
		return nil, err
	}
	c := &collector{eval: t.NewEvaluator(1), chain: chain, out: make([]float64, t.OutputLen()),
		series: make([][]float64, t.OutputLen()+1)}
	kept := &Kept{}
	need := float64(2 * w.Keep)
	for n := 4; ; {
		if err := c.until(ctx, n*w.Keep, &w.Config, kept); err != nil {
			return nil, err
		}
		kept.ESS = c.ess()
		if kept.ESS >= need {
			break
		}
		if n >= w.Most {
			kept.Short = true
			break
		}
		n = min(w.Most, int(math.Ceil(float64(n)*max(1.3, 1.1*need/max(kept.ESS, 1)))))
	}
	kept.Iterations = chain.Steps() - w.Config.Warmup
	every := len(c.states) / w.Keep
	for k := range w.Keep {
		kept.States = append(kept.States, c.states[(k+1)*every-1])
	}
	return kept, nil
}

// A collector keeps the draws of a chain.
type collector struct {
	eval   target.Evaluator
	chain  *sampler.Chain
	out    []float64
	states [][]float64
	series [][]float64 // by quantity
	space  diagnose.Workspace
}

// until runs the chain until it has given n draws.
func (c *collector) until(ctx context.Context, n int, cfg *sampler.Config, k *Kept) error {
	for len(c.states) < n {
		if c.chain.Steps()%look == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		if err := c.chain.Step(); err != nil {
			return err
		}
		after := c.chain.Steps() - cfg.Warmup
		if after <= 0 {
			continue
		}
		if c.chain.Stats().Diverging {
			k.Divergences++
		}
		if after%cfg.Thin != 0 {
			continue
		}
		x := append([]float64(nil), c.chain.Position()...)
		c.states = append(c.states, x)
		c.eval.Constrain(x, c.out)
		for q, v := range c.out {
			c.series[q] = append(c.series[q], v)
		}
		last := len(c.out)
		c.series[last] = append(c.series[last], c.eval.LogDensity(x, nil, 1, 0))
	}
	return nil
}

// ess is the least bulk effective sample size; of what is constant there is none.
func (c *collector) ess() float64 {
	least := math.Inf(1)
	for _, s := range c.series {
		if e := c.space.ESSBulk([][]float64{s}); e < least {
			least = e
		}
	}
	return min(least, float64(len(c.states)*10))
}
