package sampling

import (
	"errors"

	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/infer/approximate"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
)

// bind binds the model to its data, and returns the settings.
func (c *Approximate) bind(
	e *session.Session, s *Sample, b *session.Binding,
) (cfg approximate.Config, err error) {
	if err := b.HasParams("approximate"); err != nil {
		return cfg, err
	}
	if err := b.Storable(c.Keep); err != nil {
		return cfg, err
	}
	if err := b.Bind(e); err != nil {
		return cfg, err
	}
	if err := b.Moves(); err != nil {
		return cfg, err
	}
	if err := b.HoldOut(e, "--held-out", c.HeldOut, c.Set); err != nil {
		return cfg, err
	}
	at := sampler.DefaultConfig()
	at.Seed, at.Chains = c.Seed, max(c.Paths, 8)
	if c.Init == "pathfinder" {
		return cfg, session.Usagef("--init pathfinder is of sample; --method pathfinder is that law")
	}
	if cfg, err = c.settings(s, b); err != nil {
		return cfg, err
	}
	if cfg.Init, err = s.start(e, b, &at); err != nil {
		return cfg, err
	}
	cfg.InitRadius, cfg.PlainStart = at.InitRadius, at.PlainStart
	var no *approximate.Refusal
	if cfg, err = cfg.Resolve(b.Target); errors.As(err, &no) {
		return cfg, session.Failf(session.ExitRun, "this posterior has no approximation: %s", no.Why)
	} else if err != nil {
		return cfg, session.Refused(err)
	}
	if err := b.Fits(max(cfg.Paths, cfg.Chains), c.Threads); err != nil {
		return cfg, err
	}
	return cfg, b.Keeps(c.Keep)
}

// settings reads the flags as a configuration.
func (c *Approximate) settings(s *Sample, b *session.Binding) (approximate.Config, error) {
	cfg := approximate.DefaultConfig()
	cfg.Method, cfg.Covariance, cfg.Rank, cfg.Only = c.Method, c.Covariance, c.Rank, c.Only
	cfg.Paths, cfg.Iterations, cfg.Samples, cfg.Tolerance = c.Paths, c.Iterations, c.Samples,
		c.Tolerance
	cfg.Candidates, cfg.Resample, cfg.Accept = c.Candidates, c.Resample, c.Accept
	cfg.Chains, cfg.Draws, cfg.Seed = c.Chains, c.Draws, c.Seed
	var err error
	cfg.Batch, err = session.BatchSize(s.Batch, b.Compiled)
	return cfg, err
}
