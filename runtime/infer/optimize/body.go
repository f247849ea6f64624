package optimize

import (
	"github.com/sgppl/sgppl/runtime/dynamics/flow"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/math/kernel"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// A body is the state of a chain with the buffers of a step, in double or in single
// precision.
type body[T float32 | float64] struct {
	// The state: position, momentum, thermostats, average of squares.
	x, p, xi, square []T
	// Of a step: −∇Ũ, the metric g, which lasts until the next gradient,
	// standard normals and scratch.
	force, metric, noise, scratch []T
	quiet                         bool // noise is 0
	*passes[T]
}

// passes are the kernels of updates.
type passes[T float32 | float64] struct {
	santaDrift func(x, p, xi, g, e []T, half, temp, rate T)
	santaKick  func(x, p, f, u, xi, q, g, e []T, h, sd, half, temp, rate, keep, add, inv, lambda T)
	santaEuler func(x, p, f, u, xi, q []T, h, sd, temp, rate, keep, add, inv, lambda T)
	adam       func(x, p, f, q []T, h, mu, rest, keep, add, inv, root, lambda T)
	rmsprop    func(x, f, q []T, h, keep, add, inv, lambda T)
	momentum   func(x, p, f []T, h, mu, inv T)
	axpy       func(a T, x, y []T)
	exp        func(dst, src []T)
	dot        func(x, y []T) float64
	finite     func(x []T) bool
	normals    func(c *Chain, dst []T)
	gradient   func(c *Chain, jacobian float64)
}

var passes64 = passes[float64]{
	kernel.SantaDrift, kernel.SantaKick, kernel.SantaEuler, kernel.Adam, kernel.RMSprop,
	kernel.Momentum, kernel.Axpy, special.ExpSlice, kernel.Dot, flow.Finite,
	func(c *Chain, dst []float64) { c.noises.Normals(uint64(c.step), dst) },
	func(c *Chain, jacobian float64) { c.eval.Gradient(c.x, c.rows, c.scale, jacobian, c.force) },
}

var passes32 = passes[float32]{
	kernel.SantaDrift32, kernel.SantaKick32, kernel.SantaEuler32, kernel.Adam32, kernel.RMSprop32,
	kernel.Momentum32, kernel.Axpy32, special.ExpSlice32, kernel.Dot32, flow.Finite32,
	func(c *Chain, dst []float32) { c.noises.Normals32(uint64(c.step), dst) },
	func(c *Chain, jacobian float64) {
		c.single.GradientSingle(c.half.x, c.rows, c.scale, jacobian, c.half.force)
	},
}

// layout allocates the arrays of n coordinates of an algorithm and, with work, those of its steps.
func (b *body[T]) layout(row *Row, n int, work bool) {
	b.x, b.force = make([]T, n), make([]T, n)
	if row.Momentum {
		b.p = make([]T, n)
	}
	if row.Square {
		b.square = make([]T, n)
	}
	if row.Thermostat {
		b.xi = make([]T, n)
	}
	if row.Thermostat && work {
		b.metric, b.noise, b.scratch = make([]T, n), make([]T, n), make([]T, n)
	}
}

// A half is the state in single precision; that of the chain is then what
// publish copies there.
type half struct {
	body[float32]
	taken  bool // it holds what the chain does, or what came of it
	unseen bool // the chain does not hold what came of it
}

// newHalf gives the chain a state in single precision, where its model computes so.
func (c *Chain) newHalf() {
	t, ok := c.target.(target.Single)
	if !ok || !t.Single() {
		return
	}
	if c.single, ok = c.eval.(target.SingleEvaluator); !ok {
		return
	}
	c.half = &half{}
	c.half.passes = &passes32
	c.half.layout(c.row, c.target.Dim(), true)
}

// take rounds the state, unless the half has it.
func (c *Chain) take() {
	h := c.half
	if h == nil || h.taken {
		return
	}
	h.taken = true
	kernel.Narrow(h.x, c.x)
	kernel.Narrow(h.p, c.p)
	kernel.Narrow(h.xi, c.xi)
	kernel.Narrow(h.square, c.square)
}

// publish writes what steps made of the half into the chain's state, exactly.
func (c *Chain) publish() {
	h := c.half
	if h == nil || !h.unseen {
		return
	}
	h.unseen = false
	kernel.Widen(c.x, h.x)
	kernel.Widen(c.p, h.p)
	kernel.Widen(c.xi, h.xi)
	kernel.Widen(c.square, h.square)
	kernel.Widen(c.force, h.force)
}

// prepare sets v and g before the first step.
func (c *Chain) prepare() {
	if c.half == nil {
		prepare(c, &c.body)
		return
	}
	c.take()
	prepare(c, &c.half.body)
	c.half.unseen = true
}

// remetric makes the g of a v that was read.
func (c *Chain) remetric() {
	if c.half == nil {
		setMetric(c, &c.body)
		return
	}
	c.half.taken, c.half.unseen = false, false
	c.take()
	setMetric(c, &c.half.body)
}

// raise brings thermostats to their floor.
func (c *Chain) raise() {
	if c.half == nil {
		raise(c.xi, c.floor)
		return
	}
	c.take()
	raise(c.half.xi, float32(c.floor))
	c.half.unseen = true
}

func raise[T float32 | float64](xi []T, floor T) {
	for i, z := range xi {
		xi[i] = max(z, floor)
	}
}
