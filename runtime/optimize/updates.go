package optimize

import (
	"math"

	"github.com/sgppl/sgppl/runtime/special"
)

// Santa works with p, ξ, h and D of the samplers, which are the paper's
// u = h p, α = h ξ and η = h²: its A, B and O are those of the multivariate
// thermostat (package flow), with the metric g in drift and kick.

// split is a step of Santa by symmetric splitting, with the gradient at the
// half-drifted x; the paper's algorithm takes it half a drift earlier, which is
// a negative friction of first order. A new g begins with its gradient.
func split(c *Chain, h float64) {
	half, temp, alive := 0.5*h, c.temperature(), c.alive()
	x, p, xi, g, e := c.x, c.p, c.xi, c.metric, c.scratch
	p, xi, g, e = p[:len(x)], xi[:len(x)], g[:len(x)], e[:len(x)]
	rate := half
	if !alive {
		rate = 0
	}
	for i := range x {
		v := p[i]
		x[i] += float64(float64(g[i]*v) * half)
		z := xi[i] + float64((float64(v*v)-temp)*rate)
		xi[i] = z
		e[i] = -float64(z * half)
	}
	special.ExpSlice(e, e)
	c.gradient(temp)
	c.draw(temp)
	f, u, q := c.force[:len(x)], c.noise[:len(x)], c.square[:len(x)]
	sd := math.Sqrt(float64(float64(2*c.friction) * float64(temp*h)))
	keep, add, lambda, inv := c.decay, 1-c.decay, c.lambda, c.perRow
	for i := range x {
		m := float64(f[i] * inv)
		s := float64(keep*q[i]) + float64(add*float64(m*m))
		q[i] = s
		a := 1 / math.Sqrt(lambda+math.Sqrt(s))
		g[i] = a
		v := float64(p[i]*e[i]) + (float64(float64(a*f[i])*h) + float64(sd*u[i]))
		v *= e[i]
		p[i] = v
		x[i] += float64(float64(a*v) * half)
		xi[i] += float64((float64(v*v) - temp) * rate)
	}
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
	x := c.x
	p, xi, f, u, q := c.p[:len(x)], c.xi[:len(x)], c.force[:len(x)], c.noise[:len(x)], c.square[:len(x)]
	sd := math.Sqrt(float64(float64(2*c.friction) * float64(temp*h)))
	keep, add, lambda, inv := c.decay, 1-c.decay, c.lambda, c.perRow
	if c.step == 0 {
		keep, add = 0, c.firstWeight()
	}
	for i := range x {
		m := float64(f[i] * inv)
		s := float64(keep*q[i]) + float64(add*float64(m*m))
		q[i] = s
		a := 1 / math.Sqrt(lambda+math.Sqrt(s))
		v := p[i]
		z := xi[i] + float64((float64(v*v)-temp)*rate)
		xi[i] = z
		v = float64(v-float64(float64(z*v)*h)) + (float64(float64(a*f[i])*h) + float64(sd*u[i]))
		p[i] = v
		x[i] += float64(float64(a*v) * h)
	}
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
	x := c.x
	p, f, q := c.p[:len(x)], c.force[:len(x)], c.square[:len(x)]
	mu, decay, lambda, inv := c.mu, c.decay, c.lambda, c.perRow
	t := c.step + 1
	h /= 1 - power(mu, t)
	root := math.Sqrt(1 - power(decay, t))
	for i := range x {
		m := float64(f[i] * inv)
		v := float64(mu*p[i]) + float64((1-mu)*m)
		p[i] = v
		s := float64(decay*q[i]) + float64((1-decay)*float64(m*m))
		q[i] = s
		x[i] += float64(h*v) / (math.Sqrt(s)/root + lambda)
	}
}

func rmsprop(c *Chain, h float64) {
	c.gradient(0)
	x := c.x
	f, q := c.force[:len(x)], c.square[:len(x)]
	decay, lambda, inv := c.decay, c.lambda, c.perRow
	for i := range x {
		m := float64(f[i] * inv)
		s := float64(decay*q[i]) + float64((1-decay)*float64(m*m))
		q[i] = s
		x[i] += float64(h*m) / (math.Sqrt(s) + lambda)
	}
}

func momentum(c *Chain, h float64) {
	c.gradient(0)
	x := c.x
	p, f := c.p[:len(x)], c.force[:len(x)]
	mu, inv := c.mu, c.perRow
	for i := range x {
		v := float64(mu*p[i]) + float64(f[i]*inv)
		p[i] = v
		x[i] += float64(h * v)
	}
}

func descent(c *Chain, h float64) {
	c.gradient(0)
	x, f := c.x, c.force[:len(c.x)]
	t := float64(h * c.perRow)
	for i := range x {
		x[i] += float64(t * f[i])
	}
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
