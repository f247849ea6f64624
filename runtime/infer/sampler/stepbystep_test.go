package sampler

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"testing"
	"time"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/sampler/settings"
	"github.com/sgppl/sgppl/runtime/infer/sampler/table"
)

// An eventLog is a Sink that has all that it was given, in order.
type eventLog []string

func (l *eventLog) Draw(chain int, index int64, out []float64, stats *Stats) error {
	*l = append(*l, fmt.Sprint("draw ", chain, index, out, *stats))
	return nil
}

func (l *eventLog) Progress(p Progress) { *l = append(*l, fmt.Sprintf("progress %+v", p)) }

func (l *eventLog) Checkpoint(chain int, state []byte) error {
	*l = append(*l, fmt.Sprint("checkpoint ", chain, crc32.ChecksumIEEE(state)))
	return nil
}

// stepByStep is what Run does, by single steps.
func stepByStep(ctx context.Context, c *Chain, sink Sink, o RunOptions) error {
	p := loop.NewPacer(o)
	first, rows := c.step, int64(0)
	out := make([]float64, c.target.OutputLen())
	progress := func(done bool) {
		m := Progress{Chain: c.number, Step: c.step, Steps: c.cfg.Steps(), Draws: c.Draws(),
			Rows: rows, Taken: c.step - first, Elapsed: p.Elapsed(), StepSize: c.lastStepSize(),
			LPEst: math.NaN(), Health: c.Health(), Done: done}
		if c.step > first {
			m.LPEst = c.lpEst()
		}
		sink.Progress(m)
	}
	checkpoint := func() error {
		state, err := c.MarshalBinary()
		if err != nil {
			return err
		}
		return sink.Checkpoint(c.number, state)
	}
	for !c.Done() {
		if p.Due() {
			if err := ctx.Err(); err != nil {
				progress(false)
				return errors.Join(checkpoint(), err)
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
			return err
		}
		rows += int64(c.batchSize())
		if err := c.hand(sink, out); err != nil {
			return err
		}
	}
	p.Look()
	progress(true)
	return checkpoint()
}

// TestRunStepByStep: a run hands out what single steps do, in the same order, at the same steps:
// draws, progress, checkpoints, what a cancellation leaves, the error of a step that is too large.
func TestRunStepByStep(t *testing.T) {
	runStepByStep(t, newGaussian(variances(5), 2, 3).withRows(23, 4))
}

func runStepByStep(t *testing.T, g target.Target) {
	eachSampler(func(row *table.Row, scheme string) {
		c := config(row.Name, scheme, 0.05)
		c.FullBatch, c.Batch = false, 5
		for i, thin := range []int64{1, 2, 7, 50, 900} {
			c.Thin, c.Draws, c.Warmup = thin, 25000/thin, []int64{1, 33, 900}[i%3]
			c.SaveWarmup, c.LogDensityEstimate = i%2 == 1, i%2 == 0
			if row.Metropolis || testing.Short() {
				c.Draws = 2600 / thin
			}
			sameRuns(t, g, c, fmt.Sprint(row.Name, " ", scheme, ", thin ", thin))
		}
		c.Thin, c.Step = 500, 40
		sameRuns(t, g, c, fmt.Sprint(row.Name, " ", scheme, ", a step that is too large"))
	})
}

// sameRuns holds runs by Run to those by single steps, whether they are cancelled or not.
func sameRuns(t *testing.T, g target.Target, c settings.Config, what string) {
	t.Helper()
	for _, o := range []struct {
		clock  bool
		cancel int64 // the step after which the run is cancelled; 0: it is not
	}{{true, 0}, {true, 700}, {false, 0}, {false, 1}} {
		type runner func(context.Context, *Chain, Sink, RunOptions) error
		one := func(run runner) (eventLog, []int64, error) {
			var l eventLog
			var looks []int64
			ch := mustChain(t, g, c, 0)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if !o.clock {
				if o.cancel > 0 {
					cancel()
				}
				err := run(ctx, ch, &l, RunOptions{})
				return l, nil, err
			}
			err := run(ctx, ch, &l, RunOptions{
				Now: func() time.Time { // a step takes 20 µs, which Run cannot know
					looks = append(looks, ch.step)
					if o.cancel > 0 && ch.step >= o.cancel {
						cancel()
					}
					return time.Unix(0, 0).Add(time.Duration(ch.step) * 20 * time.Microsecond)
				},
				ProgressEvery: 40 * time.Millisecond, CheckpointEvery: 65 * time.Millisecond})
			return l, looks, err
		}
		want, wantLooks, wantErr := one(stepByStep)
		got, looks, err := one(func(ctx context.Context, ch *Chain, s Sink, o RunOptions) error {
			return ch.Run(ctx, s, o)
		})
		if fmt.Sprint(err) != fmt.Sprint(wantErr) {
			t.Fatalf("%s, %+v: the error is %v, want %v", what, o, err, wantErr)
		}
		if len(got) != len(want) {
			t.Fatalf("%s, %+v: %d events, want %d", what, o, len(got), len(want))
		}
		for i, e := range want {
			if got[i] != e {
				t.Fatalf("%s, %+v: event %d is\n%s\nwant\n%s", what, o, i, got[i], e)
			}
		}
		if fmt.Sprint(looks) != fmt.Sprint(wantLooks) {
			t.Fatalf("%s, %+v: looks at steps %v, want %v", what, o, looks, wantLooks)
		}
		for i := 1; i < len(looks); i++ { // so a cancellation waits for 10 ms at most
			if n := looks[i] - looks[i-1]; n > 512 {
				t.Fatalf("%s, %+v: %d steps without a look around", what, o, n)
			}
		}
	}
}
