package hmc

import (
	"math"

	"github.com/sgppl/sgppl/runtime/dynamics/flow"
	"github.com/sgppl/sgppl/runtime/infer/sampler/adapt"
)

// A refiner takes the steps of a trajectory, and halves those along which the energy moves too
// much. A step of length h is taken as 2^k steps of h/2^k with the least k that keeps the
// energies on its way within a tolerance of each other. It is reversible where the same rule,
// applied from its end, takes the same k back; where a smaller one would do on the way back, the
// trajectory ends, as it does at a U-turn. Then every point of a trajectory has the same
// trajectories around it, which is what multinomial sampling from it needs.
//
// Source: Bou-Rabee, Carpenter, Kleppe and Liu (2025), The within-orbit adaptive leapfrog
// no-U-turn sampler, arXiv:2506.18746, section 3, with the deterministic choice of k.
type refiner struct {
	from, back adapt.Phase
	tolerance  float64 // of the range of energies over T along a step
	coarse     float64 // energy after the last step if it is not halved
}

// newRefiner returns a refiner for n coordinates; without a tolerance, 0, no step is halved.
func newRefiner(n int, mixes bool, tolerance float64) refiner {
	r := refiner{tolerance: tolerance}
	if tolerance > 0 {
		r.from, r.back = adapt.NewPhase(n, mixes), adapt.NewPhase(n, mixes)
	}
	return r
}

// mostHalvings is the largest k.
const mostHalvings = 10

// An outcome is how a step of a trajectory ended.
type outcome int

const (
	taken        outcome = iota
	irreversible         // from its end the way back would be another
	diverging            // no number of halvings keeps the energy
)

// become makes p the same point as q.
func become(p, q *adapt.Phase) {
	copy(p.X, q.X)
	copy(p.R, q.R)
	copy(p.G, q.G)
	copy(p.W, q.W)
	p.Density = q.Density
}

// leap takes one leapfrog step of size h, below 0 back in time.
func (m *Sampler) leap(p *adapt.Phase, h float64) {
	if t := m.Tree; t.metric != nil {
		t.metric.Leap(m.Eval, m.Config.Temperature, p)
	} else {
		m.geodesicLeap(h, p)
	}
	m.Tree.last.gradients++
}

// aim sets the step of the leaps that follow.
func (t *Tree) aim(h float64) {
	if t.metric != nil {
		t.metric.Aim(h)
	}
}

// energyOf is the energy at a phase.
func energyOf(p *adapt.Phase) float64 {
	return float64(0.5*flow.SumSquares(p.R)) - p.Density
}

// holds takes n steps of size h from p, to p, and reports whether the energies on the way are
// within the tolerance of each other.
func (m *Sampler) holds(p *adapt.Phase, energy, h float64, n int) bool {
	least, greatest := energy, energy
	bound := m.Tree.refiner.tolerance * m.Config.Temperature
	if a := m.Adaptation; a != nil && m.iterations < a.from+a.windows.First {
		bound = math.Inf(1) // far from where the mass is, energies fall by more
	}
	for range n {
		m.leap(p, h)
		e := energyOf(p)
		least, greatest = min(least, e), max(greatest, e)
		if !(greatest-least <= bound) { // also where it is not a number
			return false
		}
	}
	return true
}

// advance takes a step of the trajectory from p to p, halved as often as it takes. The aim is
// h before and after.
func (m *Sampler) advance(p *adapt.Phase, h float64) (halvings int, end outcome) {
	r := &m.Tree.refiner
	if r.tolerance == 0 {
		m.leap(p, h)
		return 0, taken
	}
	become(&r.from, p)
	start := energyOf(p)
	whole := m.holds(p, start, h, 1)
	if r.coarse = energyOf(p); whole {
		return 0, taken
	}
	defer m.Tree.aim(h)
	for k := 1; k <= mostHalvings; k++ {
		become(p, &r.from)
		part := h / float64(int(1)<<k)
		m.Tree.aim(part)
		if !m.holds(p, start, part, 1<<k) {
			continue
		}
		last := energyOf(p)
		for j := range k {
			become(&r.back, p)
			part := -h / float64(int(1)<<j)
			m.Tree.aim(part)
			if m.holds(&r.back, last, part, 1<<j) {
				return k, irreversible
			}
		}
		return k, taken
	}
	return mostHalvings, diverging
}
