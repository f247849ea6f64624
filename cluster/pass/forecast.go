package pass

import (
	"context"

	"github.com/sgppl/sgppl/internal/cputime"
	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/surrogate"
	"github.com/sgppl/sgppl/runtime/infer/tall"
	"github.com/sgppl/sgppl/runtime/infer/tall/whitening"
)

// A Cost is what a kind of pass takes: how many times it is done, and the seconds of a
// processor of each time.
type Cost struct {
	Kind  string
	Times int
	CPU   float64
}

// A Plan is what a forecast has to know of a run.
type Plan struct {
	Draws  int  // of all chains, at which the likelihood of all rows is computed
	Rounds int  // of corrections
	Takes  bool // rows as they are
}

const (
	// anchors is how many times an anchor moves, mostly.
	anchors = 3
	// trialRows and trialStates is how much is computed to see how long it takes.
	trialRows   = 20000
	trialStates = 8
)

// Forecast says which passes a run takes and how long they may be, by the first shard. read is
// how long its rows took to be read.
func Forecast(
	ctx context.Context, e *Env, c *Choice, p Plan, read float64,
) ([]Cost, error) {
	all := float64(e.Run.Manifest.Bytes()) / float64(max(e.Run.Manifest.Shards[0].Size, 1))
	if c.Method == Statistics {
		began := cputime.Now()
		if c.Tables {
			c.First.EqualRows()
			return []Cost{{"distinct", 1, all * (read + (cputime.Now() - began).Seconds())}}, nil
		}
		if _, err := c.First.FoldRows(); err != nil {
			return nil, err
		}
		return []Cost{{"statistics", 1, all * (read + (cputime.Now() - began).Seconds())}}, nil
	}
	m := c.First
	trial, scale := target.Target(m), 1.0
	if n := m.Rows(); n > trialRows {
		rows := make([]int, trialRows)
		for i := range rows {
			rows[i] = i * (n / trialRows)
		}
		compiled, err := e.Compiled()
		if err != nil {
			return nil, err
		}
		some, err := joined(compiled, c.Rest, &Settled{Dims: foundIn(compiled, c.Rest).Dims},
			[]map[string]*array.Value{rowsOf(compiled, c.Rest, rows)})
		if err != nil {
			return nil, err
		}
		if trial, err = compiled.VM(some, nil); err != nil {
			return nil, err
		}
		scale = float64(n) / trialRows
	}
	times, err := tried(ctx, trial)
	if err != nil {
		return nil, err
	}
	out := []Cost{{"pilot", 1, all * read},
		{"gradient", anchors, all * (read + scale*times.gradient)}}
	if p.Takes {
		out = append(out, Cost{"leverage", 1, all * (read + scale*times.leverage)})
	}
	checks := 1
	if p.Rounds > 0 {
		checks = 2 + p.Rounds
	}
	return append(out, Cost{"check", checks, all * (read + scale*times.state*float64(p.Draws))}), nil
}

// trials are seconds of a processor.
type trials struct{ gradient, leverage, state float64 }

// tried measures what passes compute over the rows of a target.
func tried(ctx context.Context, t target.Target) (out trials, err error) {
	sums, err := tall.NewSums(t, loop.Options{Threads: 1})
	if err != nil {
		return out, err
	}
	d := t.Dim()
	a, sds := make([]float64, d), make([]float64, d)
	for i := range sds {
		sds[i] = 1
	}
	began := cputime.Now()
	lap := func(err error) (float64, error) {
		now := cputime.Now()
		took := (now - began).Seconds()
		began = now
		return took, err
	}
	if _, err = surrogate.Expand(ctx, sums, t.Rows(), a, sds); err != nil {
		return out, err
	}
	if out.gradient, err = lap(err); err != nil {
		return out, err
	}
	white := whitening.New(a, false)
	if out.leverage, err = lap(surrogate.Leverages(ctx, sums, a, white, 1,
		make([]float64, t.Rows()))); err != nil {
		return out, err
	}
	states := make([][]float64, trialStates)
	for i := range states {
		states[i] = a
	}
	out.state, err = lap(surrogate.LogLik(ctx, sums, states, make([]float64, trialStates)))
	out.state /= trialStates
	return out, err
}
