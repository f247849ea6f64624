package approximate

import (
	"context"
	"math"

	"github.com/sgppl/sgppl/runtime/math/kernel"
)

// An end says why a climb ended.
type end int

const (
	arrived   end = iota // the gradient is zero, to rounding
	stuck                // no step along the direction gains
	exhausted            // it took as many steps as it may
	unbounded            // the density rises without end along a line
)

const (
	memory = 6 // pairs of steps and differences of gradients; Zhang et al. 2022, section 3
	// A climb has arrived where the Newton decrement, which is about twice what the log
	// density can still gain, is below this.
	decrement = 1e-9
	armijo    = 1e-4
	curvature = 0.9
	mostTries = 60 // points of a line search
	farStep   = 1e12
)

// A pair is a step and the difference of the gradients of −log p along it.
type pair struct{ s, z []float64 }

// A climber goes up a density by L-BFGS (Nocedal and Wright 2006, algorithm 7.5), with the line
// search by bisection of Lewis and Overton 2013, "Nonsmooth optimization via quasi-Newton
// methods", algorithm 2.6, whose steps satisfy the weak conditions of Wolfe.
type climber struct {
	f     func(x, grad []float64) float64
	x, g  []float64 // where it is, and the gradient of log p
	value float64
	pairs []pair
	step  []float64
	next  []float64
	other []float64
}

func newClimber(f func(x, grad []float64) float64, x []float64) *climber {
	d := len(x)
	c := &climber{f: f, x: append([]float64(nil), x...), g: make([]float64, d),
		step: make([]float64, d), next: make([]float64, d), other: make([]float64, d)}
	c.value = f(c.x, c.g)
	return c
}

// climb takes most steps at most, and calls see after each, until see returns false.
func (c *climber) climb(ctx context.Context, most int, see func() bool) (end, error) {
	restarted := false
	for range most {
		if err := ctx.Err(); err != nil {
			return stuck, err
		}
		c.direction()
		slope := kernel.Dot(c.step, c.g)
		if slope == 0 || len(c.pairs) > 0 && slope < decrement {
			return arrived, nil
		}
		switch how := c.line(slope); {
		case how == unbounded:
			return unbounded, nil
		case how == stuck && (restarted || len(c.pairs) == 0):
			if slope < 1e-6*(1+math.Abs(c.value)) { // rounding hides what is left
				return arrived, nil
			}
			return stuck, nil
		case how == stuck: // the memory misleads: straight up, once
			c.pairs, restarted = nil, true
			continue
		}
		restarted = false
		if see != nil && !see() {
			return exhausted, nil
		}
	}
	return exhausted, nil
}

// direction writes the step: the gradient times the inverse Hessian of the pairs.
func (c *climber) direction() {
	copy(c.step, c.g)
	if len(c.pairs) == 0 {
		norm := math.Sqrt(kernel.Dot(c.g, c.g))
		for i := range c.step {
			c.step[i] /= max(norm, 1)
		}
		return
	}
	applyInverse(c.step, c.pairs)
	if !(kernel.Dot(c.step, c.g) > 0) {
		c.pairs = nil
		c.direction()
	}
}

// applyInverse multiplies q by the inverse Hessian of pairs: the two loops of Nocedal and Wright,
// algorithm 7.4.
func applyInverse(q []float64, pairs []pair) {
	var a [memory]float64
	for k := len(pairs) - 1; k >= 0; k-- {
		p := &pairs[k]
		a[k] = kernel.Dot(p.s, q) / kernel.Dot(p.s, p.z)
		kernel.Axpy(-a[k], p.z, q)
	}
	p := &pairs[len(pairs)-1]
	by := kernel.Dot(p.s, p.z) / kernel.Dot(p.z, p.z)
	for i := range q {
		q[i] *= by
	}
	for k := range pairs {
		p := &pairs[k]
		b := kernel.Dot(p.z, q) / kernel.Dot(p.s, p.z)
		kernel.Axpy(a[k]-b, p.s, q)
	}
}

// line goes along the step, and takes the pair of it into the memory.
func (c *climber) line(slope float64) end {
	low, high, by := 0.0, math.Inf(1), 1.0
	took := false
	for range mostTries {
		for i := range c.next {
			c.next[i] = c.x[i] + float64(by*c.step[i])
		}
		f := c.f(c.next, c.other)
		switch {
		case math.IsInf(f, 1):
			return unbounded
		case !(f >= c.value+float64(armijo*by*slope)):
			high = by
		case kernel.Dot(c.other, c.step) > curvature*slope:
			low, took = by, true
		default:
			c.take(f)
			return arrived
		}
		if math.IsInf(high, 1) {
			if by *= 2; by > farStep {
				return unbounded
			}
			continue
		}
		by = (low + high) / 2
	}
	if !took {
		return stuck
	}
	// the interval is as short as rounding lets it be: its lower end gains
	for i := range c.next {
		c.next[i] = c.x[i] + float64(low*c.step[i])
	}
	c.take(c.f(c.next, c.other))
	return arrived
}

// take moves to next.
func (c *climber) take(f float64) {
	d := len(c.x)
	p := pair{make([]float64, d), make([]float64, d)}
	for i := range d {
		p.s[i], p.z[i] = c.next[i]-c.x[i], c.g[i]-c.other[i]
	}
	copy(c.x, c.next)
	copy(c.g, c.other)
	c.value = f
	if kernel.Dot(p.s, p.z) > 1e-12*kernel.Dot(p.z, p.z) {
		if c.pairs = append(c.pairs, p); len(c.pairs) > memory {
			c.pairs = c.pairs[1:]
		}
	}
}
