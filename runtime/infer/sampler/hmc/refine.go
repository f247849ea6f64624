package hmc

import (
	"math"

	"github.com/sgppl/sgppl/runtime/dynamics/flow"
	"github.com/sgppl/sgppl/runtime/infer/sampler/adapt"
)

// A refiner takes the steps of a trajectory, and halves those along which the energy changes too
// much. A step of length h is taken as 2^k steps of h/2^k, with the least k for which the energies
// along it stay within a tolerance of each other. The step is reversible if the same rule, applied
// from its end, gives the same k. If a smaller k would do from there, the trajectory ends, as at a
// U-turn. Then a trajectory does not depend on the point of it that it starts from, as multinomial
// sampling requires.
//
// Source: Bou-Rabee, Carpenter, Kleppe and Liu (2025), The within-orbit adaptive leapfrog no-U-turn
// sampler, arXiv:2506.18746, section 3, with the deterministic choice of k.
type refiner struct {
	from, back adapt.Phase
	tolerance  float64 // the largest range of energies over T along a step
	coarse     float64 // energy after the last step if it is not halved
}

// newRefiner returns a refiner for n coordinates. With tolerance 0, no step is halved.
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
	irreversible         // from its end, fewer halvings would do
	diverging            // the energy is not kept even with the most halvings
)

// become copies the point q to p.
func become(p, q *adapt.Phase) {
	copy(p.X, q.X)
	copy(p.R, q.R)
	copy(p.G, q.G)
	copy(p.W, q.W)
	p.Density = q.Density
}

// leap takes one leapfrog step of size h; negative steps go back in time.
func (m *Sampler) leap(p *adapt.Phase, h float64) {
	if t := m.Tree; t.metric != nil {
		t.metric.Leap(m.Eval, m.Config.Temperature, p)
	} else {
		m.geodesicLeap(h, p)
	}
	m.Tree.last.gradients++
}

// aim sets the step size of the leaps that follow.
func (t *Tree) aim(h float64) {
	if t.metric != nil {
		t.metric.Aim(h)
	}
}

// energyOf returns the energy at a phase.
func energyOf(p *adapt.Phase) float64 {
	return float64(0.5*flow.SumSquares(p.R)) - p.Density
}

// holds takes n steps of size h, replacing p by the point at their end, and reports whether the
// energies along them are within the tolerance of each other.
func (m *Sampler) holds(p *adapt.Phase, energy, h float64, n int) bool {
	least, greatest := energy, energy
	bound := m.Tree.refiner.tolerance * m.Config.Temperature
	if a := m.Adaptation; a != nil && m.iterations < a.from+a.windows.First {
		bound = math.Inf(1) // far from the posterior's mass, energies fall by more
	}
	for range n {
		m.leap(p, h)
		e := energyOf(p)
		least, greatest = min(least, e), max(greatest, e)
		if !(greatest-least <= bound) { // also if it is NaN
			return false
		}
	}
	return true
}

// advance takes a step of the trajectory, replacing p by the point at its end, with as many
// halvings as needed. The step size that aim has set is h before and after.
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
