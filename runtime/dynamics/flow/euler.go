package flow

import (
	"math"

	"github.com/sgppl/sgppl/runtime/math/kernel"
)

// dampedKick is the velocity line of SGHMC-E, SGNHT-E and mSGNHT-E:
// v' = v − h ∇Ũ − h ξ⊙v + sqrt(2DTh) ζ. (The paper prints sqrt(2D) ζ with
// ζ ~ N(0, h I).)
func dampedKick(s *State, f *Factor, t float64) {
	lo, hi := f.bounds()
	v, g, u := s.V[lo:hi], s.Force[lo:hi], s.Noise[lo:hi]
	u = u[:len(v)]
	s.impulse(u, g, lo, hi, t)
	switch f.Grain {
	case Coordinate:
		xi := s.Xi[f.XiAt : f.XiAt+f.XiLen]
		xi = xi[:len(v)]
		for i := range v {
			v[i] = float64(v[i]-float64(float64(xi[i]*v[i])*t)) + u[i]
		}
	default: // one variable: flat blocks are one point
		xi := s.Friction
		if f.Grain != Constant {
			xi = s.Xi[f.XiAt]
		}
		for i := range v {
			v[i] = float64(v[i]-float64(float64(xi*v[i])*t)) + u[i]
		}
	}
}

// langevin is SGLD: x' = x − h ∇Ũ(x) + sqrt(2hT) ζ (Welling and Teh 2011,
// whose ε is 2h).
func langevin(s *State, f *Factor, t float64) {
	lo, hi := f.bounds()
	x, g, u := s.X[lo:hi], s.Force[lo:hi], s.Noise[lo:hi]
	g, u = g[:len(x)], u[:len(x)]
	sd := math.Sqrt(float64(2 * s.Temperature * t))
	if s.Diffusion == 0 {
		kernel.Langevin(x, g, u, t, sd)
		return
	}
	for i := range x {
		u[i] = float64(g[i]*t) + float64(sd*u[i])
	}
	s.addExtra(u, lo, hi, t)
	for i := range x {
		x[i] += u[i]
	}
}

// preconditionedLangevin is pSGLD (Li, Chen, Carlson and Carin 2016, algorithm
// 1, without its Γ term as in its experiments; its ε is 2h):
// v ← σ v + (1 − σ) (∇Ũ/N)², g = 1 ⊘ (λ + √v), x' = x − h g⊙∇Ũ + sqrt(2hT g)⊙ζ.
// The first gradient sets v outright, since a v that starts at 0 makes the
// first steps 1/sqrt(1 − σ) times too long.
func preconditionedLangevin(s *State, f *Factor, t float64) {
	lo, hi := f.bounds()
	x, g, u, q := s.X[lo:hi], s.Force[lo:hi], s.Noise[lo:hi], s.Square[lo:hi]
	g, u, q = g[:len(x)], u[:len(x)], q[:len(x)]
	sd := math.Sqrt(float64(2 * s.Temperature * t))
	b := 0.0
	if s.Diffusion != 0 {
		b = math.Sqrt(float64(2 * s.Diffusion * t))
	}
	keep, add := s.Decay, 1-s.Decay
	if !s.Primed {
		keep, add = 0, 1
	}
	inv := 1 / s.Rows
	for i := range x {
		m := float64(g[i] * inv)
		q[i] = float64(keep*q[i]) + float64(add*float64(m*m))
		p := 1 / (s.Lambda + math.Sqrt(q[i]))
		impulse := float64(g[i] * t)
		if b != 0 {
			impulse += float64(b * s.Extra[lo+i])
		}
		x[i] += float64(p*impulse) + float64(float64(sd*math.Sqrt(p))*u[i])
	}
}

// riemannLangevin is SGRLD (Patterson and Teh 2013, equation 9 with ε = 2h) on
// the orthant of positive x, in the metric diag(1/x):
//
//	x' = |x + h (T − x⊙∇Ũ(x)) + sqrt(2hT x)⊙ζ|
//
// T is the divergence of the inverse metric, times T. Under gamma(α, 1) laws of
// the x_i the first bracket is α − x. Only |x| counts, and x⊙∇Ũ is even, so
// that a start elsewhere is as good as its reflection.
func riemannLangevin(s *State, f *Factor, t float64) {
	lo, hi := f.bounds()
	x, g, u := s.X[lo:hi], s.Force[lo:hi], s.Noise[lo:hi]
	g, u = g[:len(x)], u[:len(x)]
	temp, two := s.Temperature, 2*s.Temperature*t
	b := 0.0
	if s.Diffusion != 0 {
		b = math.Sqrt(float64(2 * s.Diffusion * t))
	}
	for i, a := range x {
		impulse := float64(g[i] * t)
		if b != 0 {
			impulse += float64(b * s.Extra[lo+i])
		}
		r := math.Abs(a)
		moved := r + (float64(temp*t) + float64(a*impulse))
		x[i] = math.Abs(moved + float64(math.Sqrt(float64(two*r))*u[i]))
	}
}
