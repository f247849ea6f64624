package sampling

import (
	"math"
	"strings"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/dynamics/batch"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// later refuses what the contract has and this version has not.
func (c *Sample) later() error {
	switch {
	case c.Leapfrog != nil && *c.Leapfrog < 1:
		return session.Usagef("--leapfrog: %d is below 1", *c.Leapfrog)
	case c.Chains > run.MaxChains: // before starting points are made for them
		return session.Usagef("--chains: %d is above %d", c.Chains, run.MaxChains)
	case c.HeldEvery < 1:
		return session.Usagef("--held-out-every %d: at least 1", c.HeldEvery)
	case c.HeldEvery > 1 && len(c.HeldOut) == 0:
		return session.Usagef("--held-out-every is of the rows of --held-out, and there are none")
	case c.Chunk < 0:
		return session.Usagef("--chunk: %d draws a file", c.Chunk)
	case !(c.Checkpoint > 0) || math.IsInf(c.Checkpoint, 0):
		return session.Usagef("--checkpoint: the time between checkpoints must be above 0 "+
			"seconds, not %v", c.Checkpoint)
	}
	return c.Locals.Check()
}

// axis is the axis that --batch names; "" without a name.
func (c *Sample) axis() (string, error) {
	if len(c.Batch) > 1 {
		return "", session.Usagef("--batch is given %d times; this version minibatches one axis",
			len(c.Batch))
	}
	if len(c.Batch) == 0 {
		return "", nil
	}
	axis, _, named := strings.Cut(c.Batch[0], "=")
	if !named {
		return "", nil
	}
	return axis, nil
}

// settings reads the flags as a configuration, besides those that byBlock has
// read, and holds --batch and the names of blocks against the model.
func (c *Sample) settings(
	e *session.Session, compiled *driver.Compiled, cfg sampler.Config,
) (sampler.Config, error) {
	cfg.InnerSteps, cfg.SyntheticNoise = c.InnerSteps, c.SyntheticNoise
	cfg.FullBatch, cfg.BlockRows, cfg.WindowBlocks = c.FullBatch, c.BlockRows, c.Window
	c.order(e, &cfg)
	cfg.Follow = c.Follow
	cfg.Chains, cfg.Warmup, cfg.Draws, cfg.Thin, cfg.Seed, cfg.SaveWarmup = c.Chains, c.Warmup,
		c.Draws, c.Thin, c.Seed, c.SaveWarmup
	cfg.LogDensity, cfg.LogDensityEstimate = c.Lp, true
	if c.onDevice() {
		cfg.Device = c.Device
	}
	if c.Leapfrog != nil {
		cfg.Leapfrog = *c.Leapfrog
	}
	cfg.LocalOptions = c.Locals.Options()
	cfg.TargetAccept, cfg.Metric, cfg.MaxDepth = c.TargetAccept, c.Metric, c.MaxDepth
	cfg.EnergyError, cfg.Replicas, cfg.Permute = c.EnergyError, c.Replicas, c.Permute
	if err := c.knownBlocks(compiled); err != nil {
		return cfg, err
	}
	var err error
	cfg.Batch, err = session.BatchSize(c.Batch, compiled)
	return cfg, err
}

// order sets the order of minibatches: that of the flag, else the default. An
// estimate of the gradient's noise needs independent batches, so that the default
// is then "replace", and a note says so.
func (c *Sample) order(e *session.Session, cfg *sampler.Config) {
	switch {
	case c.BatchOrder != "":
		cfg.BatchOrder = c.BatchOrder
	case cfg.Fisher && !c.Stream && !c.FullBatch:
		cfg.BatchOrder = string(batch.Replace)
		e.Note("minibatches are drawn independently (--batch-order replace), as --grad-noise " +
			"fisher needs")
	}
}
