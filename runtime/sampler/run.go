package sampler

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"sync"
	"time"

	"github.com/sgppl/sgppl/runtime/target"
)

// A Sink takes what chains give. Each chain calls it from one goroutine, and
// several chains at once: a Sink must keep chains apart or lock.
type Sink interface {
	// Draw takes draw index of a chain: out is what Constrain wrote, stats
	// describes the state; both are good during the call only. States of the
	// warm-up, handed out on request, count for themselves from 0.
	Draw(chain int, index int64, out []float64, stats *Stats) error
	// Progress says how far a chain is.
	Progress(p Progress)
	// Checkpoint takes the state of a chain, from which it goes on bit for bit.
	// state is good during the call only. Every draw before it has been handed
	// to Draw.
	Checkpoint(chain int, state []byte) error
}

// Progress of one chain.
type Progress struct {
	Chain       int
	Step, Steps int64
	Draws       int64
	Rows        int64         // of the minibatches since the chain started or resumed
	Taken       int64         // steps since then
	Elapsed     time.Duration // since then
	StepSize    float64
	LPEst       float64     // of the last step's minibatch; NaN before the first step
	Health      []HealthRow // so far; none in warm-up
	Done        bool
}

// RunOptions are what draws do not depend on.
type RunOptions struct {
	Threads int // chains at once; 0: as many as there are processors
	// Now is the clock for progress and checkpoints; nil: neither, except at
	// the end of a chain and on cancellation.
	Now             func() time.Time
	ProgressEvery   time.Duration // 0: only at the end
	CheckpointEvery time.Duration // 0: only at the end
	// Resume has a checkpoint for each chain, nil for one that is to start.
	Resume [][]byte
}

// Run runs all chains and returns them in order, for their Health. Draws do
// not depend on the number of threads. The first error stops every chain;
// of several, that of the lowest chain is returned. On cancellation of ctx
// every chain hands out a checkpoint and the error is that of ctx.
func Run(ctx context.Context, t target.Target, c Config, sink Sink, o RunOptions) ([]*Chain, error) {
	c, err := c.Resolve(t)
	if err != nil {
		return nil, err
	}
	chains := make([]*Chain, c.Chains)
	for i := range chains {
		if i < len(o.Resume) && o.Resume[i] != nil {
			chains[i], err = ResumeChain(t, c, i, o.Resume[i])
		} else {
			chains[i], err = NewChain(t, c, i)
		}
		if err != nil {
			return nil, err
		}
	}
	threads := o.Threads
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	errs := make([]error, len(chains))
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(threads, len(chains)) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range next {
				if errs[i] = chains[i].Run(inner, sink, o); errs[i] != nil {
					cancel()
				}
			}
		}()
	}
	for i := range chains {
		next <- i
	}
	close(next)
	wg.Wait()
	return chains, firstError(errs)
}

// firstError prefers a failure to the cancellations that it caused.
func firstError(errs []error) error {
	var cancelled error
	for _, err := range errs {
		switch {
		case err == nil:
		case errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded):
			cancelled = err
		default:
			return err
		}
	}
	return cancelled
}

// Run takes the steps that are left of the run. It hands draws to the sink as
// they come, a checkpoint at intervals, at the end and on cancellation.
func (c *Chain) Run(ctx context.Context, sink Sink, o RunOptions) error {
	p := newPacer(o)
	out := make([]float64, c.target.OutputLen())
	first := c.step
	var state []byte
	rows := int64(0)
	progress := func(done bool) {
		m := Progress{Chain: c.number, Step: c.step, Steps: c.cfg.Steps(), Draws: c.Draws(), Rows: rows, Taken: c.step - first,
			Elapsed: p.elapsed(), StepSize: c.lastStepSize(), LPEst: math.NaN(), Health: c.Health(), Done: done}
		if c.step > first {
			m.LPEst = c.lpEst()
		}
		sink.Progress(m)
	}
	checkpoint := func() error {
		var err error
		if state, err = c.AppendBinary(state[:0]); err != nil {
			return err
		}
		if err := sink.Checkpoint(c.number, state); err != nil {
			return fmt.Errorf("chain %d: checkpoint: %w", c.number, err)
		}
		return nil
	}
	for !c.Done() {
		if p.due() {
			if err := ctx.Err(); err != nil {
				progress(false)
				if failed := checkpoint(); failed != nil {
					return failed
				}
				return err
			}
			if p.progress() {
				progress(false)
			}
			if p.checkpoint() {
				if err := checkpoint(); err != nil {
					return err
				}
			}
		}
		if err := c.Step(); err != nil {
			return err
		}
		rows += int64(c.batchSize())
		if err := c.hand(sink, out); err != nil {
			return err
		}
	}
	p.look()
	progress(true)
	return checkpoint()
}

// hand gives the sink the draw that the last step completed, if it did.
func (c *Chain) hand(sink Sink, out []float64) error {
	after := c.step - c.cfg.Warmup
	index := after/c.cfg.Thin - 1
	switch {
	case after > 0 && after%c.cfg.Thin == 0:
	case after <= 0 && c.cfg.SaveWarmup && c.step%c.cfg.Thin == 0:
		index = c.step/c.cfg.Thin - 1
	default:
		return nil
	}
	c.Constrain(out)
	if err := sink.Draw(c.number, index, out, c.Stats()); err != nil {
		return fmt.Errorf("chain %d, draw %d: %w", c.number, index, err)
	}
	return nil
}

// A pacer looks at the clock and the context only every so many steps, about
// every few milliseconds, so that neither costs a fast loop anything.
type pacer struct {
	o                            RunOptions
	every, count                 int64
	start, last, shown, recorded time.Time
}

func newPacer(o RunOptions) *pacer {
	p := &pacer{o: o, every: 1}
	if o.Now != nil {
		p.start = o.Now()
		p.last, p.shown, p.recorded = p.start, p.start, p.start
	}
	return p
}

// due says whether to look around before the next step.
func (p *pacer) due() bool {
	if p.count++; p.count < p.every {
		return false
	}
	p.count = 0
	if p.o.Now == nil {
		p.every = 16
		return true
	}
	now := p.o.Now()
	switch d := now.Sub(p.last); {
	case d < 5*time.Millisecond:
		p.every = min(2*p.every, 1<<20)
	case d > 50*time.Millisecond:
		p.every = max(p.every/4, 1)
	}
	p.last = now
	return true
}

func (p *pacer) progress() bool {
	if p.o.Now == nil || p.o.ProgressEvery <= 0 || p.last.Sub(p.shown) < p.o.ProgressEvery {
		return false
	}
	p.shown = p.last
	return true
}

func (p *pacer) checkpoint() bool {
	if p.o.Now == nil || p.o.CheckpointEvery <= 0 || p.last.Sub(p.recorded) < p.o.CheckpointEvery {
		return false
	}
	p.recorded = p.last
	return true
}

// elapsed is the time from the start to the last look at the clock.
func (p *pacer) elapsed() time.Duration { return p.last.Sub(p.start) }

// look reads the clock once more, for the last message.
func (p *pacer) look() {
	if p.o.Now != nil {
		p.last = p.o.Now()
	}
}
