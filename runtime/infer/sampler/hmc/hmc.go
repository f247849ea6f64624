// Package hmc moves the state of a chain by Hamiltonian trajectories on all rows: those of a
// fixed number of steps with a Metropolis test (gmc), and those that double until they turn back
// (nuts). It finds their step size and their metric in the warm-up.
package hmc

import (
	"math"

	"github.com/sgppl/sgppl/runtime/dynamics/flow"
	"github.com/sgppl/sgppl/runtime/dynamics/scheme"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler/settings"
	"github.com/sgppl/sgppl/runtime/math/rng"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// A System is the state of a chain with the program of its equations of motion and its log density;
// trajectories move it.
type System struct {
	State   *flow.State
	Program *scheme.Program
	Eval    target.Evaluator
	Config  settings.Config
	Chain   int // number of the chain
	Streams Streams
}

// Streams has the random streams of trajectories, by purpose.
type Streams struct {
	Momentum rng.Stream // the velocity at the start of a trajectory
	Accept   rng.Stream // the Metropolis test
	// directions in which a trajectory of nuts doubles, and the choice of candidates
	Direction rng.Stream
	Adapt     rng.Stream // velocities for steps that are tried
	Jitter    rng.Stream // random factors of gmc's steps
}

// A Sampler runs the iterations of a chain whose sampler has a Metropolis test.
type Sampler struct {
	System
	Last       Trajectory
	Adaptation *Adaptation // nil if the step is given
	Tree       *Tree       // for nuts; otherwise nil

	density    float64 // log density at the state's x
	ready      bool    // density and force belong to the present x
	start      origin
	iterations int64 // number of the current iteration, counted from 0
}

// A Trajectory describes the last iteration.
type Trajectory struct {
	Acceptance float64 // probability of the Metropolis test, or its mean over a tree
	Diverging  bool    // the energy error exceeded its limit
}

// An origin is the start of a trajectory, which a rejection restores.
type origin struct {
	x, v, force []float64
	density     float64
}

// divergence is the rise of the energy over T above which a trajectory counts as diverging (as in
// Stan).
const divergence = 1000

// New returns the sampler of a system. From now on, the gradient in the system's state belongs to
// the sampler.
func New(s System) *Sampler {
	n := len(s.State.X)
	m := &Sampler{System: s, Last: Trajectory{Acceptance: math.NaN()}, start: origin{
		x: make([]float64, n), v: make([]float64, n), force: make([]float64, n),
	}}
	m.State.Gradient = m.gradient
	return m
}

// gradient computes the force of the flow state together with the log density. The Jacobian is
// weighted by T, since a chart x = f(y) has the potential Ũ(f(y)) − T log|J(y)|.
func (m *Sampler) gradient() {
	s := m.State
	m.density = m.Eval.LogDensityGradient(s.X, nil, 1, m.Config.Temperature, s.Force)
}

// Prime computes the density and the force at x at the start of a run or when it is resumed; at the
// start it also finds the first step size. It reports whether density and force are finite.
func (m *Sampler) Prime(iteration int64) (finite bool, err error) {
	if m.ready {
		return true, nil
	}
	m.gradient()
	if !special.Finite(m.density) || special.FirstNonFinite(m.State.Force) >= 0 {
		return false, nil
	}
	m.ready = true
	if a := m.Adaptation; a != nil && iteration == a.from {
		return true, m.beginAdaptation()
	}
	return true, nil
}

// Iterate runs an iteration with steps of size h, and adapts to it in the warm-up. Prime must be
// called before it.
func (m *Sampler) Iterate(iteration int64, h float64) error {
	m.iterations = iteration
	if m.Tree != nil {
		m.grow(h)
	} else {
		m.travel(h)
	}
	if m.Adaptation != nil {
		return m.learn(m.Last.Acceptance)
	}
	return nil
}

// Density returns the log density at the state, and whether it is known.
func (m *Sampler) Density() (f float64, known bool) { return m.density, m.ready }

// Forget has the next Prime compute density and force again, since the state has been changed.
func (m *Sampler) Forget() { m.ready = false }

// Leapfrogs returns the number of gradients of the last trajectory.
func (m *Sampler) Leapfrogs() int {
	if m.Tree != nil {
		return m.Tree.last.gradients
	}
	return m.Config.Leapfrog
}

// Copy takes over the description of the last iteration from another sampler, that of a pilot.
func (m *Sampler) Copy(of *Sampler) {
	m.Last = of.Last
	if m.Tree != nil {
		m.Tree.last = of.Tree.last
	}
}

// velocity draws v ~ N(0, T Λ(x)).
func (m *Sampler) velocity(from rng.Stream, key uint64) {
	s := m.State
	from.Normals(key, s.V)
	for k := range s.Factors {
		f := &s.Factors[k]
		if f.Flat {
			continue
		}
		n := f.Space.Ambient()
		for at := f.Offset; at < f.Offset+f.Len; at += n {
			f.Space.Project(s.X[at:at+n], s.V[at:at+n])
		}
	}
	sd := math.Sqrt(m.Config.Temperature)
	for i := range s.V {
		s.V[i] *= sd
	}
}
