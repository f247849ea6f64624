package hmc

import (
	"github.com/sgppl/sgppl/runtime/dynamics/flow"
	"github.com/sgppl/sgppl/runtime/infer/sampler/adapt"
	"github.com/sgppl/sgppl/runtime/math/rng"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// A Tree has the state of the no-U-turn sampler other than that of its chain. It does multinomial
// sampling from trajectories that double until they turn back (Hoffman and Gelman 2014; Betancourt
// 2017, appendix A), with the generalised criterion and its checks across subtrees, as in Stan.
//
// On curved spaces a leaf is a step of geodesic Monte Carlo (Byrne and Girolami 2013): like the
// leapfrog it is reversible and preserves volume, which is all that the method requires. Momenta
// are tangent vectors in the coordinates of the embedding, where they are added up. At an end, the
// part of the sum that is not tangent there is orthogonal to the momentum.
//
// A doubling is built leaf by leaf with a stack of complete subtrees instead of by recursion: at
// each level at most one subtree is pending.
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

// A trajectory is the part of the tree built so far; it has no U-turn.
type trajectory struct {
	left, right adapt.Phase // its ends
	rho         []float64   // sum of the momenta of its leaves
	start       float64     // energy at the start
	offset      float64     // the weight of a leaf is e^{−ΔH/T − offset}
	total       float64     // total weight
}

// A doubling has the leaves that are being added to the trajectory.
type doubling struct {
	joint       []float64 // momentum at the end that they continue from
	pending     []node    // by level, the complete subtree that still lacks its neighbour
	current     node
	leaf        []float64 // momentum of the leaf that still lacks its neighbour
	leafKinetic float64   // twice its kinetic energy
	weight      float64
}

// A candidate is a leaf of the doubling, chosen with a probability proportional to its weight.
type candidate struct {
	x, g            []float64
	density, energy float64
}

// An iteration describes a trajectory after it has ended.
type iteration struct {
	steps, depth int // steps is the number of leaves
	gradients    int
	diverging    bool
	energy       float64 // energy of the draw
	acceptance   float64 // acceptance summed over leaves
}

// NewTree returns the tree of a system for nuts, with the adaptation's metric.
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

// Depth returns the number of doublings of the last trajectory, and whether it reached the greatest
// depth.
func (t *Tree) Depth() (doublings int, deepest bool) {
	return t.last.depth, t.last.depth == t.maxDepth
}

// Energy returns the energy of the last draw.
func (t *Tree) Energy() float64 { return t.last.energy }

// grow runs an iteration with leapfrog steps of size h.
func (m *Sampler) grow(h float64) {
	s, t := m.State, m.Tree
	m.velocity(m.Streams.Momentum, uint64(m.iterations))
	t.begin(m)
	x, force, density := s.X, s.Force, m.density // those of the draw
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

// begin makes a trajectory of the start alone.
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

// double adds 2^depth leaves beyond an end, and leaves them in t.current with a candidate and its
// weight. It stops and returns false if a leaf diverges or a subtree makes a U-turn.
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
		if halvings > 0 { // the step size is adapted to the steps as if they were not halved
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

// chance returns the acceptance that the last step would have without being halved.
func (t *Tree) chance(temperature float64) float64 {
	fall := (t.start - t.refiner.coarse) / temperature
	if !special.Finite(fall) {
		return 0
	}
	return special.Exp(min(fall, 0))
}

// geodesicLeap takes one step of geodesic Monte Carlo, replacing p by the point at its end;
// negative steps go back in time.
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

// weigh gives a leaf its weight, and makes it the candidate with a probability of its share of the
// weight so far. It returns false if the leaf diverges.
func (t *Tree) weigh(p *adapt.Phase, energy, temperature float64) bool {
	fall := (t.start - energy) / temperature
	if !(-fall < divergence) || !special.Finite(fall) {
		return false
	}
	if fall-t.offset > 500 { // far from the typical set: rescale to avoid overflow of the sums
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
