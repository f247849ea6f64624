package run

import (
	"context"
	"errors"
	"time"

	files "github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/infer/surrogate"
	"github.com/sgppl/sgppl/runtime/infer/tall"
)

// A Surrogate has the settings of a run that draws from a surrogate of the posterior and compares
// the draws with all rows.
type Surrogate struct {
	Rows    int `json:"rows"`              // about how many rows are used exactly; −1: none
	Correct int `json:"correct,omitempty"` // rounds of a test against all rows
	// Combine draws from a combination of the subposteriors of shards instead of from a surrogate.
	Combine surrogate.Combination `json:"combine,omitempty"`
	// Accept keeps draws that cannot represent the posterior, and reports that they cannot.
	Accept bool `json:"accept_approximation,omitempty"`
	// Shards is the number of shards of the rows; 0 if the rows are on this machine.
	Shards int `json:"shards,omitempty"`
}

// Exactness describes how close the draws of a surrogate are to the posterior.
type Exactness = surrogate.Exactness

// exactnessAttr is the attribute of a store that describes in words how close its draws are to the
// posterior.
const exactnessAttr = "exactness"

// surrogates is the stage of a run by a surrogate. It stores draws only after all of them are
// computed. An interrupted run therefore starts again, and gives the same draws.
type surrogates struct {
	*sink
	now func() time.Time
}

func openSurrogates(
	on files.FS, dir string, t target.Target, r *Record, now time.Time,
) (*surrogates, error) {
	s, err := openFrom(on, dir, t, r, now, nil, func(int, []byte) error { return nil })
	if err != nil {
		return nil, err
	}
	return &surrogates{s, time.Now}, nil
}

// run implements stage.
func (s *surrogates) run(ctx context.Context, t target.Target, o loop.Options) error {
	r := s.record
	if s.resume[0] != nil { // all was stored before the process died
		return nil
	}
	began := o.Now
	if began == nil {
		began = s.now
	}
	start := began()
	ctx = tall.WithPhases(ctx, func(words string) {
		if s.events != nil {
			s.events(Event{Event: "phase", Text: words, Seconds: began().Sub(start).Seconds()})
		}
	})
	c := &r.Settings
	result, err := surrogate.Run(ctx, t, *c, surrogate.Settings{Seed: c.Seed,
		Rows: r.Surrogate.Rows, Correct: r.Surrogate.Correct, Accept: r.Surrogate.Accept,
		Combine: r.Surrogate.Combine, Init: c.Init, Radius: c.InitRadius},
		loop.Options{Threads: o.Threads})
	if result != nil {
		r.Exactness = &result.Exactness
		r.Exactness.Shards = r.Surrogate.Shards
	}
	var refusal *surrogate.Refusal
	if errors.As(err, &refusal) {
		if result == nil {
			return fail(exitRun, "no surrogate stands for this posterior: %s; without it chains "+
				"take all rows, or minibatches", refusal.Why)
		}
		return fail(exitRun, "%s", refusal.Why)
	}
	if err != nil {
		return err
	}
	for _, st := range s.stores {
		if err := st.SetAttr(exactnessAttr, r.Exactness.String()); err != nil {
			return disk(err)
		}
	}
	s.ran = result.Chains
	e := t.NewEvaluator(1)
	out := make([]float64, t.OutputLen())
	for k, states := range result.States {
		for i, x := range states {
			e.Constrain(x, out)
			if err := s.Draw(k, int64(i), out, &result.Stats[k][i]); err != nil {
				return err
			}
		}
		state, err := result.Chains[k].MarshalBinary()
		if err != nil {
			return err
		}
		if err := s.Checkpoint(k, state); err != nil {
			return err
		}
		s.Progress(sampler.Progress{Chain: k, Step: c.Steps(), Steps: c.Steps(),
			Draws: int64(len(states)), Elapsed: began().Sub(start),
			LPEst: result.Stats[k][len(states)-1].LP, Done: true})
	}
	return nil
}
