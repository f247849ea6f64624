package hmc

import (
	"fmt"
	"math"

	"github.com/sgppl/sgppl/runtime/base/setting"
	"github.com/sgppl/sgppl/runtime/dynamics/flow"
	"github.com/sgppl/sgppl/runtime/infer/start"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// firstStep doubles or halves the step until the acceptance of one leapfrog step crosses 0.8
// (Hoffman and Gelman 2014, algorithm 4, with Stan's 0.8 and its fresh momentum for each try).
// Position and density are restored. A start far in the tails of an unstable model needs steps of
// 1e-100, so after half the tries the step shrinks faster.
func (m *Sampler) firstStep(iteration int64) error {
	const limit = 100
	a := m.Adaptation
	up := false
	for try := range limit {
		rise := m.oneLeap(uint64(iteration)*limit + uint64(try))
		enough := -rise > firstAcceptance
		if try == 0 {
			up = enough
		} else if up != enough {
			return nil
		}
		switch {
		case up && a.size > largestStep:
			return &start.Error{Chain: m.Chain,
				Problem: fmt.Sprintf("no step size is too large here (%g): the posterior has no "+
					"finite integral, or is flat where the chain is", a.size),
				Try: setting.Text("proper priors, or {step}")}
		case up:
			a.size *= 2
		case try < limit/2:
			a.size /= 2
		default:
			a.size /= 1024
		}
	}
	return &start.Error{Chain: m.Chain,
		Problem: "no step size is small enough here: the density is not smooth, or its gradient is wrong",
		Try:     setting.Text("another {init}, or {step}")}
}

// firstAcceptance is log 0.8, the acceptance that firstStep looks for.
const firstAcceptance = -0.2231435513142097

const largestStep = 1e7

// oneLeap returns the rise of the energy over T in one leapfrog step, with a momentum from the
// adaptation's stream; +Inf where it is not finite.
func (m *Sampler) oneLeap(key uint64) float64 {
	a, s, at, t := m.Adaptation, m.State, &m.start, m.Config.Temperature
	a.gradients++
	copy(at.v, s.V)
	m.velocity(m.Streams.Adapt, key)
	kinetic := flow.SumSquares(s.V)
	var after, density float64
	if a.metric != nil {
		p := &a.point
		p.Set(s.X, s.V, s.Force, m.density)
		a.metric.Whiten(p)
		a.metric.Aim(a.size)
		a.metric.Leap(m.Eval, t, p)
		after, density = flow.SumSquares(p.R), p.Density
	} else {
		before := m.density
		copy(at.x, s.X)
		copy(at.force, s.Force)
		m.Program.Run(a.size)
		after, density = flow.SumSquares(s.V), m.density
		copy(s.X, at.x)
		copy(s.Force, at.force)
		m.density = before
	}
	copy(s.V, at.v)
	rise := ((m.density - density) + float64(0.5*(after-kinetic))) / t
	if !special.Finite(rise) {
		return math.Inf(1)
	}
	return rise
}
