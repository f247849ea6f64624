package settings

import (
	"fmt"

	"github.com/sgppl/sgppl/runtime/base/setting"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler/table"
)

// noGibbs returns the error for a setting that Gibbs sampling does not have.
func noGibbs(name, problem, try string) error {
	return &coded{&ConfigError{Setting: name, Problem: problem, Try: setting.Text(try)}, "S0110"}
}

// checkConditionals refuses settings that draws from full conditionals do not have, and targets
// whose full conditionals are not known.
func (c *Config) checkConditionals(t target.Target) error {
	if len(target.ConditionalsOf(t)) == 0 {
		return noGibbs("sampler", "the full conditionals of the model are not known here: it was "+
			"compiled for other samplers", "sgppl sample {sampler} gibbs, or nuts")
	}
	const without = "{sampler} gibbs without it"
	for _, x := range []struct {
		given      bool
		name, what string
	}{
		{c.Batch > 0, "batch", "a full conditional is given all rows"},
		{c.Follow, "follow", "a full conditional is given all rows"},
		{c.Step != 0, "step", "draws from full conditionals have no step"},
		{c.Schedule != "" && c.Schedule != "constant", "step-schedule",
			"draws from full conditionals have no step"},
		{c.Friction != DefaultFriction || c.FixFriction, "friction", "nothing moves, so nothing rubs"},
		{c.Temperature != 1, "temperature", "full conditionals are those of the posterior itself"},
		{c.InnerSteps > 1, "inner-steps", "there are no minibatches to stay on"},
		{c.GradNoise != 0 || c.Fisher, "grad-noise", "no gradient is used"},
		{c.SyntheticNoise != "", "synthetic-noise", "no gradient is used"},
		{c.Metric != "", "metric", "draws from full conditionals have no metric"},
		{c.TargetAccept != 0, "target-accept", "every draw is accepted"},
		{c.MaxDepth != 0, "max-depth", "there are no trees"},
		{c.EnergyError != 0, "energy-error", "there are no trajectories"},
		{c.Leapfrog != 0, "leapfrog", "there are no trajectories"},
		{c.Replicas != 0, "replicas", "full conditionals are those of the posterior itself"},
		{c.Anchor != "", "anchor", "a full conditional is given all rows"},
	} {
		if x.given {
			return noGibbs(x.name, x.what, without)
		}
	}
	c.FullBatch = true
	return nil
}

// allByConditionals refuses Gibbs sampling of some blocks beside other samplers.
func (c *Config) allByConditionals() error {
	for i := range c.Blocks {
		if row, ok := table.Lookup(c.Blocks[i].Sampler); ok && row.Conditionals ||
			c.Sampler == "gibbs" {
			return noGibbs("sampler", fmt.Sprintf("settings are given for %v alone, and gibbs draws "+
				"all unknowns", c.Blocks[i].Params), "{sampler} gibbs for all, without settings by block")
		}
	}
	return nil
}
