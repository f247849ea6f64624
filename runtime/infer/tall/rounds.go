package tall

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/sgppl/sgppl/runtime/base/setting"
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
)

// A Sink receives the draws of a run.
type Sink interface {
	sampler.Sink
	// Reserve announces that each chain will have this many draws; more may be reserved later. No
	// chain runs during the call.
	Reserve(draws int64) error
}

const (
	firstESS = 100.0 // goal of the first round, by the forecast
	longer   = 1.5   // factor by which each round increases the number of draws
	// mostRounds limits a run to about thirty times its first round, but see longest.
	mostRounds = 10
	goodRhat   = 1.01
)

// A Biased error says that the bias of the draws exceeds what is allowed, and for which number.
type Biased struct {
	Report *Report
	Output int     // place of the worst number in a draw
	Times  float64 // its bias, in units of half of what is allowed
}

func (b *Biased) Error() string {
	return setting.Text("the draws are off by more than {max-bias} allows")
}

// Verdict returns the verdict on a run: "ok"; "unsure" if the run is too short to bound the bias;
// "off".
func (r *Report) Verdict(maxBias float64) string {
	out := "ok"
	z := normalQuantile(1 - 0.025/float64(max(len(r.Bias), 1)))
	for i := range r.Bias {
		b := &r.Bias[i]
		if !(r.SD[i] > 0) { // the number is constant
			continue
		}
		if math.Abs(b.Mean)-float64(z*b.MeanError) > maxBias ||
			math.Abs(b.LogSD)-float64(z*b.LogSDError) > maxBias/2 {
			return "off"
		}
		if !(b.MeanBound() <= maxBias) || !(b.LogSDBound() <= maxBias/2) {
			out = "unsure"
		}
	}
	return out
}

// WorstBias returns the numbers with the largest bounds on the bias of a mean and of a log standard
// deviation.
func (r *Report) WorstBias() (mean, logSD int) {
	for i := range r.Bias {
		if !(r.SD[i] > 0) {
			continue
		}
		if !(r.Bias[i].MeanBound() <= r.Bias[mean].MeanBound()) {
			mean = i
		}
		if !(r.Bias[i].LogSDBound() <= r.Bias[logSD].LogSDBound()) {
			logSD = i
		}
	}
	return mean, logSD
}

// normalQuantile returns a quantile of the standard normal law, by bisection of its distribution
// function.
func normalQuantile(p float64) float64 {
	lo, hi := -10.0, 10.0
	for range 80 {
		mid := (lo + hi) / 2
		if 0.5*math.Erfc(-mid/math.Sqrt2) < p {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// firstRound returns the number of draws of each chain in the first round.
func (r *Run) firstRound() int {
	pl := &r.setup.Plan
	steps := firstESS * pl.stepsPerDraw()
	return max(int(steps)/(pl.Every*len(r.pairs)), 50)
}

// Go runs rounds until the smallest effective sample size reaches the target, the chains agree and
// the bias is bounded, or until the time until (zero: no limit). The error is a *Biased if the
// draws are off; they must then be discarded. Draws depend neither on threads nor on interruptions.
func (r *Run) Go(ctx context.Context, sink Sink, o loop.Options, until time.Time) (*Report, error) {
	target := r.firstRound()
	if r.set.Draws > 0 {
		target = r.set.Draws
	}
	for round := 1; ; round++ {
		if err := sink.Reserve(int64(target)); err != nil {
			return nil, err
		}
		var began time.Time
		before := r.draws()
		if o.Now != nil {
			began = o.Now()
		}
		if err := loop.Each(ctx, len(r.pairs), o,
			func(ctx context.Context, c int, o loop.Options) error {
				return r.chain(ctx, c, target, sink,
					o)
			}); err != nil {
			return nil, err
		}
		rep := report(r.history, len(r.tracked), target, r.setup.Plan.spacing())
		r.last = rep
		verdict := rep.Verdict(r.set.MaxBias)
		next := max(int(math.Ceil(float64(target)*longer)), target+1)
		late := false
		if !until.IsZero() && o.Now != nil && target > before {
			now := o.Now()
			each := now.Sub(began) / time.Duration(target-before)
			late = now.Add(each * time.Duration(next-target)).After(until)
		}
		switch enough := rep.Least >= r.set.TargetESS && rep.MaxRhat <= goodRhat; {
		case verdict == "off" && r.set.Draws == 0:
			mean, sd := rep.WorstBias()
			times, spread := math.Abs(rep.Bias[mean].Mean)/(r.set.MaxBias/2),
				math.Abs(rep.Bias[sd].LogSD)/(r.set.MaxBias/4)
			if spread > times {
				mean, times = sd, spread
			}
			return rep, &Biased{rep, r.tracked[mean], times}
		case r.set.Draws > 0, enough && verdict == "ok", late, round >= r.longest():
			return rep, r.end(sink, target)
		}
		target = next
	}
}

// draws returns the number of draws that every chain has.
func (r *Run) draws() int {
	n := math.MaxInt
	for _, h := range r.history {
		n = min(n, len(h.coarse)/max(len(r.tracked), 1))
	}
	return n
}

// end tells the sink that chains are complete.
func (r *Run) end(sink Sink, target int) error {
	for c := range r.pairs {
		r.progress(c, target, sink, 0, 0, true)
		if err := r.checkpoint(c, sink); err != nil {
			return err
		}
	}
	return nil
}

func (r *Run) progress(c, target int, sink Sink, taken int64, elapsed time.Duration, done bool) {
	p := r.pairs[c]
	sink.Progress(sampler.Progress{Chain: c, Step: p.steps,
		Steps: r.warmup + int64(target*r.setup.Plan.Every), Draws: r.handed[c],
		Rows: taken * int64(3*(p.both.Drawn+len(r.setup.sizes.Always()))), Taken: taken,
		Elapsed: elapsed, StepSize: r.setup.Plan.Step, LPEst: math.NaN(), Done: done})
}

func (r *Run) checkpoint(c int, sink Sink) error {
	r.state[c] = loop.Seal(r.state[c][:0], r.label(c), r.walk(c))
	if err := sink.Checkpoint(c, r.state[c]); err != nil {
		return fmt.Errorf("chain %d: checkpoint: %w", c, err)
	}
	return nil
}

func (r *Run) label(c int) loop.Label {
	return loop.Label{Magic: "sgpplcv1", Fingerprint: r.fingerprint(), Chain: c,
		Dim: len(r.setup.white.Mean)}
}

// walk returns the function that reads or writes a chain's checkpoint.
func (r *Run) walk(c int) func(*loop.Codec) {
	return func(d *loop.Codec) {
		r.pairs[c].walk(d)
		d.Int(&r.handed[c])
		r.history[c].walk(d)
		r.watches[c].walk(d)
	}
}

// fingerprint returns a hash of the numbers that a chain's draws depend on.
func (r *Run) fingerprint() uint64 {
	pl := &r.setup.Plan
	h := uint64(14695981039346656037)
	for _, x := range []uint64{r.set.Seed, math.Float64bits(pl.Step), math.Float64bits(pl.Friction),
		uint64(pl.Batch), uint64(pl.Always), uint64(len(r.tracked)), uint64(pl.Every),
		uint64(pl.Attempt)} {
		h = (h ^ x) * 1099511628211
	}
	return h
}

// Resume restores a chain from its checkpoint.
func (r *Run) Resume(c int, state []byte) error {
	if problem := loop.Unseal(state, r.label(c), r.walk(c)); problem != "" {
		return fmt.Errorf("checkpoint of chain %d: %s", c, problem)
	}
	return nil
}

// chain continues chain c up to a number of draws.
func (r *Run) chain(ctx context.Context, c, draws int, sink Sink, o loop.Options) error {
	p, h, pl := r.pairs[c], r.history[c], &r.setup.Plan
	pace := loop.NewPacer(o)
	first := p.steps
	stats := &sampler.Stats{StepSize: pl.Step, Temperature: 1, LP: math.NaN(), LPEst: math.NaN(),
		Acceptance: math.NaN(), BatchSize: pl.Batch + pl.Always,
		StepSizes: r.perBlock, Temperatures: r.ones, Kinetic: r.kinetic[c], Xi: r.friction}
	for r.handed[c] < int64(draws) {
		if pace.Due() {
			if err := ctx.Err(); err != nil {
				r.progress(c, draws, sink, p.steps-first, pace.Elapsed(), false)
				if failed := r.checkpoint(c, sink); failed != nil {
					return failed
				}
				return err
			}
			if pace.Progress() {
				r.progress(c, draws, sink, p.steps-first, pace.Elapsed(), false)
			}
			if pace.Checkpoint() {
				if err := r.checkpoint(c, sink); err != nil {
					return err
				}
			}
		}
		if err := r.read(c); err != nil {
			r.progress(c, draws, sink, p.steps-first, pace.Elapsed(), false)
			if failed := r.checkpoint(c, sink); failed != nil {
				return failed
			}
			return err
		}
		p.step()
		if !p.coarse.finite() || !p.fine.finite() {
			return &Refusal{"the dynamics of minibatches leave the posterior"}
		}
		if after := p.steps - r.warmup; after <= 0 || after%int64(pl.Every) != 0 {
			continue
		}
		for f, w := range []*walker{p.fine, p.coarse} {
			p.est.White.Point(w.z, p.est.X)
			r.evals[c].Constrain(p.est.X, r.out[c])
			for _, at := range r.tracked {
				if f == 0 {
					h.fine = append(h.fine, r.out[c][at])
				} else {
					h.coarse = append(h.coarse, r.out[c][at])
				}
			}
		}
		r.watches[c].look(r.handed[c], p.est, p.sizes, r.setup.noise, p.coarse.z)
		stats.Step = p.steps
		for b, block := range r.blocks {
			r.kinetic[c][b] = meanSquare(p.coarse.v[block.Offset : block.Offset+block.Len])
		}
		stats.GradNorm = math.Sqrt(dot(p.coarse.g, p.coarse.g))
		if err := sink.Draw(c, r.handed[c], r.out[c], stats); err != nil {
			return fmt.Errorf("chain %d, draw %d: %w", c, r.handed[c], err)
		}
		r.handed[c]++
	}
	return nil
}

func meanSquare(x []float64) float64 {
	if len(x) == 0 {
		return math.NaN()
	}
	return dot(x, x) / float64(len(x))
}

// read reads the rows of the next steps of a chain into memory, unless they are there.
func (r *Run) read(c int) error {
	if p := r.pairs[c]; p.unread() {
		return p.read(func(from, to int64, rows []int) []int { return r.looked(c, from, to, rows) })
	}
	return nil
}

// looked appends the rows that the watch of a chain needs between two steps.
func (r *Run) looked(c int, from, to int64, rows []int) []int {
	w := r.watches[c]
	for step := from; step < to; step++ {
		after := step + 1 - r.warmup
		if every := int64(r.setup.Plan.Every); after > 0 && after%every == 0 {
			rows = w.rows(after/every-1, r.setup.sizes, rows)
		}
	}
	return rows
}
