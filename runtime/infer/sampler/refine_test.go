package sampler

import (
	"math"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/infer/sampler/settings"
)

// narrowing is the law v ~ N(0, 1), x_i ~ N(0, e^v): the scale of x differs by place.
func narrowing(n int) *curved {
	return newCurved(func(x, grad []float64) float64 {
		v, w, sum := x[0], math.Exp(-x[0]), 0.0
		for i, a := range x[1:] {
			sum += a * a
			grad[1+i] = -a * w
		}
		d := float64(len(x) - 1)
		grad[0] = -v - d/2 + sum*w/2
		return -v*v/2 - d*v/2 - sum*w/2
	}, flat(n))
}

// TestEnergyError: trajectories whose steps are halved have the exact law, with a step that is
// too large where the law is narrow.
func TestEnergyError(t *testing.T) {
	for _, bound := range []float64{0.3, 2} {
		c := config("nuts", "", 1.5)
		c.FullBatch, c.EnergyError, c.Warmup, c.Draws, c.Seed = false, bound, 500, 40000, 7
		ch := mustChain(t, narrowing(3), c, 0)
		mustSteps(t, ch, int(c.Warmup))
		var v, z moments // z is x over its scale
		gradients, depth := 0, 0
		for range c.Draws {
			mustSteps(t, ch, 1)
			x, st := ch.Position(), ch.Stats()
			v.add(x[0])
			z.add(x[1] * math.Exp(-x[0]/2))
			gradients += st.Leapfrogs
			depth += 1<<st.Depth - 1
			if st.Diverging {
				t.Fatalf("bound %g: a trajectory diverges", bound)
			}
		}
		v.check(t, "v", 1, 0)
		z.check(t, "x", 1, 0)
		if gradients <= depth {
			t.Errorf("bound %g: %d gradients of at least %d steps: none was halved", bound, gradients,
				depth)
		}
	}
}

// TestEnergyErrorRefused: by other samplers, and where the bound is none.
func TestEnergyErrorRefused(t *testing.T) {
	g := newGaussian(variances(2)).withRows(3, 6)
	for _, of := range []func(c *settings.Config){
		func(c *settings.Config) { c.Sampler, c.EnergyError = "nuts", 1e-9 },
		func(c *settings.Config) { c.Sampler, c.EnergyError = "nuts", math.NaN() },
		func(c *settings.Config) { c.Sampler, c.EnergyError = "hmc", 1 },
		func(c *settings.Config) { c.Sampler, c.Step, c.EnergyError = "sghmc", 0.1, 1 },
	} {
		c := settings.DefaultConfig()
		of(&c)
		if err := c.Validate(g); err == nil || !strings.Contains(err.Error(), "energy-error") &&
			!strings.Contains(err.Error(), "EnergyError") {
			t.Errorf("%s with the bound %g: %v", c.Sampler, c.EnergyError, err)
		}
	}
}
