package flow

import (
	"math"

	"github.com/sgppl/sgppl/runtime/math/kernel"
)

// A Kind names a flow.
type Kind int

const (
	// Drift moves (x, v) along geodesics: x + t v on R^n.
	Drift Kind = iota
	// Thermostat is ξ + (v·v/d − T) t over the d intrinsic dimensions it covers.
	Thermostat
	// Friction is exp(−ξt) v.
	Friction
	// FrictionAgain is Friction with the factor exp(−ξt) of the last one, for
	// the second half of a symmetric word, where ξ and t are the same.
	FrictionAgain
	// Gradient computes −∇Ũ at x; not a flow, it takes no time.
	Gradient
	// Kick is v + Λ(x)[−∇Ũ t + N(0, (2DTt) I − V̂t²)].
	Kick
	// DampedKick is Euler's v − ∇Ũ t − ξ v t + N(0, (2DTt) I − V̂t²).
	DampedKick
	// Langevin is Euler's x − ∇Ũ t + N(0, 2Tt).
	Langevin
	// PreconditionedLangevin is x − g ⊙ ∇Ũ t + N(0, 2Tt g), g = 1 ⊘ (λ + √v).
	PreconditionedLangevin
	// Impulse is v + Λ(x)[−∇Ũ t], the kick of Hamiltonian dynamics.
	Impulse
	// RiemannLangevin is Euler's |x + t (T − x⊙∇Ũ) + N(0, 2Tt |x|)|.
	RiemannLangevin
)

// An Info is a row of the table of flows: the name and the formula of a flow, what it needs, and
// the function that computes it.
type Info struct {
	Kind Kind
	Name string
	Doc  string
	// Curved: defined on every manifold; else on flat blocks only.
	Curved bool
	// Moves x, so that a gradient taken before it is stale; Forced needs one.
	Moves, Forced bool
	// run is the flow for time t on one span; nil for Gradient.
	run func(s *State, f *Factor, t float64)
}

// Table has every flow, in the order of the kinds.
var Table = []Info{
	{Drift, "drift", "(x, v) along the geodesic flow for time t", true, true, false, drift},
	{Thermostat, "thermostat", "ξ + (v·v/d − T) t", true, false, false, thermostat},
	{Friction, "friction", "exp(−ξt) v", true, false, false, friction},
	{FrictionAgain, "friction again", "the same factor as the last friction", true, false, false,
		frictionAgain},
	{Gradient, "gradient", "−∇Ũ at x", true, false, false, nil},
	{Kick, "kick", "v + Λ(x)[−∇Ũ t + N(0, 2DTt − V̂t²)]", true, false, true, kick},
	{DampedKick, "damped kick", "v − ∇Ũ t − ξ v t + N(0, 2DTt − V̂t²)", false, false, true,
		dampedKick},
	{Langevin, "langevin", "x − ∇Ũ t + N(0, 2Tt)", false, true, true, langevin},
	{PreconditionedLangevin, "preconditioned langevin", "x − g⊙∇Ũ t + N(0, 2Tt g)", false, true,
		true, preconditionedLangevin},
	{Impulse, "impulse", "v − Λ(x)∇Ũ t", true, false, true, impulse},
	{RiemannLangevin, "riemann langevin", "|x + t (T − x⊙∇Ũ) + N(0, 2Tt |x|)|", false, true, true,
		riemannLangevin},
}

// Info describes a flow.
func (k Kind) Info() *Info { return &Table[k] }

func (k Kind) String() string { return Table[k].Name }

// Local reports whether the flow treats each span by itself: all do but the gradient, and a
// thermostat that covers the whole state.
func (s *State) Local(k Kind) bool {
	return k != Gradient && !(k == Thermostat && len(s.Spans) > 0 && s.Spans[0].Grain == All)
}

// Run is one flow, or the gradient, on the whole state.
func (s *State) Run(k Kind, t float64) {
	switch {
	case k == Gradient:
		s.Gradient()
	case s.Single != nil:
		s.Single.Run(k, t)
	case !s.Local(k):
		s.Xi[0] += float64((float64(s.twiceKinetic()/float64(s.dofs)) - s.Temperature) * t)
	default:
		for i := range s.Spans {
			Table[k].run(s, &s.Spans[i], t)
		}
	}
}

// RunOn is a local flow on one span.
func (s *State) RunOn(f *Factor, k Kind, t float64) { Table[k].run(s, f, t) }

func drift(s *State, f *Factor, t float64) {
	lo, hi := f.bounds()
	if f.Flat {
		f.Space.Flow(s.X[lo:hi], s.V[lo:hi], t)
		return
	}
	for m := f.Space.Ambient(); lo < hi; lo += m {
		f.Space.Flow(s.X[lo:lo+m], s.V[lo:lo+m], t)
	}
}

func thermostat(s *State, f *Factor, t float64) {
	lo, hi := f.bounds()
	xi, temp := s.Xi[f.XiAt:f.XiAt+f.XiLen], s.Temperature
	switch f.Grain {
	case Coordinate:
		v := s.V[lo:hi]
		v = v[:len(xi)]
		for i := range xi {
			xi[i] += float64((float64(v[i]*v[i]) - temp) * t)
		}
	case Point:
		m, d := f.Space.Ambient(), float64(f.Space.Dim())
		for i := range xi {
			xi[i] += float64((float64(sumSquares(s.V[lo+i*m:lo+(i+1)*m])/d) - temp) * t)
		}
	}
}

func friction(s *State, f *Factor, t float64) {
	switch f.Grain {
	case Constant:
		s.decay[0] = exp(-float64(s.Friction * t))
	case All:
		s.decay[0] = exp(-float64(s.Xi[0] * t))
	default:
		decays(s.decay[f.XiAt:f.XiAt+f.XiLen], s.Xi[f.XiAt:f.XiAt+f.XiLen], t)
	}
	frictionAgain(s, f, t)
}

func frictionAgain(s *State, f *Factor, _ float64) {
	lo, hi := f.bounds()
	v := s.V[lo:hi]
	switch f.Grain {
	case Coordinate:
		e := s.decay[f.XiAt : f.XiAt+f.XiLen]
		kernel.Multiply(v[:len(e)], e)
	case Point:
		m := f.Space.Ambient()
		for i, e := range s.decay[f.XiAt : f.XiAt+f.XiLen] {
			scale(v[i*m:(i+1)*m], e)
		}
	default:
		scale(v, s.decay[0])
	}
}

func scale(v []float64, e float64) {
	for i := range v {
		v[i] *= e
	}
}

// decays writes exp(−ξt).
func decays(dst, xi []float64, t float64) {
	dst = dst[:len(xi)]
	for i := range xi {
		dst[i] = -float64(xi[i] * t)
	}
	exps(dst, dst)
}

// kick forms the impulse where the noise was, which is used once in a step, and takes the tangent
// part of v with it: v has been tangent up to rounding.
func kick(s *State, f *Factor, t float64) {
	lo, hi := f.bounds()
	v, g, u := s.V[lo:hi], s.Force[lo:hi], s.Noise[lo:hi]
	u = u[:len(v)]
	s.impulse(u, g, lo, hi, t)
	for i := range v {
		v[i] += u[i]
	}
	s.project(f)
}

// project removes the part of the velocities of a curved block that is not tangent to its space:
// that of an impulse, and that of rounding errors.
func (s *State) project(f *Factor) {
	if f.Flat {
		return
	}
	lo, hi := f.bounds()
	for m := f.Space.Ambient(); lo < hi; lo += m {
		f.Space.Project(s.X[lo:lo+m], s.V[lo:lo+m])
	}
}

func impulse(s *State, f *Factor, t float64) {
	lo, hi := f.bounds()
	v, g := s.V[lo:hi], s.Force[lo:hi]
	g = g[:len(v)]
	for i := range v {
		v[i] += float64(g[i] * t)
	}
	s.project(f)
}

// addExtra adds the synthetic diffusion N(0, 2Bt) to an impulse.
func (s *State) addExtra(u []float64, lo, hi int, t float64) {
	if s.Diffusion == 0 {
		return
	}
	sd := math.Sqrt(float64(2 * s.Diffusion * t))
	e := s.Extra[lo:hi]
	e = e[:len(u)]
	for i := range u {
		u[i] += float64(sd * e[i])
	}
}
