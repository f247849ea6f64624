package sampler

import (
	"math"

	"github.com/sgppl/sgppl/runtime/dynamics/flow"
	"github.com/sgppl/sgppl/runtime/infer/sampler/health"
	"github.com/sgppl/sgppl/runtime/math/rng"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// A trajectory is what a chain with a Metropolis test has besides its state:
// where the trajectory began, and the log density f there and here.
type trajectory struct {
	steps           int
	momentum, test  rng.Stream
	x, v, force     []float64
	density, before float64
	ready           bool // force and density belong to x
	// Of the last trajectory:
	acceptance float64
	diverging  bool
}

// divergence is the rise of the energy over T above which a trajectory has
// left the level set of its energy (as in Stan).
const divergence = 1000

func newTrajectory(c *Chain) trajectory {
	n := len(c.state.X)
	return trajectory{
		steps: c.cfg.Leapfrog, momentum: c.stream(rng.Momentum), test: c.stream(rng.Accept),
		x: make([]float64, n), v: make([]float64, n), force: make([]float64, n),
		acceptance: math.NaN(),
	}
}

// carriedGradient is the flow state's gradient where the log density is wanted
// with it; see computeGradient for the Jacobian's weight.
func (c *Chain) carriedGradient() {
	s := c.state
	c.trajectory.density = c.eval.LogDensityGradient(s.X, nil, 1, c.cfg.Temperature, s.Force)
}

// iterate is one step of a sampler with a Metropolis test.
func (c *Chain) iterate() error {
	if err := c.prime(); err != nil {
		return err
	}
	h, err := c.stepSize(), error(nil)
	if c.row.Tree {
		c.grow(h)
	} else {
		c.travel(h)
	}
	if c.adapt != nil {
		err = c.learn(c.trajectory.acceptance)
	}
	if c.observe {
		c.health.accept.Add(c.trajectory.acceptance)
		c.health.gradient(c)
	}
	return err
}

// prime computes the density and the force at x, at the start of a run or of
// its continuation, and at the former the first step size.
func (c *Chain) prime() error {
	m := &c.trajectory
	if m.ready {
		return nil
	}
	c.carriedGradient()
	if !special.Finite(m.density) || special.FirstNonFinite(c.state.Force) >= 0 {
		c.step++
		return c.diverged(c.stepSize())
	}
	m.ready = true
	if c.adapt != nil && c.step == c.adapt.from {
		return c.beginAdaptation()
	}
	return nil
}

// travel is one step: v ~ N(0, T Λ), a trajectory of leapfrog steps along
// geodesics, and acceptance with probability min(1, exp(−Δ(−f + v·v/2)/T)),
// else the return to its start. What is not finite on the way is a rejection.
func (c *Chain) travel(h float64) {
	s, m, t := c.state, &c.trajectory, c.cfg.Temperature
	c.freshVelocity(t)
	copy(m.x, s.X)
	copy(m.v, s.V)
	copy(m.force, s.Force)
	m.before = m.density
	kinetic := flow.SumSquares(s.V)
	if c.adapt != nil {
		h *= c.jitter()
	}
	if c.adapt != nil && c.adapt.metric != nil {
		c.adapt.travel(c, h)
	} else {
		for range m.steps {
			if c.program.Run(h); !special.Finite(m.density) {
				break
			}
		}
	}
	rise := ((m.before - m.density) + float64(0.5*(flow.SumSquares(s.V)-kinetic))) / t
	m.diverging = !(rise < divergence)
	m.acceptance = 0
	if !m.diverging && special.Finite(rise) && s.Finite() {
		m.acceptance = special.Exp(-max(rise, 0))
	}
	src := m.test.At(uint64(c.step))
	if !(src.Float64() < m.acceptance) {
		copy(s.X, m.x)
		copy(s.V, m.v)
		copy(s.Force, m.force)
		m.density = m.before
	}
}

// jitter is a factor for a step that was found, uniform within a fifth of 1.
// In a metric that fits, all directions have one period; a trajectory of just
// that length would come back to its start again and again (Neal 2011, "MCMC
// using Hamiltonian dynamics", section 3.2, with his range).
func (c *Chain) jitter() float64 {
	src := c.stream(purposeJitter).At(uint64(c.step))
	return 0.8 + float64(0.4*src.Float64())
}

// freshVelocity draws v ~ N(0, T Λ(x)).
func (c *Chain) freshVelocity(t float64) {
	c.velocity(c.trajectory.momentum, uint64(c.step), t)
}

func (c *Chain) velocity(from rng.Stream, key uint64, t float64) {
	s := c.state
	from.Normals(key, s.V)
	for k := range s.Factors {
		f := &s.Factors[k]
		if f.Flat {
			continue
		}
		m := f.Space.Ambient()
		for at := f.Offset; at < f.Offset+f.Len; at += m {
			f.Space.Project(s.X[at:at+m], s.V[at:at+m])
		}
	}
	sd := math.Sqrt(t)
	for i := range s.V {
		s.V[i] *= sd
	}
}

// appendAcceptance reports the mean probability of acceptance. A test that
// hardly ever passes says that the step is too large.
func appendAcceptance(out []health.Row, chains []*Chain) []health.Row {
	var all []*health.Series
	for _, c := range chains {
		if s := &c.health.accept; c.row.Metropolis && s.N > 0 {
			all = append(all, s)
		}
	}
	if len(all) == 0 {
		return out
	}
	mean, mcse := health.Merge(all)
	row := health.Row{Block: "all", Statistic: "acceptance_rate", Value: mean, Expected: math.NaN(),
		MCSE: mcse, Verdict: "ok"}
	if !(mean >= leastAcceptance) {
		row.Verdict = "off"
	}
	return append(out, row)
}

// leastAcceptance is half of what is best for Hamiltonian trajectories in many
// dimensions (0.65, Beskos et al. 2013).
const leastAcceptance = 0.3
