package optimize

import (
	"math"

	"github.com/sgppl/sgppl/runtime/flow"
	"github.com/sgppl/sgppl/runtime/kernel"
	"github.com/sgppl/sgppl/runtime/special"
)

// Santa works with p, ξ, h and D of the samplers, which are the paper's
// u = h p, α = h ξ and η = h²: its A, B and O are those of the multivariate
// thermostat (package flow), with the metric g in drift and kick.

// split is a step of Santa by symmetric splitting, with the gradient at the
// half-drifted x; the paper's algorithm takes it half a drift earlier, which is
// a negative friction of first order. A new g begins with its gradient.
func split(c *Chain, h float64) {
	half, temp := 0.5*h, c.temperature()
	rate := half
	if !c.alive() {
		rate = 0
	}
	for lo := 0; lo < len(c.x); lo += block {
		hi := min(lo+block, len(c.x))
		kernel.SantaDrift(c.x[lo:hi], c.p[lo:hi], c.xi[lo:hi], c.metric[lo:hi], c.scratch[lo:hi], half, temp, rate)
		special.ExpSlice(c.scratch[lo:hi], c.scratch[lo:hi])
	}
	c.gradient(temp)
	c.draw(temp)
	sd := c.noiseSD(temp, h)
	c.pass(func(lo, hi int) {
		kernel.SantaKick(c.x[lo:hi], c.p[lo:hi], c.force[lo:hi], c.noise[lo:hi], c.xi[lo:hi], c.square[lo:hi], c.metric[lo:hi], c.scratch[lo:hi],
			h, sd, half, temp, rate, c.decay, 1-c.decay, c.perRow, c.lambda)
	})
}

// block is how many coordinates are in the cache from one pass to the next.
const block = 2048

// pass runs the end of a step by blocks, and sees whether what it leaves is
// finite: a momentum that is not is in the position at once.
func (c *Chain) pass(run func(lo, hi int)) {
	for lo := 0; lo < len(c.x); lo += block {
		hi := min(lo+block, len(c.x))
		run(lo, hi)
		c.broken = c.broken || !flow.Finite(c.x[lo:hi]) ||
			c.xi != nil && !flow.Finite(c.xi[lo:hi]) || c.square != nil && !flow.Finite(c.square[lo:hi])
	}
}

// noiseSD is the standard deviation of the momentum's noise in a step, √(2DTh).
func (c *Chain) noiseSD(temp, h float64) float64 {
	return math.Sqrt(float64(float64(2*c.friction) * float64(temp*h)))
}

// euler is a step of Santa by Euler's scheme: v and g, then ξ, p and x in turn.
func euler(c *Chain, h float64) {
	temp := c.temperature()
	rate := h
	if !c.alive() {
		rate = 0
	}
	c.gradient(temp)
	c.draw(temp)
	keep, add := c.decay, 1-c.decay
	if c.step == 0 {
		keep, add = 0, c.firstWeight()
	}
	sd := c.noiseSD(temp, h)
	c.pass(func(lo, hi int) {
		kernel.SantaEuler(c.x[lo:hi], c.p[lo:hi], c.force[lo:hi], c.noise[lo:hi], c.xi[lo:hi], c.square[lo:hi], h, sd, temp, rate, keep, add, c.perRow, c.lambda)
	})
}

// firstWeight makes the first v of the first gradient's square: σ v₀ + (1 − σ) m²
// with v₀ given in m².
func (c *Chain) firstWeight() float64 { return float64(c.decay*c.v0) + (1 - c.decay) }

// prepare sets v and g by the gradient at the start.
func (c *Chain) prepare() {
	c.fetch()
	c.gradient(c.temperature())
	for i, f := range c.force {
		m := float64(f * c.perRow)
		c.square[i] = float64(c.firstWeight() * float64(m*m))
	}
	c.setMetric()
}

// setMetric makes g of v.
func (c *Chain) setMetric() {
	for i, s := range c.square {
		c.metric[i] = 1 / math.Sqrt(c.lambda+math.Sqrt(s))
	}
}

func adam(c *Chain, h float64) {
	c.gradient(0)
	t := c.step + 1
	h /= 1 - power(c.mu, t)
	root := math.Sqrt(1 - power(c.decay, t))
	c.pass(func(lo, hi int) {
		kernel.Adam(c.x[lo:hi], c.p[lo:hi], c.force[lo:hi], c.square[lo:hi], h, c.mu, 1-c.mu, c.decay, 1-c.decay, c.perRow, root, c.lambda)
	})
}

func rmsprop(c *Chain, h float64) {
	c.gradient(0)
	c.pass(func(lo, hi int) {
		kernel.RMSprop(c.x[lo:hi], c.force[lo:hi], c.square[lo:hi], h, c.decay, 1-c.decay, c.perRow, c.lambda)
	})
}

func momentum(c *Chain, h float64) {
	c.gradient(0)
	c.pass(func(lo, hi int) { kernel.Momentum(c.x[lo:hi], c.p[lo:hi], c.force[lo:hi], h, c.mu, c.perRow) })
}

func descent(c *Chain, h float64) {
	c.gradient(0)
	t := float64(h * c.perRow)
	c.pass(func(lo, hi int) { kernel.Axpy(t, c.force[lo:hi], c.x[lo:hi]) })
}

// power is b^n by squaring, n ≥ 0; the same bits on every machine.
func power(b float64, n int64) float64 {
	out := 1.0
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			out *= b
		}
		b *= b
	}
	return out
}
