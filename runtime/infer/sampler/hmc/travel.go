package hmc

import (
	"github.com/sgppl/sgppl/runtime/dynamics/flow"
	"github.com/sgppl/sgppl/runtime/infer/sampler/adapt"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// travel is one iteration: it draws v ~ N(0, T Λ), runs a trajectory of leapfrog steps along
// geodesics, and accepts its end with probability min(1, exp(−Δ(−f + v·v/2)/T)), or else returns to
// the start. A value that is not finite along the trajectory causes a rejection.
func (m *Sampler) travel(h float64) {
	s, at, t := m.State, &m.start, m.Config.Temperature
	m.velocity(m.Streams.Momentum, uint64(m.iterations))
	copy(at.x, s.X)
	copy(at.v, s.V)
	copy(at.force, s.Force)
	at.density = m.density
	kinetic := flow.SumSquares(s.V)
	a := m.Adaptation
	if a != nil {
		h *= m.jitter()
	}
	if a != nil && a.metric != nil {
		m.travelIn(a.metric, a.point.W, h)
	} else {
		for range m.Config.Leapfrog {
			if m.Program.Run(h); !special.Finite(m.density) {
				break
			}
		}
	}
	rise := ((at.density - m.density) + float64(0.5*(flow.SumSquares(s.V)-kinetic))) / t
	m.Last.Diverging = !(rise < divergence)
	m.Last.Acceptance = 0
	if !m.Last.Diverging && special.Finite(rise) && s.Finite() {
		m.Last.Acceptance = special.Exp(-max(rise, 0))
	}
	src := m.Streams.Accept.At(uint64(m.iterations))
	if !(src.Float64() < m.Last.Acceptance) {
		copy(s.X, at.x)
		copy(s.V, at.v)
		copy(s.Force, at.force)
		m.density = at.density
	}
}

// travelIn runs a trajectory on R^n in a metric. w is the buffer of a phase.
func (m *Sampler) travelIn(metric *adapt.Metric, w []float64, h float64) {
	s := m.State
	p := adapt.Phase{X: s.X, R: s.V, G: s.Force, W: w, Density: m.density}
	metric.Whiten(&p)
	metric.Aim(h)
	for range m.Config.Leapfrog {
		if metric.Leap(m.Eval, m.Config.Temperature, &p); !special.Finite(p.Density) {
			break
		}
	}
	m.density = p.Density
}

// jitter returns a random factor for an adapted step, uniform within a fifth of 1. In a metric that
// fits, all directions have the same period, and a trajectory of that length would return to its
// start again and again (Neal 2011, "MCMC using Hamiltonian dynamics", section 3.2, with his
// range).
func (m *Sampler) jitter() float64 {
	src := m.Streams.Jitter.At(uint64(m.iterations))
	return 0.8 + float64(0.4*src.Float64())
}
