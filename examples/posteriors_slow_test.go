//go:build slow

package examples_test

import (
	"testing"

	"github.com/sgppl/sgppl/runtime/infer/sampler"
)

// TestPosteriorGrid: every method on every posterior, with all rows and, where
// there are rows, with minibatches.
func TestPosteriorGrid(t *testing.T) {
	close, tied, three, far := mixtures(t)
	far.name += " within its modes"
	far.want = far.want[len(far.want)-1:]
	all := append(regressions(t), binomials(t)...)
	for _, p := range append(all, close, three, far, tied) {
		for _, by := range methods {
			t.Run(p.label(by, false), func(t *testing.T) { p.check(t, by, false) })
			if p.batch > 0 {
				t.Run(p.label(by, true), func(t *testing.T) { p.check(t, by, true) })
			}
		}
	}
}

// TestFarModes: two modes with a barrier of 7.3 between them, of which the
// share is right in a run that crosses it thousands of times. Crossings come
// once in about 1/(1.9e-4) units of time (transition state theory), so that
// 2e8 steps of 0.2 are some 3800 independent draws.
func TestFarModes(t *testing.T) {
	_, _, _, far := mixtures(t)
	c := sampler.DefaultConfig()
	c.Sampler, c.Step, c.Friction, c.InitRadius = "msgnht", 0.2, 1, 5
	c.Chains, c.Warmup, c.Draws, c.Thin = 4, 1000000, 10000, 5000
	d := collect(t, far.target(t), c)
	meets(t, d, far.want)
	healthy(t, d.Health)
}
