package model

import "github.com/sgppl/sgppl/runtime/math/kernel"

// Single reports whether the model computes in single precision. Samplers may then hold their state
// in single precision.
func (m *Model) Single() bool { return m.Spec.Single }

// A carried is scratch of GradientSingle. It holds the state and the gradient in double precision.
// Functions in single precision read and write only their scalar entries, so that it ends with the
// last of these, unless a call has needed all.
type carried struct {
	x, grad []float64
	numbers []int
}

func (m *Model) newCarried() *carried {
	c := &carried{}
	at := 0
	for i := range m.Spec.Params {
		p := &m.Spec.Params[i]
		if len(p.State) == 0 {
			c.numbers = append(c.numbers, at)
		}
		at += p.StateLen(m.Dims)
	}
	if n := len(c.numbers); n > 0 {
		c.reach(c.numbers[n-1] + 1)
	}
	return c
}

// reach makes room for the first n entries.
func (c *carried) reach(n int) {
	if len(c.x) < n {
		c.x, c.grad = make([]float64, n), make([]float64, n)
	}
}

// GradientSingle implements target.SingleEvaluator: it is Gradient of x, rounded, without
// a copy of either where the model computes in single precision.
func (e *Evaluator) GradientSingle(
	x []float32, rows []int, scale, jacobian float64, grad []float32,
) {
	rows = e.local(rows)
	if e.carried == nil {
		e.carried = e.m.newCarried()
	}
	c := e.carried
	if !e.m.Spec.Single || e.locals != nil || rows == nil && e.masks == nil && e.collapsed() {
		c.reach(len(x))
		kernel.Widen(c.x, x)
		e.gradientOf(c.x, rows, scale, jacobian, c.grad)
		kernel.Narrow(grad, c.grad)
		return
	}
	for _, i := range c.numbers {
		c.x[i] = float64(x[i])
	}
	e.frame.Scale, e.frame.Jacobian = scale, jacobian
	e.frame.X32, e.frame.Out32 = x, grad
	e.call(e.gradientFunc(), c.x, rows, c.grad, nil, 0)
	e.frame.X32, e.frame.Out32 = nil, nil
	for _, i := range c.numbers {
		grad[i] = float32(c.grad[i])
	}
}

// Single returns the state in single precision: X32 if the caller's state is in single precision,
// otherwise X rounded into the buffer room.
func (f *Frame) Single(room *[]float32) []float32 {
	if f.X32 != nil {
		return f.X32
	}
	if len(*room) != len(f.X) { // at the first call
		*room = make([]float32, len(f.X))
	}
	kernel.Narrow(*room, f.X)
	return *room
}

// SingleOut returns the array that a function in single precision writes its outputs to: the
// caller's array if it is in single precision, otherwise the buffer room, from which Widen copies.
func (f *Frame) SingleOut(room *[]float32) []float32 {
	if f.Out32 != nil {
		return f.Out32
	}
	if len(*room) != len(f.Out) {
		*room = make([]float32, len(f.Out))
	}
	return *room
}

// Widen writes an output that starts at an offset into Out, unless the caller has it.
func (f *Frame) Widen(at int, block []float32) {
	if f.Out32 == nil {
		kernel.Widen(f.Out[at:][:len(block)], block)
	}
}
