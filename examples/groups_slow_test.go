//go:build slow

package examples_test

import (
	"math"
	"testing"

	"github.com/sgppl/sgppl/runtime/diagnose"
	"github.com/sgppl/sgppl/runtime/sampler"
	"github.com/sgppl/sgppl/runtime/target"
)

// TestGroupsPosterior: the params have the posterior that they have with the
// effects integrated out, whether groups come all together or as minibatches.
func TestGroupsPosterior(t *testing.T) {
	cfg := sampler.DefaultConfig()
	cfg.Sampler, cfg.Chains, cfg.Warmup, cfg.Draws, cfg.Seed = "nuts", 2, 500, 4000, seed
	exact := collect(t, collapsedGroups(t), cfg)
	cfg = sampler.DefaultConfig()
	cfg.Sampler, cfg.Step, cfg.Friction, cfg.Batch, cfg.InitRadius = "msgnht", 0.005, 2, 20, 0.5
	cfg.Chains, cfg.Warmup, cfg.Draws, cfg.Thin, cfg.Seed = 2, 4000, 4000, 10, seed+1
	cfg.LocalOptions = target.LocalOptions{BurnIn: 5, Kept: 5}
	drawn := collect(t, drawnGroups(t), cfg)
	for i, name := range []string{"m", "b", "tau", "sigma"} {
		a, b := diagnose.Summarize(coordinate(drawn, i)), diagnose.Summarize(coordinate(exact, i))
		z := (a.Mean - b.Mean) / math.Hypot(a.MCSEMean, b.MCSEMean)
		t.Logf("%s: %.4f ± %.4f, exact %.4f ± %.4f, z = %.2f; spread %.4f, exact %.4f", name, a.Mean, a.MCSEMean, b.Mean, b.MCSEMean, z, a.SD, b.SD)
		if !(math.Abs(z) <= maxZ) || !(a.MCSEMean < 0.1*a.SD) {
			t.Errorf("%s: %.4f ± %.4f, exact %.4f", name, a.Mean, a.MCSEMean, b.Mean)
		}
		if !(math.Abs(a.SD/b.SD-1) < 0.15) {
			t.Errorf("%s: spread %.4f, exact %.4f", name, a.SD, b.SD)
		}
	}
}
