package hmc

import (
	"github.com/sgppl/sgppl/runtime/dynamics/flow"
	"github.com/sgppl/sgppl/runtime/infer/sampler/adapt"
	"github.com/sgppl/sgppl/runtime/math/rng"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// A Tree is what the no-U-turn sampler knows besides the state of its chain:
// multinomial sampling from trajectories that double until they turn back
// (Hoffman and Gelman 2014; Betancourt 2017, appendix A), with the generalised
// criterion and its checks across subtrees, as Stan has it.
//
// On curved spaces a leaf is a step of geodesic Monte Carlo (Byrne and Girolami
// 2013): reversible and volume-preserving as the leapfrog, which is all that
// the trajectory asks for. Momenta are tangent vectors in the coordinates of
// the embedding, where they are added up; at an end the part of the sum that is
// not tangent there has no product with the momentum.
//
// A doubling is built leaf by leaf with a stack of complete subtrees instead
// of by recursion: no more than one a level waits for its neighbour.
type Tree struct {
	metric   *adapt.Metric // nil where a block is curved
	maxDepth int
	src      rng.Source
	trajectory
	doubling
	candidate candidate
	refiner   refiner
	last      iteration
	Energies  Energies
}

// A trajectory is the part of the tree that has no U-turn.
type trajectory struct {
	left, right adapt.Phase // its ends
	rho         []float64   // sum of its momenta
	start       float64     // energy of its start
	offset      float64     // weights are e^{−ΔH/T − offset}
	total       float64     // weight
}

// A doubling is the leaves by which the trajectory is being doubled.
type doubling struct {
	joint       []float64 // momentum of the end that they continue
	pending     []node    // by level, the complete subtrees that wait for their neighbours
	current     node
	leaf        []float64 // momentum of the leaf that waits for its neighbour
	leafKinetic float64   // twice its kinetic energy
	weight      float64
}

// A candidate is a leaf of the doubling, with probability ∝ its weight.
type candidate struct {
	x, g            []float64
	density, energy float64
}

// An iteration is what a trajectory has come to.
type iteration struct {
	steps, depth int // leaves
	gradients    int
	diverging    bool
	energy       float64 // of the draw
	acceptance   float64 // summed over leaves
}

// NewTree returns what nuts needs for a system, with the adaptation's metric.
func NewTree(m *Sampler) *Tree {
	n := len(m.State.X)
	t := &Tree{maxDepth: m.Config.MaxDepth}
	if m.Adaptation != nil {
		t.metric = m.Adaptation.metric
	} else if adapt.Flat(m.State.Factors) {
		t.metric = adapt.NewMetric(n, false)
	}
	mixes := t.metric != nil && t.metric.Mixes()
	t.left, t.right = adapt.NewPhase(n, mixes), adapt.NewPhase(n, mixes)
	t.refiner = newRefiner(n, mixes, m.Config.EnergyError)
	buffer := make([]float64, (3*(t.maxDepth+1)+5)*n)
	for range t.maxDepth {
		t.pending = append(t.pending, newNode(&buffer, n))
	}
	t.current = newNode(&buffer, n)
	for _, p := range []*[]float64{&t.rho, &t.joint, &t.leaf, &t.candidate.x, &t.candidate.g} {
		*p = take(&buffer, n)
	}
	return t
}

// Depth returns the doublings of the last trajectory, and whether it reached the greatest depth.
func (t *Tree) Depth() (doublings int, deepest bool) {
	return t.last.depth, t.last.depth == t.maxDepth
}

// Energy returns the energy of the last draw.
func (t *Tree) Energy() float64 { return t.last.energy }

// grow takes an iteration with leapfrog steps of size h.
func (m *Sampler) grow(h float64) {
	s, t := m.State, m.Tree
	m.velocity(m.Streams.Momentum, uint64(m.iterations))
	t.begin(m)
	x, force, density := s.X, s.Force, m.density // of the draw
	if t.metric == nil {                         // leaves are computed in the chain's state
		x, force = m.start.x, m.start.force
		copy(x, s.X)
		copy(force, s.Force)
		copy(m.start.v, s.V)
	}
	for t.last.depth < t.maxDepth {
		end, far := &t.right, &t.left
		step := h
		if t.src.Uint64()>>63 == 0 {
			end, far = far, end
			step = -h
		}
		t.aim(step)
		copy(t.joint, end.R)
		if !t.double(m, end, step) {
			break
		}
		t.last.depth++
		if float64(t.src.Float64()*t.total) < t.weight {
			copy(x, t.candidate.x)
			copy(force, t.candidate.g)
			density, t.last.energy = t.candidate.density, t.candidate.energy
		}
		t.total += t.weight
		if !merge(node{far.R, t.joint, t.rho}, t.current) {
			break
		}
		t.rho, t.current.rho = t.current.rho, t.rho
	}
	m.density = density
	if t.metric == nil {
		copy(s.X, x)
		copy(s.Force, force)
		copy(s.V, m.start.v)
	}
	m.Last.Acceptance = t.last.acceptance / float64(t.last.steps)
	m.Last.Diverging = t.last.diverging
	if m.iterations >= m.Config.Warmup {
		t.Energies.add(t)
	}
}

// begin makes the start the whole trajectory.
func (t *Tree) begin(m *Sampler) {
	s := m.State
	t.src = m.Streams.Direction.At(uint64(m.iterations))
	t.left.Set(s.X, s.V, s.Force, m.density)
	if t.metric != nil {
		t.metric.Whiten(&t.left)
	}
	t.right.Set(s.X, s.V, s.Force, m.density)
	copy(t.right.W, t.left.W)
	copy(t.rho, s.V)
	t.start = float64(0.5*flow.SumSquares(s.V)) - m.density
	t.offset, t.total = 0, 1
	t.last = iteration{energy: t.start}
}

// double adds 2^depth leaves beyond an end, as t.current with a candidate and
// its weight. It stops, false, where one of them diverges or a subtree turns.
func (t *Tree) double(m *Sampler, p *adapt.Phase, h float64) bool {
	t.weight = 0
	last := 1<<t.last.depth - 1
	for k := 0; k <= last; k++ {
		t.last.steps++
		halvings, end := m.advance(p, h)
		switch end {
		case irreversible:
			return false
		case diverging:
			t.last.diverging = true
			return false
		}
		before := t.last.acceptance
		twice := flow.SumSquares(p.R)
		if !t.weigh(p, float64(0.5*twice)-p.Density, m.Config.Temperature) {
			t.last.diverging = true
			return false
		}
		if halvings > 0 { // the step that is found follows from what it does unhalved
			t.last.acceptance = before + t.chance(m.Config.Temperature)
		}
		if k&1 == 0 {
			copy(t.leaf, p.R)
			t.leafKinetic = twice
			continue
		}
		if !t.pair(p.R, twice) {
			return false
		}
		level := 1
		for ; k>>level&1 == 1; level++ {
			a := &t.pending[level]
			if !merge(*a, t.current) {
				return false
			}
			a.first, t.current.first = t.current.first, a.first
		}
		if k < last {
			t.pending[level], t.current = t.current, t.pending[level]
		}
	}
	if last == 0 {
		copy(t.current.first, p.R)
		copy(t.current.last, p.R)
		copy(t.current.rho, p.R)
	}
	return true
}

// chance is the acceptance of the last step if it had not been halved.
func (t *Tree) chance(temperature float64) float64 {
	fall := (t.start - t.refiner.coarse) / temperature
	if !special.Finite(fall) {
		return 0
	}
	return special.Exp(min(fall, 0))
}

// geodesicLeap is one step of geodesic Monte Carlo from p to p, below 0 back in time.
func (m *Sampler) geodesicLeap(h float64, p *adapt.Phase) {
	s := m.State
	copy(s.X, p.X)
	copy(s.V, p.R)
	copy(s.Force, p.G)
	m.Program.Run(h)
	copy(p.X, s.X)
	copy(p.R, s.V)
	copy(p.G, s.Force)
	p.Density = m.density
}

// weigh gives a leaf its weight and its chance to be the candidate, in the
// proportion of its weight to those so far. False: it diverges.
func (t *Tree) weigh(p *adapt.Phase, energy, temperature float64) bool {
	fall := (t.start - energy) / temperature
	if !(-fall < divergence) || !special.Finite(fall) {
		return false
	}
	if fall-t.offset > 500 { // far from the typical set: keep sums in range
		shift := special.Exp(t.offset - fall)
		t.total *= shift
		t.weight *= shift
		t.offset = fall
	}
	w := special.Exp(fall - t.offset)
	switch {
	case fall >= 0:
		t.last.acceptance++
	case t.offset == 0:
		t.last.acceptance += w
	default:
		t.last.acceptance += special.Exp(fall)
	}
	t.weight += w
	if float64(t.src.Float64()*t.weight) < w {
		copy(t.candidate.x, p.X)
		copy(t.candidate.g, p.G)
		t.candidate.density, t.candidate.energy = p.Density, energy
	}
	return true
}
