package settings

import (
	"github.com/sgppl/sgppl/runtime/base/setting"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler/table"
)

// noStill returns the error for a setting that a run in which nothing moves does not have.
func noStill(name, problem, try string) error {
	return &coded{&ConfigError{Setting: name, Problem: problem, Try: setting.Text(try)}, "S0114"}
}

// checkStill refuses samplers of params where there are none, and draws in which nothing moves
// where there are some.
func (c *Config) checkStill(row *table.Row, t target.Target) error {
	switch {
	case row.Still && t.Dim() > 0:
		return noStill("sampler", "the model has params, and "+row.Name+" moves none of them",
			"no {sampler}, for one that fits the model")
	case !row.Still && t.Dim() == 0:
		return noStill("sampler", "the model has no params, and "+row.Name+" has nothing to move",
			"no {sampler}, or {sampler} fixed")
	}
	return nil
}

// noMotion refuses settings of motion where nothing moves. There is no warm-up.
func (c *Config) noMotion() error {
	for _, x := range []struct {
		given bool
		name  string
	}{
		{c.Batch > 0, "batch"}, {c.Follow, "follow"}, {c.Step != 0, "step"},
		{c.Schedule != "" && c.Schedule != "constant", "step-schedule"},
		{c.Friction != DefaultFriction || c.FixFriction, "friction"},
		{c.Temperature != 1, "temperature"}, {c.InnerSteps > 1, "inner-steps"},
		{c.GradNoise != 0 || c.Fisher, "grad-noise"}, {c.SyntheticNoise != "", "synthetic-noise"},
		{c.Metric != "", "metric"}, {c.TargetAccept != 0, "target-accept"},
		{c.MaxDepth != 0, "max-depth"}, {c.EnergyError != 0, "energy-error"},
		{c.Leapfrog != 0, "leapfrog"}, {c.Replicas != 0, "replicas"},
		{c.Permute != "", "permute"}, {c.Anchor != "", "anchor"}, {c.LogDensity, "lp"},
		{c.SaveWarmup, "save-warmup"}, {c.Thin > 1, "thin"},
	} {
		if x.given {
			return noStill(x.name, "the model has no params, so nothing moves", "the run without it")
		}
	}
	c.Warmup, c.FullBatch = 0, true
	return nil
}
