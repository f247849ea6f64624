package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/base/spelling"
	"github.com/sgppl/sgppl/runtime/dynamics/batch"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// later refuses what the contract has and this version has not.
func (c *sampleCmd) later() error {
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
	return c.locals.check()
}

// axis is the axis that --batch names; "" without a name.
func (c *sampleCmd) axis() (string, error) {
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
func (c *sampleCmd) settings(
	e *session.Session, compiled *driver.Compiled, cfg sampler.Config,
) (sampler.Config, error) {
	cfg.InnerSteps, cfg.SyntheticNoise = c.InnerSteps, c.SyntheticNoise
	cfg.FullBatch, cfg.BlockRows, cfg.WindowBlocks = c.FullBatch, c.BlockRows, c.Window
	c.order(e, &cfg)
	cfg.Follow = c.Follow
	cfg.Chains, cfg.Warmup, cfg.Draws, cfg.Thin, cfg.Seed, cfg.SaveWarmup = c.Chains, c.Warmup,
		c.Draws, c.Thin, c.Seed, c.SaveWarmup
	cfg.LogDensity, cfg.LogDensityEstimate = c.Lp, true
	if c.Leapfrog != nil {
		cfg.Leapfrog = *c.Leapfrog
	}
	cfg.LocalOptions = c.locals.options()
	cfg.TargetAccept, cfg.Metric, cfg.MaxDepth = c.TargetAccept, c.Metric, c.MaxDepth
	cfg.EnergyError, cfg.Replicas = c.EnergyError, c.Replicas
	if err := c.knownBlocks(compiled); err != nil {
		return cfg, err
	}
	var err error
	cfg.Batch, err = batchSize(c.Batch, compiled)
	return cfg, err
}

// order sets the order of minibatches: that of the flag, else the default. An
// estimate of the gradient's noise needs independent batches, so that the default
// is then "replace", and a note says so.
func (c *sampleCmd) order(e *session.Session, cfg *sampler.Config) {
	switch {
	case c.BatchOrder != "":
		cfg.BatchOrder = c.BatchOrder
	case cfg.Fisher && !c.Stream && !c.FullBatch:
		cfg.BatchOrder = string(batch.Replace)
		e.Note("minibatches are drawn independently (--batch-order replace), as --grad-noise " +
			"fisher needs")
	}
}

// batchSize reads --batch, and holds it against the axes of the model; 0
// without the flag.
func batchSize(flags []string, compiled *driver.Compiled) (int, error) {
	if len(flags) == 0 {
		return 0, nil
	}
	axis, size, named := strings.Cut(flags[0], "=")
	if !named {
		size = flags[0]
	}
	n, err := strconv.Atoi(size)
	if err != nil || n < 1 {
		return 0, session.Usagef("--batch %s: the number of rows must be a whole number of at least 1",
			flags[0])
	}
	return n, batchable(compiled, axis, named)
}

// batchable refuses an axis that cannot be minibatched, with the reason.
func batchable(c *driver.Compiled, axis string, named bool) error {
	m := c.Check
	var names []string
	for _, a := range m.Batchable {
		names = append(names, a.Name)
	}
	if !named {
		if len(names) > 1 {
			return session.Usagef(
				"--batch: the axes %s can be minibatched; name one: --batch %s=100",
				strings.Join(names, ", "), names[0])
		}
		return nil
	}
	if slices.Contains(names, axis) {
		return nil
	}
	for _, u := range m.Unbatchable {
		if u.Axis == axis {
			return session.Usagef("--batch: axis %s cannot be minibatched: %s:%v: %s", axis,
				c.Source.Name, c.Source.Position(u.Span.Start), u.Reason)
		}
	}
	text := fmt.Sprintf("--batch: %s is no axis of the data", axis)
	if near := spelling.Nearest(axis, names); near != "" {
		text += fmt.Sprintf("; did you mean %s?", near)
	} else if len(names) > 0 {
		text += "; those that can be minibatched: " + strings.Join(names, ", ")
	}
	return session.Usagef("%s", text)
}
