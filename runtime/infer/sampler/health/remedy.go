package health

import (
	"strings"

	"github.com/sgppl/sgppl/runtime/base/setting"
	"github.com/sgppl/sgppl/runtime/infer/sampler/settings"
	"github.com/sgppl/sgppl/runtime/infer/sampler/table"
)

// A remedy is a change of settings that may mend a finding: its words for a
// block with settings c and the sampler in row; "" where the sampler has no such
// setting, or has it already.
type remedy func(c *settings.Config, row *table.Row) string

// always is a remedy whatever the settings.
func always(text string) remedy {
	return func(*settings.Config, *table.Row) string { return setting.Text(text) }
}

var (
	// The plan of a run with an anchor finds its warm-up and its thinning.
	longerWarmup = unplanned("a longer {warmup}")
	moreThin     = unplanned("more {thin}")
	longerTime   = planned("more {time}")
	noncentred   = always("a model whose groups are mu + tau * eta with eta ~ normal(0, 1)")
)

// planned is a remedy of runs by a plan with an anchor, unplanned of others.
func planned(text string) remedy {
	return func(c *settings.Config, _ *table.Row) string {
		if !c.Anchored() {
			return ""
		}
		return setting.Text(text)
	}
}

func unplanned(text string) remedy {
	return func(c *settings.Config, _ *table.Row) string {
		if c.Anchored() {
			return ""
		}
		return setting.Text(text)
	}
}

// smallerStep is a higher acceptance where the sampler finds its step by that.
func smallerStep(c *settings.Config, row *table.Row) string {
	if row.Metropolis && c.Step == 0 {
		return largerAccept(c, row)
	}
	return setting.Text("a smaller {step}")
}

// largerAccept is the next higher of the usual targets.
func largerAccept(c *settings.Config, row *table.Row) string {
	if !row.Metropolis {
		return ""
	}
	if c.Step > 0 {
		return setting.Text("a smaller {step}")
	}
	switch target := c.TargetAccept; {
	case target < 0.95: // 0 is the default, 0.8
		return setting.Text("{target-accept} 0.95")
	case target < 0.99:
		return setting.Text("{target-accept} 0.99")
	}
	return ""
}

func largerBatch(c *settings.Config, row *table.Row) string {
	if c.Batch == 0 {
		return ""
	}
	return setting.Text("a larger {batch}")
}

func largerFriction(c *settings.Config, row *table.Row) string {
	if !row.Velocity || row.Metropolis {
		return ""
	}
	return setting.Text("a larger {friction}")
}

func smallerFriction(c *settings.Config, row *table.Row) string {
	if !row.Velocity || row.Metropolis || c.Friction <= 0 || c.Fisher || c.GradNoise != 0 {
		// these need as much as there is
		return ""
	}
	return setting.Text("a smaller {friction}")
}

// noiseOut is for samplers whose kick can be reduced by the noise of minibatches that are drawn
// independently. Rows that are read in blocks cannot be drawn so.
func noiseOut(c *settings.Config, row *table.Row) string {
	if !row.Velocity || row.Metropolis || c.Batch < 2 || c.Fisher || c.GradNoise != 0 ||
		c.InnerSteps > 1 || c.BatchOrder == "blocks" || len(c.Blocks) > 0 {
		return ""
	}
	with := ""
	if c.BatchOrder != "replace" {
		with = setting.Text(" and {batch-order} replace")
	}
	return setting.Text("{grad-noise} fisher") + with +
		setting.Text(" with as much {friction} as it asks for")
}

// allRowsInstead is for steps on minibatches.
func allRowsInstead(c *settings.Config, row *table.Row) string {
	if c.Batch == 0 || row.Metropolis || len(c.Blocks) > 0 {
		return ""
	}
	if row.Curved {
		return setting.Text("{sampler} gmc on all rows")
	}
	return setting.Text("{sampler} nuts on all rows")
}

// smallerInit is for starts that are random.
func smallerInit(c *settings.Config, _ *table.Row) string {
	if len(c.Init) > 0 || c.InitRadius == 0 {
		return ""
	}
	return setting.Text("a smaller {init}")
}

// otherInit is for starts that do not come from the prior already.
func otherInit(c *settings.Config, _ *table.Row) string {
	if len(c.Init) > 0 {
		return setting.Text("another {init}")
	}
	return setting.Text("{init} prior")
}

// replaceOrder is for passes without replacement. Rows that are read in blocks
// cannot be taken so.
func replaceOrder(c *settings.Config, _ *table.Row) string {
	if c.Batch == 0 || c.BatchOrder == "replace" || c.BatchOrder == "blocks" {
		return ""
	}
	return setting.Text("{batch-order} replace")
}

// thermostats take up the noise of minibatches; those of the same geometry.
func thermostats(c *settings.Config, row *table.Row) string {
	switch {
	case row.Thermostat() || row.Metropolis:
		return ""
	case strings.HasPrefix(row.Name, "geodesic"):
		return setting.Text("thermostats ({sampler} geodesic_sgnht)")
	}
	return setting.Text("thermostats ({sampler} msgnht)")
}
