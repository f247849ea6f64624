package settings

import (
	"fmt"
	"math"
	"slices"

	"github.com/sgppl/sgppl/runtime/base/setting"
	"github.com/sgppl/sgppl/runtime/dynamics/manifold"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler/adapt"
	"github.com/sgppl/sgppl/runtime/infer/sampler/table"
)

// defaultTarget is the mean acceptance to which a step size is adapted: between 0.65, which is best
// for smooth targets in many dimensions, and the higher values that hierarchical models need; as in
// Stan.
const defaultTarget = 0.8

// largestDense limits a dense metric to half a gigabyte per chain; its estimate takes as much
// again.
const largestDense = 8192

// checkAdaptation resolves the settings that samplers with a Metropolis test adapt in the warm-up.
func (c *Config) checkAdaptation(row *table.Row, t target.Target) error {
	if err := c.checkTrajectory(row); err != nil {
		return err
	}
	if c.Step != 0 {
		return c.noAdaptation(row)
	}
	if c.Schedule != "" && c.Schedule != "constant" {
		return &ConfigError{Setting: "step-schedule",
			Problem: setting.Text("a schedule needs a step to start from, and without {step} it " +
				"is found in warm-up"), Try: setting.Text("{step}, or no schedule")}
	}
	if c.TargetAccept == 0 {
		c.TargetAccept = defaultTarget
	}
	if !(c.TargetAccept > 0 && c.TargetAccept < 1) {
		return &ConfigError{Setting: "target-accept",
			Problem: fmt.Sprintf("a mean probability of acceptance lies between 0 and 1, not at %g",
				c.TargetAccept), Try: "0.8, the default; 0.95 where trajectories diverge"}
	}
	curved := curvedBlocks(t)
	if c.Metric == "" {
		c.Metric = adapt.MetricAuto
		if curved {
			c.Metric = adapt.MetricUnit
		}
	}
	if curved {
		c.Metric = besideCurved(c.Metric, t.Dim())
	}
	switch {
	case !slices.Contains(adapt.Metrics, c.Metric):
		return &ConfigError{Setting: "metric",
			Problem: fmt.Sprintf("there is no metric %q", c.Metric), Try: adapt.MetricNames}
	case c.Metric == adapt.MetricDense && t.Dim() > largestDense:
		return &ConfigError{Setting: "metric",
			Problem: fmt.Sprintf("a dense metric has the square of %d numbers, and a step costs "+
				"as many; the limit is %d coordinates", t.Dim(), largestDense), Try: "diag"}
	}
	return nil
}

// checkTrajectory resolves the settings of the length of trajectories.
func (c *Config) checkTrajectory(row *table.Row) error {
	if !row.Tree {
		if c.EnergyError != 0 {
			return noTrees("energy-error", row, setting.Text("{sampler} nuts"))
		}
		if c.MaxDepth != 0 {
			return noTrees("max-depth", row, setting.Text("{leapfrog}, or {sampler} nuts"))
		}
		if c.Leapfrog == 0 {
			c.Leapfrog = defaultLeapfrog
		}
		return nil
	}
	if c.Leapfrog != 0 {
		return &ConfigError{Setting: "leapfrog",
			Problem: "a trajectory of nuts ends where it turns back",
			Try:     setting.Text("{max-depth}, or {sampler} hmc")}
	}
	if c.MaxDepth == 0 {
		c.MaxDepth = DefaultMaxDepth
	}
	if c.MaxDepth < 1 || c.MaxDepth > 20 {
		return &ConfigError{Setting: "max-depth",
			Problem: fmt.Sprintf("%d doublings are not between 1 and 20", c.MaxDepth),
			Try:     "10, the default"}
	}
	if e := c.EnergyError; e < 0 || math.IsNaN(e) || e > 0 && e < leastEnergyError {
		return &ConfigError{Setting: "energy-error",
			Problem: fmt.Sprintf("%g is not a bound of at least %g", e, leastEnergyError),
			Try:     "2, or none"}
	}
	return nil
}

// noTrees returns the error for a setting of nuts's trees with a sampler that has no trees.
func noTrees(name string, row *table.Row, try string) error {
	return &ConfigError{Setting: name,
		Problem: fmt.Sprintf("sampler %s has no trees", row.Name), Try: try}
}

// noAdaptation refuses the settings of a warm-up that adapts nothing.
func (c *Config) noAdaptation(row *table.Row) error {
	why, try := "the step is given, and nothing is adapted", setting.Text("no {step}")
	if !row.Metropolis {
		why, try = fmt.Sprintf("sampler %s adapts nothing", row.Name),
			setting.Text("{sampler} nuts")
		if c.MaxDepth != 0 {
			return noTrees("max-depth", row, try)
		}
		if c.EnergyError != 0 {
			return noTrees("energy-error", row, try)
		}
	}
	switch {
	case c.TargetAccept != 0:
		return &ConfigError{Setting: "target-accept", Problem: why, Try: try}
	case c.Metric != "":
		return &ConfigError{Setting: "metric", Problem: why, Try: try}
	}
	return nil
}

// curvedBlocks reports whether a block lives on a curved space.
func curvedBlocks(t target.Target) bool {
	f, err := manifold.Product(t.Blocks(), t.Dim())
	return err == nil && slices.ContainsFunc(f, func(f manifold.Factor) bool { return !f.Flat })
}

// besideCurved returns the metric of the blocks on R^n if another block is on a curved space:
// diagonal or dense. A dense metric includes the directions of a low-rank one, so it is used for
// that if there are not too many coordinates.
func besideCurved(metric string, dim int) string {
	switch {
	case metric == adapt.MetricAuto, metric == adapt.MetricLowRank && dim > largestDense:
		return adapt.MetricDiag
	case metric == adapt.MetricLowRank:
		return adapt.MetricDense
	}
	return metric
}

// checkMetropolis refuses settings that a Metropolis test, or the lack of one, excludes.
func (c *Config) checkMetropolis(t target.Target) error {
	row, _ := table.Lookup(c.Sampler)
	switch {
	case row.Conditionals:
		return c.checkConditionals(t)
	case row.Still:
		return c.noMotion()
	}
	if !row.Metropolis {
		bare := *c
		bare.Metric = ""
		if err := bare.noAdaptation(row); err != nil {
			return err
		}
		if c.Metric != "" {
			if err := c.checkPilot(row, t); err != nil {
				return err
			}
		}
		if c.Leapfrog != 0 {
			return &ConfigError{Setting: "leapfrog",
				Problem: fmt.Sprintf("sampler %s has no trajectories", row.Name),
				Try:     setting.Text("{sampler} gmc")}
		}
		return nil
	}
	other := setting.Text("{sampler} geodesic_sgnht")
	if z := target.LocalsOf(t); len(z) > 0 {
		return &ConfigError{Setting: "sampler",
			Problem: fmt.Sprintf("the Metropolis test of %s needs the density of the params, and "+
				"%s is drawn for every row instead", row.Name, z[0]), Try: other}
	}
	if err := c.checkAdaptation(row, t); err != nil {
		return err
	}
	switch {
	case !row.Tree && c.Leapfrog < 1:
		return &ConfigError{Setting: "leapfrog", Problem: fmt.Sprintf("%d is below 1", c.Leapfrog)}
	case c.Batch > 0:
		return &ConfigError{Setting: "batch",
			Problem: fmt.Sprintf("the Metropolis test of %s needs all rows at every step",
				row.Name), Try: other + setting.Text(", or no {batch}")}
	case c.InnerSteps > 1:
		return &ConfigError{Setting: "inner-steps",
			Problem: fmt.Sprintf("%s takes no minibatches to stay on", row.Name),
			Try:     setting.Text("{leapfrog}")}
	case c.GradNoise != 0 || c.Fisher:
		return &ConfigError{Setting: "grad-noise",
			Problem: fmt.Sprintf("gradients of %s are exact", row.Name), Try: other}
	case c.SyntheticNoise != "":
		return &ConfigError{Setting: "synthetic-noise",
			Problem: fmt.Sprintf("the Metropolis test of %s needs exact gradients", row.Name),
			Try:     other}
	}
	c.FullBatch = true
	return nil
}

// Adapts reports whether the warm-up adapts the step size to the acceptance.
func (c *Config) Adapts() bool {
	row, ok := table.Lookup(c.Sampler)
	return ok && row.Metropolis && c.Step == 0
}

// defaultLeapfrog is the default number of steps of a trajectory.
const defaultLeapfrog = 10

// leastEnergyError is the smallest limit for the change of the energy along a step. With a smaller
// one, rounding of the log density of many rows would cause needless halving of steps.
const leastEnergyError = 0.01

// DefaultMaxDepth limits a trajectory to 1023 steps.
const DefaultMaxDepth = 10
