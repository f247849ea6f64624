package run

import (
	"context"
	"fmt"
	"time"

	files "github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/infer/sampler/settings"
	"github.com/sgppl/sgppl/runtime/infer/tall"
)

// whitened is the stage of a run by minibatches with an anchor whose sampler the user chose and
// which does not run chains in pairs: a thermostat. Its chains move in the coordinates of the
// set-up.
type whitened struct {
	*sink
	of  target.Target
	cfg sampler.Config
}

// Whitened reports whether a run samples by minibatches with an anchor and without pairs of chains.
func (r *Record) Whitened() bool {
	return r.Optimize == nil && r.Tuning != nil && r.Tuning.Minibatches &&
		!settings.InPairs(r.Settings.Sampler)
}

// inCoordinates returns the target and the settings of such a run in the coordinates of the set-up.
func inCoordinates(t target.Target, r *Record, s *tall.Setup) (target.Target, sampler.Config) {
	c := r.Settings
	of := s.Whitened(t, c.Batch, c.BatchOrder)
	c.Init = s.Starts()
	if c.BatchOrder == "size" { // independent minibatches, whose rows the target draws
		c.BatchOrder = "replace"
	}
	return of, c
}

// openWhitened makes the stores and the chains, or restores them from their checkpoints.
func openWhitened(
	on files.FS, dir string, t target.Target, r *Record, now time.Time,
) (*whitened, error) {
	setup, err := readSetup(on, dir, r)
	if err != nil {
		return nil, err
	}
	of, c := inCoordinates(t, r, setup)
	s, err := openFrom(on, dir, t, r, now, nil, resumeWhitened(of, c))
	if err != nil {
		return nil, err
	}
	return &whitened{s, of, c}, nil
}

func resumeWhitened(of target.Target, c sampler.Config) resumer {
	return func(chain int, state []byte) error {
		_, err := sampler.ResumeChain(of, c, chain, state)
		return err
	}
}

// run implements stage.
func (s *whitened) run(ctx context.Context, _ target.Target, o loop.Options) (err error) {
	o.Resume = s.resume
	s.ran, err = sampler.Run(ctx, s.of, s.cfg, s, o)
	return err
}

// adoptWhitened copies the values of a plan into the settings of a run whose sampler the user
// chose.
func adoptWhitened(t target.Target, r *Record, s *tall.Setup) error {
	p, c := s.Plan, &r.Settings
	if c.Batch == 0 {
		c.Batch = p.Batch
	}
	c.Anchor, c.LogDensityEstimate = p.Anchor, false
	p.Batch, p.Order = c.Batch, c.BatchOrder
	p.Step, p.Share, p.Every, p.CostDraws = 0, 0, int(c.Thin), 0 // values for chains in pairs
	p.Always = s.AlwaysOf(p.Batch, p.Order)
	r.Tuning = &p
	of, chains := inCoordinates(t, r, s)
	_, err := chains.Resolve(of)
	return err
}

// wordsOfWhitened describes in lines of text how such a run samples. See Record.Words.
func (r *Record) wordsOfWhitened(axis, how, always string) []string {
	p := r.Tuning
	return []string{fmt.Sprintf("sampler %s: minibatches with an anchor (%d rows of %s)",
		r.Settings.Sampler, p.Rows, axis),
		fmt.Sprintf("tuning: batch %d of %s %s%s; coordinates in which the posterior has "+
			"variances of about 1, metric %s; anchor at the %s", p.Batch, axis, how, always,
			p.Metric, p.Anchor),
		fmt.Sprintf("set-up: %.3g passes over the rows, %.3g s", p.SetUp, r.SetupSeconds)}
}
