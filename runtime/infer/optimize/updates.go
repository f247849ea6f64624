package optimize

import "math"

// Santa works with p, ξ, h and D of the samplers, which are the paper's
// u = h p, α = h ξ and η = h²: its A, B and O are those of the multivariate
// thermostat (package flow), with the metric g in drift and kick.

// An update is a step, in the precision of the chain's state.
type update struct {
	double func(c *Chain, b *body[float64], h float64)
	single func(c *Chain, b *body[float32], h float64)
}

// run takes the step.
func (u update) run(c *Chain, h float64) {
	if c.half == nil {
		u.double(c, &c.body, h)
		return
	}
	c.take()
	u.single(c, &c.half.body, h)
	c.half.unseen = true
}

// split is a step of Santa by symmetric splitting, with the gradient at the
// half-drifted x; the paper's algorithm takes it half a drift earlier, which is
// a negative friction of first order. A new g begins with its gradient.
func split[T float32 | float64](c *Chain, b *body[T], h float64) {
	half, temp := 0.5*h, c.temperature()
	rate := half
	if !c.alive() {
		rate = 0
	}
	for lo := 0; lo < len(b.x); lo += block {
		hi := min(lo+block, len(b.x))
		b.santaDrift(b.x[lo:hi], b.p[lo:hi], b.xi[lo:hi], b.metric[lo:hi], b.scratch[lo:hi],
			T(half), T(temp), T(rate))
		b.exp(b.scratch[lo:hi], b.scratch[lo:hi])
	}
	force(c, b, temp)
	draw(c, b, temp)
	sd := c.noiseSD(temp, h)
	pass(c, b, func(lo, hi int) {
		b.santaKick(b.x[lo:hi], b.p[lo:hi], b.force[lo:hi], b.noise[lo:hi], b.xi[lo:hi],
			b.square[lo:hi], b.metric[lo:hi], b.scratch[lo:hi],
			T(h), T(sd), T(half), T(temp), T(rate), T(c.decay), T(1-c.decay), T(c.perRow),
			T(c.lambda))
	})
}

// block is how many coordinates are in the cache from one pass to the next.
const block = 2048

// pass runs the end of a step by blocks, and sees whether what it leaves is
// finite: a momentum that is not is in the position at once.
func pass[T float32 | float64](c *Chain, b *body[T], run func(lo, hi int)) {
	for lo := 0; lo < len(b.x); lo += block {
		hi := min(lo+block, len(b.x))
		run(lo, hi)
		c.broken = c.broken || !b.finite(b.x[lo:hi]) ||
			b.xi != nil && !b.finite(b.xi[lo:hi]) || b.square != nil && !b.finite(b.square[lo:hi])
	}
}

// force is that of the step's minibatch, with the weight given to log|J|: a
// chart x = f(y) has the potential Ũ(f(y)) − T log|J(y)|.
func force[T float32 | float64](c *Chain, b *body[T], jacobian float64) {
	if c.locals != nil { // drawn anew at every step; tuned less and less
		c.locals.Visit(uint64(c.step), true)
	}
	if c.masks != nil {
		c.masks.MaskStep(uint64(c.step))
	}
	b.gradient(c, jacobian)
	if c.cfg.Clip == 0 {
		return
	}
	if length := math.Sqrt(b.dot(b.force, b.force)) * c.perRow; length > c.cfg.Clip {
		shrink := T(c.cfg.Clip / length)
		for i := range b.force {
			b.force[i] *= shrink
		}
	}
}

// draw fetches the standard normals of the step, where it has noise.
func draw[T float32 | float64](c *Chain, b *body[T], temp float64) {
	if temp > 0 && c.friction > 0 {
		b.normals(c, b.noise)
		b.quiet = false
	} else if !b.quiet {
		clear(b.noise) // their weight is 0
		b.quiet = true
	}
}

// noiseSD is the standard deviation of the momentum's noise in a step, √(2DTh).
func (c *Chain) noiseSD(temp, h float64) float64 {
	return math.Sqrt(float64(float64(2*c.friction) * float64(temp*h)))
}

// euler is a step of Santa by Euler's scheme: v and g, then ξ, p and x in turn.
func euler[T float32 | float64](c *Chain, b *body[T], h float64) {
	temp := c.temperature()
	rate := h
	if !c.alive() {
		rate = 0
	}
	force(c, b, temp)
	draw(c, b, temp)
	keep, add := c.decay, 1-c.decay
	if c.step == 0 {
		keep, add = 0, c.firstWeight()
	}
	sd := c.noiseSD(temp, h)
	pass(c, b, func(lo, hi int) {
		b.santaEuler(b.x[lo:hi], b.p[lo:hi], b.force[lo:hi], b.noise[lo:hi], b.xi[lo:hi],
			b.square[lo:hi],
			T(h), T(sd), T(temp), T(rate), T(keep), T(add), T(c.perRow), T(c.lambda))
	})
}

// firstWeight makes the first v of the first gradient's square: σ v₀ + (1 − σ) m²
// with v₀ given in m².
func (c *Chain) firstWeight() float64 { return float64(c.decay*c.v0) + (1 - c.decay) }

// prepare sets v and g by the gradient at the start.
func prepare[T float32 | float64](c *Chain, b *body[T]) {
	force(c, b, c.temperature())
	weight, inv := T(c.firstWeight()), T(c.perRow)
	for i, f := range b.force {
		m := T(f * inv)
		b.square[i] = T(weight * T(m*m))
	}
	setMetric(c, b)
}

// setMetric makes g of v.
func setMetric[T float32 | float64](c *Chain, b *body[T]) {
	lambda := T(c.lambda)
	for i, s := range b.square {
		b.metric[i] = 1 / root(lambda+root(s))
	}
}

// root is rounded once, in single precision too.
func root[T float32 | float64](x T) T { return T(math.Sqrt(float64(x))) }

func adam[T float32 | float64](c *Chain, b *body[T], h float64) {
	force(c, b, 0)
	t := c.step + 1
	h /= 1 - power(c.mu, t)
	root := math.Sqrt(1 - power(c.decay, t))
	pass(c, b, func(lo, hi int) {
		b.adam(b.x[lo:hi], b.p[lo:hi], b.force[lo:hi], b.square[lo:hi],
			T(h), T(c.mu), T(1-c.mu), T(c.decay), T(1-c.decay), T(c.perRow), T(root), T(c.lambda))
	})
}

func rmsprop[T float32 | float64](c *Chain, b *body[T], h float64) {
	force(c, b, 0)
	pass(c, b, func(lo, hi int) {
		b.rmsprop(b.x[lo:hi], b.force[lo:hi], b.square[lo:hi], T(h), T(c.decay), T(1-c.decay),
			T(c.perRow), T(c.lambda))
	})
}

func momentum[T float32 | float64](c *Chain, b *body[T], h float64) {
	force(c, b, 0)
	pass(c, b, func(lo, hi int) {
		b.momentum(b.x[lo:hi], b.p[lo:hi], b.force[lo:hi], T(h), T(c.mu), T(c.perRow))
	})
}

func descent[T float32 | float64](c *Chain, b *body[T], h float64) {
	force(c, b, 0)
	t := T(h * c.perRow)
	pass(c, b, func(lo, hi int) { b.axpy(t, b.force[lo:hi], b.x[lo:hi]) })
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
