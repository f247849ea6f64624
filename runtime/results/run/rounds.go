package run

import (
	"context"
	"errors"
	"time"

	files "github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/base/setting"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/infer/tall"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

// rounds is the stage of a run by minibatches with an anchor. It runs chains in pairs, in rounds,
// until there are enough draws. The stores have the length that the last round reserved.
type rounds struct {
	*sink
	pairs  *tall.Run
	report *tall.Report
	until  time.Time // when the limit --time is reached; zero: no limit
	t      target.Target
	now    func() time.Time
	began  time.Time
	first  []int64 // steps of each chain before this part of the run
}

// openRounds makes the stores and the chains, or restores them from their checkpoints.
func openRounds(
	on files.FS, dir string, t target.Target, r *Record, now, until time.Time,
) (*rounds, error) {
	setup, err := readSetup(on, dir, r)
	if err != nil {
		return nil, err
	}
	fresh := true
	for k := range r.Chains {
		_, err := on.Lstat(trace.CheckpointPath(dir, k))
		fresh = fresh && err != nil
	}
	pairs, err := adopt(t, r, setup, fresh)
	if err != nil {
		return nil, fail(exitRun, "%v", err)
	}
	s, err := openFrom(on, dir, t, r, now, nil, pairs.Resume)
	if err != nil {
		return nil, err
	}
	if fresh && r.Settings.TargetESS > 0 { // none is reserved yet
		r.Settings.Draws = 0
	}
	out := &rounds{sink: s, pairs: pairs, until: until, t: t}
	for k := range r.Chains {
		steps := int64(0)
		if !fresh {
			steps = r.Chains[k].Steps
		}
		out.first = append(out.first, steps)
	}
	return out, nil
}

// Progress implements sampler.Sink. It reports times and steps since this process began, not since
// the round began.
func (s *rounds) Progress(p sampler.Progress) {
	if s.now != nil && p.Step > s.first[p.Chain] {
		p.Elapsed, p.Taken = s.now().Sub(s.began), p.Step-s.first[p.Chain]
		// rows of a step and of two steps of half its size
		p.Rows = 3 * int64(s.record.Tuning.Batch+s.record.Tuning.Always) * p.Taken
	}
	s.sink.Progress(p)
}

// Reserve implements tall.Sink. It writes the new number of draws to the record before it lengthens
// the stores, so that a store is never longer than the record says.
func (s *rounds) Reserve(draws int64) error {
	s.lock.Lock()
	defer s.lock.Unlock()
	if draws = max(draws, s.cfg.Draws); draws > s.cfg.Draws {
		s.cfg.Draws = draws
		if err := s.record.write(s.on, s.dir); err != nil {
			return err
		}
	}
	for _, st := range s.stores {
		if err := st.Resize(int(draws)); err != nil {
			return disk(err)
		}
	}
	return nil
}

func (s *rounds) run(ctx context.Context, t target.Target, o loop.Options) (err error) {
	if s.now = o.Now; s.now != nil {
		s.began = s.now()
	}
	s.report, err = s.pairs.Go(ctx, s, o, s.until)
	return err
}

// close implements stage. If the run ended because its draws are biased, it still completes the
// stores.
func (s *rounds) close(err error) error {
	var biased *tall.Biased
	if errors.As(err, &biased) {
		if e := s.sink.close(nil); e != nil {
			return e
		}
		return err
	}
	return s.sink.close(err)
}

// finish implements stage.
func (s *rounds) finish(err error, now time.Time) error {
	r := s.record
	r.Finished = now.Format(time.RFC3339)
	if s.report != nil {
		r.Settings.Draws = int64(s.report.Draws)
		r.Health = healthOf(s.pairs.Health(s.report, s.nameOf))
		for k := range r.Chains {
			r.Chains[k].Draws = int64(s.report.Draws)
			r.Chains[k].Steps = r.Settings.Steps()
		}
	}
	if e := s.scoreHeldOut(); err == nil {
		err = e
	}
	if err == nil { // of an unfinished run `summary` computes them
		rows, looked, all, e := Convergence(s.dir, r)
		if r.Health, err = append(r.Health, rows...), e; looked < all {
			r.Judged = looked
		}
	}
	return s.ended(err, now)
}

// why returns the reason for which an attempt ended with err, in words.
func (s *rounds) why(err error) string {
	var biased *tall.Biased
	if errors.As(err, &biased) {
		return s.nameOf(biased.Output) + setting.Text(" is off by more than {max-bias} allows")
	}
	return err.Error()
}

// nameOf returns the name of the output element at an index of a draw, such as w[3].
func (s *rounds) nameOf(at int) string {
	for _, o := range s.t.Outputs() {
		if at < o.Offset || at >= o.Offset+o.Len {
			continue
		}
		v := trace.Variable{Name: o.Name, Shape: o.Shape}
		for i, name := range v.Elements() {
			if i == at-o.Offset {
				return name
			}
		}
	}
	return "all"
}
