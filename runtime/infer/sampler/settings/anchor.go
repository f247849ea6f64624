package settings

import (
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler/table"
)

// Anchors are the values of Config.Anchor: "auto" has it at the mode of the posterior, or
// where there is none at its mean.
var Anchors = []string{"auto", "mode", "mean", "none"}

// Anchored reports whether the settings ask for minibatches whose gradients have a control variate
// at an anchor, by a plan that is found before the first draw: see package tall.
func (c *Config) Anchored() bool {
	return c.Anchor == "auto" || c.Anchor == "mode" || c.Anchor == "mean"
}

// InPairs reports whether a sampler with an anchor has its chains in pairs, by which the bias is
// known: those of constant friction.
func InPairs(name string) bool {
	row, ok := table.Lookup(name)
	return !ok || row.Name == "sghmc" || row.Name == "geodesic_sghmc"
}

// AnchoredByHand reports whether a sampler that is named takes minibatches with an anchor.
func AnchoredByHand(name string) bool {
	row, ok := table.Lookup(name)
	return ok && row.Velocity && !row.Metropolis
}

// FullPasses are the settings of nuts on all rows, or of gmc where a block is curved, in place of
// minibatches with an anchor; settings of the anchor are removed.
func (c Config) FullPasses() Config {
	d := DefaultConfig()
	c.Sampler, c.Anchor, c.MaxBias, c.TimeLimit = "auto", "", 0, 0
	c.Scheme, c.Step, c.Friction, c.Batch, c.FullBatch, c.BatchOrder = "", 0, d.Friction, 0, true,
		d.BatchOrder
	c.LogDensityEstimate = true
	c.Warmup, c.Thin = d.Warmup, d.Thin
	if c.TargetESS > 0 { // else the number of draws is given
		// An iteration of nuts gives half an effective draw or more where its metric fits.
		c.Draws = max(d.Draws, int64(2*c.TargetESS/float64(c.Chains))+1)
	}
	c.TargetESS = 0
	return c
}

// WithoutAnchor are the settings of a run of t for which minibatches with an anchor do not
// do: those of full passes, or where there are none, of minibatches without an anchor.
func (c Config) WithoutAnchor(t target.Target) Config {
	c = c.FullPasses()
	c.FullBatch = target.FullPasses(t)
	return c
}
