package sampler

import (
	"math"
	"slices"

	"github.com/sgppl/sgppl/runtime/dynamics/flow"
	"github.com/sgppl/sgppl/runtime/infer/sampler/adapt"
)

// The rule for the step. In a direction of stiffness λ, ABOBA with a thermostat gives x at the end
// of a step (1 − h²λ/4) of the right variance, and ξ settles above D by about h². h²V/T is the part
// of a coordinate's energy that comes from the gradient's noise. hD is the part of v that is
// forgotten in a step.
const (
	stiffShare = 0.09 // bound on h²λ of the stiffest direction, averaged over states
	largeShare = 1.0  // bound on h²λ of the stiffest direction at any state
	noiseShare = 0.05 // bound on h²V/T
	dampShare  = 0.3  // bound on hD
)

// findStep returns the largest step within these bounds.
func (c *Chain) findStep() float64 {
	n := len(c.state.X)
	u, grad, other := make([]float64, n), make([]float64, n), make([]float64, n)
	c.stream(purposeProbe).Normals(0, u)
	mean, most := 0.0, 0.0
	for k, z := range c.pilot.states {
		turns := 8
		if k == 0 {
			turns = 40 // u is still a random direction
		}
		l := c.stiffness(z, u, grad, other, turns)
		mean += float64(l / probes)
		most = max(most, l)
	}
	h := min(math.Sqrt(stiffShare/mean), math.Sqrt(largeShare/most))
	if d := c.cfg.Friction; d > 0 {
		h = min(h, dampShare/d)
	}
	if v := c.gradientVariance(grad, other); v > 0 {
		h = min(h, math.Sqrt(noiseShare*c.cfg.Temperature/v))
	}
	return h
}

// stiffness returns the eigenvalue of largest magnitude of the second derivative of −f at z, by
// power iteration on differences of the gradient over all of the pilot's rows. u is the initial
// direction and is improved.
func (c *Chain) stiffness(z, u, grad, other []float64, turns int) float64 {
	t := c.cfg.Temperature
	of := adapt.Mapped{Evaluator: c.pilot.chain.eval, Metric: c.mapped.Metric, X: c.mapped.X,
		G: c.mapped.G}
	at := c.pilot.scratch
	l := 0.0
	for range turns {
		norm := math.Sqrt(flow.SumSquares(u))
		if !(norm > 0) {
			return l
		}
		for i := range u {
			u[i] /= norm
		}
		const by = 1e-4 // about this many standard deviations of the posterior
		for i := range u {
			at[i] = z[i] + float64(by*u[i])
		}
		of.Gradient(at, nil, 1, t, grad)
		for i := range u {
			at[i] = z[i] - float64(by*u[i])
		}
		of.Gradient(at, nil, 1, t, other)
		for i := range u {
			u[i] = (other[i] - grad[i]) / (2 * by)
		}
		l = math.Sqrt(flow.SumSquares(u))
	}
	return l
}

// gradientVariance returns the largest variance of a coordinate of the gradient over minibatches; 0
// without minibatches.
func (c *Chain) gradientVariance(grad, mean []float64) float64 {
	if c.batches == nil || c.exact() {
		return 0
	}
	const tries = 64
	clear(mean)
	squares := make([]float64, len(mean))
	for k := range tries {
		rows, scale := c.batch(int64(k))
		c.eval.Gradient(c.state.X, rows, scale, c.cfg.Temperature, grad)
		for i, g := range grad {
			d := g - mean[i]
			mean[i] += d / float64(k+1)
			squares[i] += float64(d * (g - mean[i]))
		}
	}
	return slices.Max(squares) / (tries - 1)
}
