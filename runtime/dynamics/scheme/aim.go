package scheme

import "github.com/sgppl/sgppl/runtime/dynamics/flow"

// Flows lists the flows of a step, with the gradient among them.
func (p *Program) Flows() []flow.Kind { return p.kinds() }

// Aim returns the times of the flows of a step of size h. They are valid until the next step.
func (p *Program) Aim(h float64) []float64 {
	p.aim(h)
	return p.times
}
