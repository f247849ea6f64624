package pass

import (
	"context"
	"fmt"
	"math"

	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/engine/worker"
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/surrogate"
	"github.com/sgppl/sgppl/runtime/infer/tall"
	"github.com/sgppl/sgppl/runtime/infer/tall/whitening"
)

// A Remote is the posterior of the rows of all shards: passes go over them, and some of them
// are in memory. It implements surrogate.Remote.
type Remote struct {
	*model.Model // of the pilot's rows
	env          *Env
	front        Front
	number       int // of the next pass
	pilot        *Pilot
	rest         *data.Bound
	seed         uint64
}

// RemoteOf makes the posterior of all rows for a surrogate. A pass, that of the number, finds
// what rows settle, and draws a pilot of them.
func RemoteOf(
	ctx context.Context, e *Env, front Front, number int, seed uint64, rest *data.Bound,
) (*Remote, error) {
	p, err := PilotOf(ctx, e, front, number, seed, rest)
	if err != nil {
		return nil, err
	}
	c, err := e.Compiled()
	if err != nil {
		return nil, err
	}
	m, err := c.VM(p.Bound, nil)
	if err != nil {
		return nil, &Permanent{err}
	}
	return &Remote{Model: m, env: e, front: front, number: number + 1, pilot: p, rest: rest,
		seed: seed}, nil
}

// Rows implements target.Target: all rows of all shards.
func (r *Remote) Rows() int { return int(r.pilot.Settled.total()) }

// Pilot implements surrogate.Remote.
func (r *Remote) Pilot() target.Target {
	return target.NewScaled(r.Model, float64(r.Rows())/float64(r.Model.Rows()))
}

// Bound is the data of the pilot.
func (r *Remote) Bound() *data.Bound { return r.pilot.Bound }

// Settled is what all rows settle.
func (r *Remote) Settled() *Settled { return r.pilot.Settled }

// Passes implements surrogate.Remote.
func (r *Remote) Passes() surrogate.Passes { return (*remotePasses)(r) }

type remotePasses Remote

// pass does the next pass over all shards.
func (r *remotePasses) pass(
	ctx context.Context, kind string, body any, take func(result []byte) error,
) error {
	n := r.number
	r.number++
	return r.env.Pass(ctx, r.front, n, kind, len(r.env.Run.Manifest.Shards), body,
		func(_ int, result []byte) error { return take(result) })
}

// Expand implements surrogate.Passes.
func (r *remotePasses) Expand(
	ctx context.Context, a, sds []float64,
) (*surrogate.Expansion, error) {
	sum, d := &expansionSum{}, len(a)
	next, err := r.env.addUp(ctx, r.front, r.number, "gradient", gradientBody{r.pilot.digest,
		worker.Anchor{At: a, SDs: sds}}, expansionLen(d), sum)
	if err != nil {
		return nil, err
	}
	if len(sum.all.Gradient) != d {
		return nil, errResult
	}
	r.number = next
	return sum.all, nil
}

// LogLik implements surrogate.Passes.
func (r *remotePasses) LogLik(ctx context.Context, states [][]float64, out []float64) error {
	ask := checkBody{Settled: r.pilot.digest, Dim: r.Dim()}
	for _, x := range states {
		ask.States = append(ask.States, x...)
	}
	clear(out)
	return r.pass(ctx, "check", ask, func(result []byte) error {
		rows := 0
		x, _, err := decode(result, &rows)
		if err == nil && len(x) != len(out) {
			err = errResult
		}
		if err != nil {
			return err
		}
		for i, v := range x {
			out[i] += v
		}
		return nil
	})
}

const (
	// ampleRate is how many times more rows shards draw than the pilot says are wanted: their
	// leverages are known only then.
	ampleRate = 1.5
	// fewRows is the share of the wanted rows from which more are drawn by another pass.
	fewRows = 0.8
)

// Take implements surrogate.Passes. Shards draw rows with a rate that the pilot suggests, the
// driver keeps those that the rate by all leverages takes.
func (r *remotePasses) Take(
	ctx context.Context, a []float64, white *whitening.Map, size int,
) (target.Target, []int, []float64, error) {
	rate, err := r.rate(ctx, a, white, size)
	if err != nil {
		return nil, nil, nil, err
	}
	for again := false; ; again = true {
		t, err := r.draw(ctx, a, white, rate)
		if err != nil {
			return nil, nil, nil, err
		}
		c := rate
		if !math.IsInf(rate, 1) {
			c = surrogate.RateOf(t.total, t.h, size, rate)
			few := surrogate.Expected(t.total, t.h, c) < fewRows*float64(size)
			if few && !again {
				rate = float64(ampleRate * float64(size) / t.total)
				rate = max(rate, 2*c)
				continue
			}
		}
		return r.bind(t, c)
	}
}

// rate is about the rate that draws so many rows, by the leverages of the pilot.
func (r *remotePasses) rate(
	ctx context.Context, a []float64, white *whitening.Map, size int,
) (float64, error) {
	n, all := r.Model.Rows(), int(r.pilot.Settled.total())
	if size >= all {
		return math.Inf(1), nil
	}
	sums, err := tall.NewSums(r.Model, loop.Options{})
	if err != nil {
		return 0, err
	}
	h, total := make([]float64, n), 0.0
	if err := surrogate.Leverages(ctx, sums, a, white, r.seed, h); err != nil {
		return 0, err
	}
	for _, x := range h {
		total += x
	}
	each := float64(all) / float64(n)
	c := surrogate.RateOf(total*each, nil, size, math.Inf(1))
	for range 20 { // of the rows that are always taken there are about each times those here
		expected := 0.0
		for _, x := range h {
			expected += each * min(1, c*x)
		}
		c *= float64(size) / expected
	}
	return ampleRate * c, nil
}

// taken are rows that shards drew.
type taken struct {
	total   float64 // of the leverages of all rows
	numbers []int64 // among all rows
	h       []float64
	parts   []shardRows
}

func (r *remotePasses) draw(
	ctx context.Context, a []float64, white *whitening.Map, rate float64,
) (*taken, error) {
	ask := leverageBody{Settled: r.pilot.digest, Whitened: worker.Whitened{Seed: r.seed, At: a,
		Mean: white.Mean, Chol: white.Chol, Diag: white.Diag}}
	if n := worker.Number(rate); !math.IsInf(rate, 1) {
		ask.Rate = &n
	}
	t := &taken{}
	err := r.pass(ctx, "leverage", ask, func(result []byte) error {
		var head leverageHead
		_, values, err := decode(result, &head)
		if err != nil {
			return err
		}
		t.total += head.Total
		t.numbers, t.h = append(t.numbers, head.Numbers...), append(t.h, head.H...)
		t.parts = append(t.parts, shardRows{len(head.H), values})
		return nil
	})
	return t, err
}

// bind makes a target of the rows that a rate keeps.
func (r *remotePasses) bind(t *taken, rate float64) (target.Target, []int, []float64, error) {
	keep, weights := surrogate.Thin(t.numbers, t.h, rate, r.seed)
	if len(keep) == 0 {
		return r.Model, nil, nil, nil
	}
	c, err := r.env.Compiled()
	if err != nil {
		return nil, nil, nil, err
	}
	bound, err := joined(c, r.rest, r.pilot.Settled, someOf(t.parts, keep))
	if err != nil {
		return nil, nil, nil, fmt.Errorf("rows by leverage: %w", err)
	}
	m, err := c.VM(bound, nil)
	if err != nil {
		return nil, nil, nil, &Permanent{err}
	}
	rows := make([]int, len(keep))
	for i := range rows {
		rows[i] = i
	}
	return m, rows, weights, nil
}
