package optimize

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/loop"
)

// A Kind says which point of a chain one is.
type Kind int

const (
	// Best is the point with the best criterion of all checks.
	Best Kind = iota
	// Last is the last iterate.
	Last
	// Average is the mean of the last part of the iterates, coordinate by
	// coordinate of the state.
	Average
	// Iterate is one of the iterates that were asked for.
	Iterate
	// Check is the iterate of a check of the criterion, of runs with a Trace.
	Check
)

// Kinds names the points that are stored, in their order: all but those of checks.
var Kinds = []string{"best", "last", "average", "iterates"}

func (k Kind) String() string {
	if k == Check {
		return "check"
	}
	return Kinds[k]
}

// Stats describes a point.
type Stats struct {
	Step        int64   // steps taken to it; of an average those of the last iterate
	StepSize    float64 // of the last of them
	Temperature float64 // of the last of them
	// log density with all rows, in the model's coordinates; NaN of an iterate, and of rows that
	// are read as they are needed
	Objective float64
	HeldOut   float64 // mean log likelihood of a held-out row; NaN without any, and of an iterate
}

// A Sink takes what chains give. Each chain calls it from one goroutine, and
// several chains at once: a Sink must treat each chain separately, or lock.
type Sink interface {
	// Point takes a point of a chain: out is what Constrain wrote. Both are good
	// during the call only. Iterates and those of checks come as they are reached, the
	// others when the chain ends, in the order of the kinds, however it ends.
	Point(chain int, kind Kind, out []float64, stats *Stats) error
	// Progress says how far a chain is.
	Progress(p Progress)
	// Checkpoint takes the state of a chain, from which it goes on bit for bit.
	// state is good during the call only. Every iterate before it has been handed
	// to Point.
	Checkpoint(chain int, state []byte) error
}

// Progress of one chain.
type Progress struct {
	Chain       int
	Step, Steps int64
	Rows        int64         // of the minibatches since the chain started or resumed
	Taken       int64         // steps since then
	Elapsed     time.Duration // since then
	StepSize    float64
	Temperature float64
	LPEst       float64 // of the last step's minibatch; NaN before the first step
	Held        bool    // the criterion is of held-out data
	Criterion   float64 // of the last check; NaN before the first
	Best        float64 // the best of them, and its step
	BestStep    int64
	Done        bool
}

// Run runs all chains and returns them in order. Points do not depend on the
// number of threads. Errors are as of sampler.Run: the first one stops every
// chain; on cancellation of ctx every chain hands out a checkpoint. However a
// chain ends, its points so far are handed out.
func Run(
	ctx context.Context, t, held target.Target, cfg Config, sink Sink, o loop.Options,
) ([]*Chain, error) {
	cfg, err := cfg.Resolve(t, held)
	if err != nil {
		return nil, err
	}
	cfg.LocalOptions = cfg.LocalOptions.Shared(o.Threads, cfg.Chains)
	chains := make([]*Chain, cfg.Chains)
	for i := range chains {
		if state := o.State(i); state != nil {
			chains[i], err = ResumeChain(t, held, cfg, i, state)
		} else {
			chains[i], err = NewChain(t, held, cfg, i)
		}
		if err != nil {
			return nil, err
		}
	}
	return chains, loop.Each(ctx, len(chains), o,
		func(ctx context.Context, i int, o loop.Options) error {
			return chains[i].Run(ctx, sink, o)
		})
}

// Run takes the steps that are left of the chain.
func (c *Chain) Run(ctx context.Context, sink Sink, o loop.Options) error {
	target.Share(c.eval, o.Team)
	defer target.Share(c.eval, nil)
	p := loop.NewPacer(o)
	out := make([]float64, c.target.OutputLen())
	first, rows := c.step, int64(0)
	var state []byte
	progress := func(done bool) {
		m := Progress{Chain: c.number, Step: c.step, Steps: c.cfg.Steps, Rows: rows,
			Taken: c.step - first, Elapsed: p.Elapsed(),
			StepSize:    c.schedule.At(max(c.step-1, 0)),
			Temperature: c.temperatureAt(max(c.step-1, 0)), LPEst: math.NaN(),
			Held:      c.judge.held != nil,
			Criterion: c.judge.last, Done: done}
		_, m.Best, m.BestStep = c.Best()
		if c.step > first {
			m.LPEst = c.eval.LogDensity(c.Position(), c.rows, c.scale, 0)
		}
		sink.Progress(m)
	}
	checkpoint := func() error {
		state = c.AppendBinary(state[:0])
		if err := sink.Checkpoint(c.number, state); err != nil {
			return fmt.Errorf("chain %d: checkpoint: %w", c.number, err)
		}
		return nil
	}
	for !c.Done() {
		if p.Due() {
			if err := ctx.Err(); err != nil {
				progress(false)
				if failed := checkpoint(); failed != nil {
					return failed
				}
				if failed := c.hand(sink, out); failed != nil {
					return failed
				}
				return err
			}
			if p.Progress() {
				progress(false)
			}
			if p.Checkpoint() {
				if err := checkpoint(); err != nil {
					return err
				}
			}
		}
		if err := c.Step(); err != nil {
			if unread(err) {
				progress(false)
				if failed := checkpoint(); failed != nil {
					return failed
				}
				if failed := c.hand(sink, out); failed != nil {
					return failed
				}
				return err
			}
			if c.judge.bestAt >= 0 { // what there is of it is kept
				if failed := c.point(sink, Best, out); failed != nil {
					return failed
				}
			}
			return err
		}
		rows += int64(c.batchSize())
		if c.iterate() {
			if err := c.point(sink, Iterate, out); err != nil {
				return err
			}
		}
		if c.cfg.Trace && c.checks() {
			if err := c.point(sink, Check, out); err != nil {
				return err
			}
		}
	}
	if c.judge.bestAt < 0 { // the criterion was never a number
		c.judge.bestAt = c.step
		copy(c.judge.best, c.Position())
	}
	p.Look()
	progress(true)
	if err := checkpoint(); err != nil {
		return err
	}
	return c.hand(sink, out)
}

// batchSize is the number of rows of the last step.
func (c *Chain) batchSize() int {
	if c.batches != nil {
		return len(c.rows)
	}
	return c.target.Rows()
}

// iterate reports whether the last step's point is one of the iterates that were asked for: they
// are evenly spread over the last part of the steps, and end with the last one.
func (c *Chain) iterate() bool {
	n, span := c.cfg.Iterates, c.averagedSteps()
	into := c.step - (c.cfg.Steps - span)
	return n > 0 && into > 0 && into*n/span > (into-1)*n/span
}

// hand gives the sink the chain's points.
func (c *Chain) hand(sink Sink, out []float64) error {
	if c.judge.bestAt < 0 {
		return nil
	}
	for _, k := range []Kind{Best, Last, Average} {
		if err := c.point(sink, k, out); err != nil {
			return err
		}
	}
	return nil
}

func (c *Chain) point(sink Sink, k Kind, out []float64) error {
	x, s := c.Position(), &c.stats
	s.Step = c.step
	switch k {
	case Best:
		x, s.Step = c.judge.best, c.judge.bestAt
	case Average:
		x = c.Average()
	}
	s.StepSize, s.Temperature = c.schedule.At(max(s.Step-1, 0)), c.temperatureAt(max(s.Step-1, 0))
	s.Objective, s.HeldOut = math.NaN(), math.NaN()
	switch {
	case k == Check && c.judge.held != nil:
		s.Objective, s.HeldOut = c.Objective(x), c.judge.last
	case k == Check:
		s.Objective = c.judge.last
	case k != Iterate:
		s.Objective, s.HeldOut = c.Objective(x), c.HeldOut(x)
	}
	c.eval.Constrain(x, out)
	if err := sink.Point(c.number, k, out, s); err != nil {
		return fmt.Errorf("chain %d, point %s: %w", c.number, k, err)
	}
	return nil
}
