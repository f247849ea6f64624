package settings

import (
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler/table"
)

// Anchors lists the values of Config.Anchor. "auto" places the anchor at the mode of the posterior,
// or at its mean if there is no mode.
var Anchors = []string{"auto", "mode", "mean", "none"}

// Anchored reports whether the settings ask for minibatches whose gradients have a control variate
// at an anchor. Such a run follows a plan that is made before the first draw; see package tall.
func (c *Config) Anchored() bool {
	return c.Anchor == "auto" || c.Anchor == "mode" || c.Anchor == "mean"
}

// InPairs reports whether a sampler with an anchor runs its chains in pairs, from which the bias is
// estimated: those with constant friction do.
func InPairs(name string) bool {
	row, ok := table.Lookup(name)
	return !ok || row.Name == "sghmc" || row.Name == "geodesic_sghmc"
}

// AnchoredByHand reports whether a sampler, if the user names it, can use minibatches with an
// anchor.
func AnchoredByHand(name string) bool {
	row, ok := table.Lookup(name)
	return ok && row.Velocity && !row.Metropolis
}

// FullPasses returns the settings for nuts on all rows, or for gmc if a block is curved, in place
// of minibatches with an anchor. Settings of the anchor are removed.
func (c Config) FullPasses() Config {
	d := DefaultConfig()
	c.Sampler, c.Anchor, c.MaxBias, c.TimeLimit = "auto", "", 0, 0
	c.Scheme, c.Step, c.Friction, c.Batch, c.FullBatch, c.BatchOrder = "", 0, d.Friction, 0, true,
		d.BatchOrder
	c.LogDensityEstimate = true
	c.Warmup, c.Thin = d.Warmup, d.Thin
	if c.TargetESS > 0 { // otherwise the number of draws is given
		// An iteration of nuts gives half an effective draw or more if its metric fits.
		c.Draws = max(d.Draws, int64(2*c.TargetESS/float64(c.Chains))+1)
	}
	c.TargetESS = 0
	return c
}

// WithoutAnchor returns the settings for a run of t if minibatches with an anchor are not suitable:
// full passes or, if the target has none, minibatches without an anchor.
func (c Config) WithoutAnchor(t target.Target) Config {
	c = c.FullPasses()
	c.FullBatch = target.FullPasses(t)
	return c
}
