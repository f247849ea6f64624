package health

import (
	"strings"

	"github.com/sgppl/sgppl/runtime/base/setting"
	"github.com/sgppl/sgppl/runtime/infer/sampler/settings"
	"github.com/sgppl/sgppl/runtime/infer/sampler/table"
)

// A remedy returns the text of a change of settings that may cure a finding, for a block with
// settings c and the sampler in row. It returns "" if the sampler does not have the setting, or has
// it changed already.
type remedy func(c *settings.Config, row *table.Row) string

// always returns a remedy that does not depend on the settings.
func always(text string) remedy {
	return func(*settings.Config, *table.Row) string { return setting.Text(text) }
}

var (
	// For a run with an anchor, the plan finds the warm-up and the thinning.
	longerWarmup = unplanned("a longer {warmup}")
	moreThin     = unplanned("more {thin}")
	longerTime   = planned("more {time}")
	noncentred   = always("a model whose groups are mu + tau * eta with eta ~ normal(0, 1)")
)

// planned restricts a remedy to runs with an anchor and a plan, unplanned to other runs.
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

// smallerStep advises a smaller step, or a higher acceptance if the sampler adapts its step to it.
func smallerStep(c *settings.Config, row *table.Row) string {
	if row.Metropolis && c.Step == 0 {
		return largerAccept(c, row)
	}
	return setting.Text("a smaller {step}")
}

// largerAccept advises the next higher of the usual targets of acceptance.
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
		// noise is subtracted from the kick, which a smaller friction would make too small
		return ""
	}
	return setting.Text("a smaller {friction}")
}

// noiseOut advises to subtract the noise of minibatches from that of the kick, for samplers that
// can and minibatches that are drawn independently. Rows that are read in blocks cannot be drawn
// so.
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

// allRowsInstead advises full passes, for runs with minibatches.
func allRowsInstead(c *settings.Config, row *table.Row) string {
	if c.Batch == 0 || row.Metropolis || len(c.Blocks) > 0 {
		return ""
	}
	if row.Curved {
		return setting.Text("{sampler} gmc on all rows")
	}
	return setting.Text("{sampler} nuts on all rows")
}

// moreReplicas advises more replicas than there are.
func moreReplicas(c *settings.Config, _ *table.Row) string {
	return setting.Sprintf("{replicas} %d", max(2*c.Replicas, 2))
}

// exchanged advises replica exchange, for samplers that have it.
func exchanged(c *settings.Config, row *table.Row) string {
	if !row.Metropolis || c.Replicas > 0 || c.Temperature != 1 {
		return ""
	}
	return setting.Text("{replicas} 8")
}

// relabelled advises exchanges of labels, for samplers that have them.
func relabelled(c *settings.Config, row *table.Row) string {
	if !row.Metropolis || c.Permute != "" || c.Temperature != 1 {
		return ""
	}
	return setting.Text("{permute} with the dim of labels")
}

// smallerInit advises a smaller radius, for random starts.
func smallerInit(c *settings.Config, _ *table.Row) string {
	if len(c.Init) > 0 || c.InitRadius == 0 {
		return ""
	}
	return setting.Text("a smaller {init}")
}

// otherInit advises another start, unless starts come from the prior already.
func otherInit(c *settings.Config, _ *table.Row) string {
	if len(c.Init) > 0 {
		return setting.Text("another {init}")
	}
	return setting.Text("{init} prior")
}

// replaceOrder advises independent minibatches, for passes without replacement. Rows that are read
// in blocks cannot be drawn so.
func replaceOrder(c *settings.Config, _ *table.Row) string {
	if c.Batch == 0 || c.BatchOrder == "replace" || c.BatchOrder == "blocks" {
		return ""
	}
	return setting.Text("{batch-order} replace")
}

// thermostats advises samplers with thermostats, which compensate for the noise of minibatches, for
// the same geometry.
func thermostats(c *settings.Config, row *table.Row) string {
	switch {
	case row.Thermostat() || row.Metropolis:
		return ""
	case strings.HasPrefix(row.Name, "geodesic"):
		return setting.Text("thermostats ({sampler} geodesic_sgnht)")
	}
	return setting.Text("thermostats ({sampler} msgnht)")
}
