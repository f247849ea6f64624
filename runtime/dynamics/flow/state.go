// Package flow has the pieces that samplers are made of: each flow is the
// exact solution, for a time t, of one sub-equation of
//
//	dx = v dt,  dv = −∇Ũ(x) dt − ξ v dt + sqrt(2DT) dW,  dξ = (v·v/d − T) dt
//
// on a product of manifolds. The names drift, thermostat, friction and kick
// are used instead of letters, since A, B and O mean other things in the
// molecular-dynamics literature. Equations: Liu, Zhu and Song, "Stochastic
// Gradient Geodesic MCMC Methods" (2016), and Li et al., "High-Order
// Stochastic Gradient Thermostats for Bayesian Learning of Deep Models"
// (2016); corrections to both are noted where they apply.
package flow

import (
	"math"

	"github.com/sgppl/sgppl/runtime/dynamics/manifold"
	"github.com/sgppl/sgppl/runtime/math/kernel"
)

// A Grain is the part of the state that shares one thermostat variable ξ.
type Grain int

const (
	Constant   Grain = iota // no thermostat: ξ is the friction D
	Coordinate              // one per coordinate, flat blocks only
	Point                   // one per point of a manifold
	All                     // one for the whole state
)

func (g Grain) String() string {
	return [...]string{"constant", "coordinate", "point", "all"}[g]
}

// A Factor is a block of the state with its thermostat variables.
type Factor struct {
	manifold.Factor
	Grain       Grain
	XiAt, XiLen int  // its variables are State.Xi[XiAt : XiAt+XiLen]
	Still       bool // it has no velocity
}

// bounds are the ends of the block in the state vector.
func (f *Factor) bounds() (lo, hi int) { return f.Offset, f.Offset + f.Len }

// Params are the constants of the dynamics.
type Params struct {
	Temperature float64 // T: the target is π^{1/T}
	Friction    float64 // D: of the kick's noise, and ξ where there is no thermostat
	GradNoise   float64 // V̂: the variance of ∇Ũ that the kick takes out of its noise
	Diffusion   float64 // B: adds N(0, 2Bt) to the force's impulse, a synthetic gradient noise
	// Of the RMSprop preconditioner g = 1 ⊘ (λ + √v):
	Decay  float64 // σ of v ← σ v + (1 − σ) ∇Ũ² / Rows²
	Lambda float64 // λ
	// N, or 1: v is of the mean gradient, so that λ and steps compare between data sets
	Rows float64
}

// A State is (x, v, ξ) with the workspace of a step. All slices but Xi have the
// length of the state vector.
type State struct {
	Params
	Factors []Factor
	// Spans are what flows run over: Factors, with neighbouring flat blocks that
	// are treated alike joined into one, so that a model of many scalars is one
	// loop.
	Spans []Factor
	X, V  []float64
	Xi    []float64
	// Force is ∇f = −∇Ũ at the X of its computation; Gradient fills it.
	Force    []float64
	Gradient func()
	// Noise and Extra hold the step's standard normals, made in bulk by the
	// caller before the step: those of the kick, and those of the synthetic
	// diffusion.
	Noise, Extra []float64
	// Drawing is where step joins have the kick's normals from, in place of Noise.
	Drawing Drawing
	// Shaped: Noise holds the noise of the kick as it is, and no standard normals.
	Shaped bool
	// Square is v of the preconditioner; Primed says that it has seen a gradient
	// (the owner of the loop sets it after the first step).
	Square []float64
	Primed bool
	// Single, if not nil, is the state in single precision that flows work on.
	Single *Single
	// Repeatable friction: exp(−ξt) of the last Friction, one number per entry
	// of Xi, or one in all under constant friction.
	decay []float64
	dofs  int
	// of step joins; see Share
	sharing *sharing
	whole   span[float64] // of a step join that is not shared
	part    bool          // of another state, whose arrays these are
}

// Options says which variables a state has.
type Options struct {
	Velocity       bool
	Grain          Grain // of flat blocks; curved blocks take Point where this is Coordinate
	Preconditioner bool
	Synthetic      bool
}

// NewState lays out the state of a product manifold of dim coordinates.
func NewState(factors []manifold.Factor, dim int, p Params, o Options) *State {
	s := &State{Params: p}
	s.X = make([]float64, dim)
	s.Force = make([]float64, dim)
	s.Noise = make([]float64, dim)
	if o.Velocity {
		s.V = make([]float64, dim)
	}
	if o.Synthetic {
		s.Extra = make([]float64, dim)
	}
	if o.Preconditioner {
		s.Square = make([]float64, dim)
	}
	xi := 0
	if o.Grain == All {
		xi = 1
	}
	for _, m := range factors {
		f := newFactor(m, o, xi)
		if f.Grain == All {
			f.XiAt = 0
		}
		if f.Grain == Coordinate || f.Grain == Point {
			xi += f.XiLen
		}
		s.dofs += f.Dim()
		s.Factors = append(s.Factors, f)
		s.join(f)
	}
	s.Xi = make([]float64, xi)
	s.decay = make([]float64, max(xi, 1))
	return s
}

// newFactor is a block whose thermostats begin at xi.
func newFactor(m manifold.Factor, o Options, xi int) Factor {
	f := Factor{Factor: m, Grain: o.Grain, Still: !o.Velocity}
	if f.Grain == Coordinate && !m.Flat {
		f.Grain = Point
	}
	switch f.Grain {
	case Coordinate:
		f.XiAt, f.XiLen = xi, m.Len
	case Point:
		f.XiAt, f.XiLen = xi, m.Points
	case All:
		f.XiAt, f.XiLen = xi, 1
	}
	return f
}

// join appends f to the spans, or to the last of them.
func (s *State) join(f Factor) {
	if n := len(s.Spans); n > 0 && f.Flat && f.Grain != Point {
		l := &s.Spans[n-1]
		if l.Flat && l.Grain == f.Grain && l.Offset+l.Len == f.Offset {
			l.Len += f.Len
			l.Space = manifold.NewEuclidean(l.Len)
			if f.Grain == Coordinate {
				l.XiLen += f.XiLen
			}
			return
		}
	}
	s.Spans = append(s.Spans, f)
}

// Finite reports whether position, velocity and thermostats all are.
func (s *State) Finite() bool {
	if s.Single != nil {
		return s.Single.Finite()
	}
	return finite(s.X) && finite(s.V) && finite(s.Xi)
}

// finite adds the numbers up: a sum that is finite has no other terms. Where it is
// not, they may only be large, and are looked at one by one.
func finite(x []float64) bool {
	if s := kernel.Sum(x); s-s == 0 {
		return true
	}
	for _, z := range x {
		if z-z != 0 {
			return false
		}
	}
	return true
}

// sumSquares adds v² by a fixed tree of eight lanes.
func sumSquares(v []float64) float64 { return kernel.Dot(v, v) }

// kickSD is the standard deviation of the noise that a kick adds over time t: sqrt(2DTt − V̂t²).
// It is NaN where V̂t², the variance that the noise of the gradient already has, exceeds 2DTt.
func (p *Params) kickSD(t float64) float64 {
	return math.Sqrt(float64(2*p.Friction*p.Temperature*t) - float64(p.GradNoise*float64(t*t)))
}

// impulse turns the standard normals u, in place, into the impulse of a kick: g t plus noise of
// variance 2DTt − V̂t². If noise is shaped, u holds that noise itself. The synthetic diffusion is
// added as well.
func (s *State) impulse(u, g []float64, lo, hi int, t float64) {
	g = g[:len(u)]
	sd := 1.0
	if !s.Shaped {
		sd = s.kickSD(t)
	}
	for i := range u {
		u[i] = float64(g[i]*t) + float64(sd*u[i])
	}
	s.addExtra(u, lo, hi, t)
}

// Plain says that the kick's noise is one number and nothing is added to it,
// for which fusions and step joins are written.
func (s *State) Plain() bool { return s.Diffusion == 0 && !s.Shaped }

// SumSquares adds v² by the fixed tree that thermostats use.
func SumSquares(v []float64) float64 { return sumSquares(v) }

// Finite reports whether all the numbers are.
func Finite(x []float64) bool { return finite(x) }
