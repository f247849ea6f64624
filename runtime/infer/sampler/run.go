package sampler

import (
	"context"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/sgppl/sgppl/runtime/base/team"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/sampler/health"
	"github.com/sgppl/sgppl/runtime/infer/sampler/settings"
)

// A Sink receives the draws, progress and checkpoints of chains. Each chain calls it from one
// goroutine, and chains call it at the same time: a Sink must keep chains separate or use a lock.
type Sink interface {
	// Draw receives a draw of a chain; index is its number. out was written by Constrain, stats
	// describes the state; both are valid during the call only. States of the warm-up, if requested,
	// have indices of their own that start from 0.
	Draw(chain int, index int64, out []float64, stats *Stats) error
	// Progress reports how far a chain has come.
	Progress(p Progress)
	// Checkpoint receives the state of a chain, from which the chain can be continued with the same
	// bits. state is valid during the call only. All draws before the checkpoint have been passed to
	// Draw.
	Checkpoint(chain int, state []byte) error
}

// A StateSink is a Sink that takes the state of a chain as it is written. The states of many
// coordinates are large, and need not be in memory twice then.
type StateSink interface {
	Sink
	// CheckpointOf is called in the place of Checkpoint. write writes the state, of size bytes, and
	// is valid during the call only, or, after a Progress that says Done, from then on.
	CheckpointOf(chain, size int, write func(w io.Writer) error) error
}

// Progress describes how far a chain has come.
type Progress struct {
	Chain       int
	Step, Steps int64
	Draws       int64
	Rows        int64         // in minibatches since the chain started or was resumed
	Taken       int64         // steps since then
	Known       int64         // for --follow, the number of rows that the chain takes into account
	Elapsed     time.Duration // since then
	StepSize    float64
	LPEst       float64      // by the last step's minibatch; NaN before the first step
	Health      []health.Row // so far; empty in the warm-up
	Done        bool
}

// RunOptions has the options of a run that draws do not depend on.
type RunOptions = loop.Options

// Run runs all chains and returns them in order, for their Health; chains that o.Only leaves out
// are nil. Draws do not depend on the number of threads. The first error stops every chain; if
// several chains fail, it returns the error of the lowest chain. If ctx is cancelled, every chain
// hands out a checkpoint, and the error is that of ctx.
func Run(
	ctx context.Context, t target.Target, c settings.Config, sink Sink, o RunOptions,
) ([]*Chain, error) {
	c, err := c.Resolve(t)
	if err != nil {
		return nil, err
	}
	c.LocalOptions = c.LocalOptions.Shared(o.Threads, c.Chains)
	chains := make([]*Chain, c.Chains)
	var run []*Chain
	for i := range chains {
		if !o.Takes(i) {
			continue
		}
		if state := o.State(i); state != nil {
			chains[i], err = ResumeChain(t, c, i, state)
		} else {
			chains[i], err = NewChain(t, c, i)
		}
		if err != nil {
			return nil, err
		}
		run = append(run, chains[i])
	}
	return chains, loop.Each(ctx, len(run), o,
		func(ctx context.Context, i int, o RunOptions) error { return run[i].Run(ctx, sink, o) })
}

// Run takes the remaining steps of the run. It passes draws to the sink as they come, and a
// checkpoint at intervals, at the end and on cancellation.
func (c *Chain) Run(ctx context.Context, sink Sink, o RunOptions) error {
	c.share(o.Team)
	defer c.share(nil)
	p := loop.NewPacer(o)
	out, borrowed := c.room()
	first := c.step
	var state []byte
	rows := int64(0)
	progress := func(done bool) {
		m := Progress{Chain: c.number, Step: c.step, Steps: c.cfg.Steps(), Draws: c.Draws(),
			Rows: rows, Taken: c.step - first,
			Elapsed: p.Elapsed(), StepSize: c.lastStepSize(), LPEst: math.NaN(), Health: c.Health(),
			Done: done}
		if c.cfg.Follow {
			m.Known = c.growth.rows
		}
		if c.step > first {
			m.LPEst = c.lpEst()
		}
		sink.Progress(m)
	}
	checkpoint := func() error {
		var err error
		if s, writes := sink.(StateSink); writes {
			err = s.CheckpointOf(c.number, c.binarySize(), c.writeBinary)
		} else if state, err = c.AppendBinary(state[:0]); err == nil {
			err = sink.Checkpoint(c.number, state)
		}
		if err != nil {
			return fmt.Errorf("chain %d: checkpoint: %w", c.number, err)
		}
		return nil
	}
	for !c.Done() {
		if p.Due() {
			if err := ctx.Err(); err != nil {
				if failed := c.settle(); failed != nil {
					return failed
				}
				progress(false)
				if failed := checkpoint(); failed != nil {
					return failed
				}
				return err
			}
			show, keep := p.Progress(), p.Checkpoint()
			if show || keep {
				if err := c.settle(); err != nil {
					return err
				}
			}
			if show {
				progress(false)
			}
			if keep {
				if err := checkpoint(); err != nil {
					return err
				}
			}
		}
		if n := min(p.Free(), c.silentSteps(), c.quiet()); n > 0 {
			read, err := c.hurry(n)
			if err != nil {
				return err
			}
			rows += read
			p.Skip(n - 1)
			continue
		}
		if err := c.move(!c.hands(c.step+1) && c.step+1 < c.cfg.Steps()); err != nil {
			if unread(err) {
				if failed := c.settle(); failed != nil {
					return failed
				}
				progress(false)
				if failed := checkpoint(); failed != nil {
					return failed
				}
			}
			return err
		}
		rows += int64(c.batchSize())
		err := c.hand(sink, out)
		if borrowed && c.hands(c.step) {
			c.state.Single.Publish()
		}
		if err != nil {
			return err
		}
	}
	p.Look()
	progress(true)
	return checkpoint()
}

// share sets the team that shares the chain's heavy steps; nil: there is none.
func (c *Chain) share(t *team.Team) {
	target.Share(c.made, t)
	c.state.Share(t)
}

// hands reports whether the state after this many steps is passed to the sink.
func (c *Chain) hands(step int64) bool {
	after := step - c.cfg.Warmup
	return after > 0 && after%c.cfg.Thin == 0 ||
		after <= 0 && c.cfg.SaveWarmup && step%c.cfg.Thin == 0
}

// silentSteps returns how many steps come after none of which the sink gets the state, and of which
// none is the last.
func (c *Chain) silentSteps() int64 {
	n := c.cfg.Steps() - c.step - 1
	after := c.step - c.cfg.Warmup
	switch {
	case after >= 0:
		n = min(n, c.cfg.Thin-1-after%c.cfg.Thin)
	case c.cfg.SaveWarmup:
		n = min(n, c.cfg.Thin-1-c.step%c.cfg.Thin, -after)
	default:
		n = min(n, c.cfg.Thin-1-after)
	}
	return n
}

// room returns memory for a draw. For a state in single precision, it may borrow an array in which
// the state can be seen in double precision.
func (c *Chain) room() (out []float64, borrowed bool) {
	n := c.target.OutputLen()
	if c.single != nil && n == len(c.state.Xi) {
		return c.state.Xi, true
	}
	return make([]float64, n), false
}

// hand passes the draw that the last step completed to the sink, if there is one.
func (c *Chain) hand(sink Sink, out []float64) error {
	if !c.hands(c.step) {
		return nil
	}
	index := (c.step-c.cfg.Warmup)/c.cfg.Thin - 1
	if c.step <= c.cfg.Warmup {
		index = c.step/c.cfg.Thin - 1
	}
	stats := &c.stats
	if c.single != nil { // out may be of the state, of which they tell
		c.Stats()
		c.Constrain(out)
	} else {
		c.Constrain(out)
		c.Stats()
	}
	if err := sink.Draw(c.number, index, out, stats); err != nil {
		return fmt.Errorf("chain %d, draw %d: %w", c.number, index, err)
	}
	return nil
}
