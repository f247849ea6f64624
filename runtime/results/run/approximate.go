package run

import (
	"context"
	"errors"
	"time"

	files "github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/base/setting"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/approximate"
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/infer/sampler/health"
	"github.com/sgppl/sgppl/runtime/infer/sampler/settings"

	"github.com/sgppl/sgppl/runtime/results/trace"
)

// SettingsOf are the settings of a sampler's run that one of an approximation has too.
func SettingsOf(c approximate.Config) sampler.Config {
	return sampler.Config{Dynamics: settings.Dynamics{Sampler: c.Method, Temperature: 1},
		Chains: c.Chains, Draws: c.Draws, Thin: 1, Seed: c.Seed}
}

// approximationColumns are the statistics that are stored with draws of an approximation.
func approximationColumns() []stat {
	component := number("path", "component of the approximation that the draw is of",
		func(s *sampler.Stats) float64 { return float64(s.Depth) })
	component.v.DType = trace.Int64
	return []stat{
		number("lp", "log density in the coordinates of the approximation, with all rows",
			func(s *sampler.Stats) float64 { return s.LP }),
		number("lp_approx", "log density of the approximation there",
			func(s *sampler.Stats) float64 { return s.LPEst }),
		component,
	}
}

// ExactnessOf converts the result of an approximation to the values that the record stores: its
// exactness, and a row of health.
func ExactnessOf(r *approximate.Result) (*Exactness, Health) {
	x := &r.Exactness
	verdict, why := x.Verdict()
	out := &Exactness{Kind: "approximate", Method: r.Config.Method, K: bounded(x.K),
		Effective: x.Effective, Draws: x.Draws, SD: bounded(x.SD), Moved: x.Moved, Wider: x.Wider,
		Resampled: x.Resampled, Verdict: verdict, Why: why, Says: x.Says,
		LogMass: -bounded(-x.LogMass), ELBO: -bounded(-x.ELBO), Gradients: x.Gradients}
	if x.Particles != nil {
		out.Tempering = &x.Particles.Tempering
	}
	return out, healthOf([]health.Row{x.Health()})[0]
}

// bounded returns x limited to ±1e300, and 1e300 for NaN, since JSON has neither infinity nor NaN.
// Where a smaller number is better, NaN is so recorded as the worst.
func bounded(x float64) float64 {
	const most = 1e300
	if x != x {
		return most
	}
	return max(min(x, most), -most)
}

// approximation is the stage of a run by an approximation. It stores draws only after all of them
// are computed. An interrupted run therefore starts again, and gives the same draws.
type approximation struct {
	*sink // nil before the draws are known
	on    files.FS
	dir   string
	r     *Record
	began time.Time
	say   func(Event)
	watch bool
	row   *Health
}

func openApproximation(
	on files.FS, dir string, t target.Target, r *Record, now time.Time,
) (*approximation, error) {
	return &approximation{on: on, dir: dir, r: r, began: now}, nil
}

// listen implements stage.
func (s *approximation) listen(events func(Event), watch bool) { s.say, s.watch = events, watch }

// run implements stage.
func (s *approximation) run(ctx context.Context, t target.Target, o loop.Options) error {
	clock := o.Now
	if clock == nil {
		clock = time.Now
	}
	start := clock()
	result, err := approximate.Run(ctx, t, *s.r.Approximate, loop.Options{Threads: o.Threads},
		func(words string) {
			if s.say != nil {
				s.say(Event{Event: "phase", Text: words, Seconds: clock().Sub(start).Seconds()})
			}
		})
	var no *approximate.Refusal
	switch {
	case errors.As(err, &no):
		return fail(exitRun, "%s has no approximation of this posterior: %s", s.r.Approximate.Method,
			no.Why)
	case err != nil:
		return err
	}
	x, row := ExactnessOf(result)
	s.r.Exactness, s.row = x, &row
	if x.Verdict == approximate.Off && !s.r.Approximate.Accept {
		return fail(exitRun, setting.Text("the draws of %s cannot stand for the posterior: %s; "+
			"{accept-approximation} keeps them and says so, and sample {init} pathfinder draws "+
			"from the posterior"), x.Method, x.Why)
	}
	if s.sink, err = openFrom(s.on, s.dir, t, s.r, s.began, nil,
		func(int, []byte) error { return nil }); err != nil {
		return err
	}
	s.sink.listen(s.say, s.watch)
	if s.resume[0] != nil { // all was stored before the process died
		return nil
	}
	return s.store(ctx, t, result, func() time.Duration { return clock().Sub(start) })
}

// store writes the draws.
func (s *approximation) store(
	ctx context.Context, t target.Target, result *approximate.Result, elapsed func() time.Duration,
) error {
	e, w := t.NewEvaluator(1), result.Drawer()
	state, out := make([]float64, t.Dim()), make([]float64, t.OutputLen())
	c := &s.r.Settings
	for k := range c.Chains {
		var stats sampler.Stats
		for i := range c.Draws {
			if err := ctx.Err(); err != nil {
				return err
			}
			stats.LP, stats.LPEst, stats.Depth = w.Draw(k, i, state)
			e.Constrain(state, out)
			if err := s.Draw(k, i, out, &stats); err != nil {
				return err
			}
		}
		if err := s.Checkpoint(k, []byte(s.r.Approximate.Method)); err != nil {
			return err
		}
		s.Progress(sampler.Progress{Chain: k, Step: c.Draws, Steps: c.Draws, Draws: c.Draws,
			Elapsed: elapsed(), LPEst: stats.LP, Done: true})
	}
	return nil
}

// close implements stage.
func (s *approximation) close(err error) error {
	if s.sink == nil {
		return err
	}
	return s.sink.close(err)
}

// finish implements stage.
func (s *approximation) finish(err error, now time.Time) error {
	r := s.r
	r.Finished = now.Format(time.RFC3339)
	if s.row != nil {
		r.Health = []Health{*s.row}
	}
	if err == nil {
		err = s.scoreHeldOut()
	}
	if err == nil {
		for k := range r.Chains {
			r.Chains[k].Steps, r.Chains[k].Draws = r.Settings.Draws, r.Settings.Draws
		}
		rows, looked, all, e := Convergence(s.dir, r)
		if r.Health, err = append(r.Health, rows...), e; looked < all {
			r.Judged = looked
		}
	}
	return r.ended(s.on, s.dir, err, now)
}
