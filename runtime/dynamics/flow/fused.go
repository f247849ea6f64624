package flow

import (
	"github.com/sgppl/sgppl/runtime/dynamics/manifold"
	"github.com/sgppl/sgppl/runtime/math/kernel"
)

// A Fusion is a sequence of flows on one span in few passes over its
// coordinates. It gives the bits of the flows one after the other; a test
// walks the table.
type Fusion struct {
	Flows  []Kind
	Grains []Grain // the thermostats it is written for
	Curved bool    // on points of a manifold.Fuser; else on flat spans
	run    func(s *State, f *Factor, t []float64)
}

// Fusions are tried in this order, longest first.
var Fusions = []Fusion{
	{[]Kind{Kick, FrictionAgain, Drift, Thermostat}, []Grain{Coordinate}, false, fusedAfter},
	{[]Kind{Drift, Thermostat, Friction}, []Grain{Coordinate}, false, fusedBefore},
	{[]Kind{Kick, FrictionAgain, Drift}, []Grain{Constant, All}, false, fusedAfterScalar},
	{[]Kind{Drift, Friction}, []Grain{Constant}, false, fusedBeforeScalar},
	{[]Kind{Kick, FrictionAgain, Drift}, []Grain{Constant, Point, All}, true, fusedAfterCurved},
	{[]Kind{Drift, Friction}, []Grain{Constant}, true, fusedBeforeCurved},
}

// Fuse finds the fusion of the longest beginning of flows on a span, or nil.
func Fuse(f *Factor, flows []Kind) *Fusion {
	if _, ok := f.Space.(manifold.Fuser); !ok && !f.Flat {
		return nil
	}
	for i := range Fusions {
		if u := &Fusions[i]; u.Curved != f.Flat && u.fits(f.Grain, flows) {
			return u
		}
	}
	return nil
}

func (u *Fusion) fits(g Grain, flows []Kind) bool {
	if len(flows) < len(u.Flows) {
		return false
	}
	for i, k := range u.Flows {
		if flows[i] != k {
			return false
		}
	}
	for _, h := range u.Grains {
		if h == g {
			return true
		}
	}
	return false
}

// Run is the fused flows for the times t, one for each.
func (u *Fusion) Run(s *State, f *Factor, t []float64) { u.run(s, f, t) }

// piece is how many coordinates a pass of several kernels takes at a time, so
// that the cache still has them.
const piece = 4096

// fusedBefore: x + t v, then ξ + (v² − T) t, then v exp(−ξt), the exponentials
// in bulk.
func fusedBefore(s *State, f *Factor, t []float64) {
	lo, hi := f.bounds()
	n := hi - lo
	x, v := s.X[lo:hi:hi], s.V[lo:hi:hi]
	xi, e := s.Xi[f.XiAt:f.XiAt+n], s.decay[f.XiAt:f.XiAt+n]
	for len(x) > 0 {
		k := min(len(x), piece)
		kernel.DriftThermostat(x[:k], v[:k], xi[:k], e[:k], t[0], t[1], t[2], s.Temperature)
		exps(e[:k], e[:k])
		kernel.Multiply(v[:k], e[:k])
		x, v, xi, e = x[k:], v[k:], xi[k:], e[k:]
	}
}

// fusedAfter: v − ∇Ũ t + noise, then v exp(−ξt), then x + t v, then
// ξ + (v² − T) t.
func fusedAfter(s *State, f *Factor, t []float64) {
	lo, hi := f.bounds()
	n := hi - lo
	if !s.Plain() { // not the fast path
		kick(s, f, t[0])
		frictionAgain(s, f, t[1])
		drift(s, f, t[2])
		thermostat(s, f, t[3])
		return
	}
	x, v := s.X[lo:hi:hi], s.V[lo:hi:hi]
	g, u := s.Force[lo:hi:hi], s.Noise[lo:hi:hi]
	xi, e := s.Xi[f.XiAt:f.XiAt+n], s.decay[f.XiAt:f.XiAt+n]
	kernel.KickDriftThermostat(x, v, g, u, xi, e, t[0], s.kickSD(t[0]), t[2], t[3], s.Temperature)
}

func fusedBeforeScalar(s *State, f *Factor, t []float64) {
	lo, hi := f.bounds()
	x, v := s.X[lo:hi:hi], s.V[lo:hi:hi]
	e := exp(-float64(s.Friction * t[1]))
	s.decay[0] = e
	kernel.DriftDamp(x, v, t[0], e)
}

func fusedAfterScalar(s *State, f *Factor, t []float64) {
	if !s.Plain() {
		kick(s, f, t[0])
		frictionAgain(s, f, t[1])
		drift(s, f, t[2])
		return
	}
	lo, hi := f.bounds()
	x, v := s.X[lo:hi:hi], s.V[lo:hi:hi]
	g, u := s.Force[lo:hi:hi], s.Noise[lo:hi:hi]
	kernel.KickDrift(x, v, g, u, t[0], s.kickSD(t[0]), s.decay[0], t[2])
}

func fusedBeforeCurved(s *State, f *Factor, t []float64) {
	e := exp(-float64(s.Friction * t[1]))
	s.decay[0] = e
	lo, hi := f.bounds()
	space := f.Space.(manifold.Fuser)
	for m := space.Ambient(); lo < hi; lo += m {
		space.FlowDamp(s.X[lo:lo+m], s.V[lo:lo+m], t[0], e)
	}
}

func fusedAfterCurved(s *State, f *Factor, t []float64) {
	if !s.Plain() {
		kick(s, f, t[0])
		frictionAgain(s, f, t[1])
		drift(s, f, t[2])
		return
	}
	lo, _ := f.bounds()
	space, sd, e := f.Space.(manifold.Fuser), s.kickSD(t[0]), s.decay[0]
	m := space.Ambient()
	for i := range f.Points {
		if f.Grain == Point {
			e = s.decay[f.XiAt+i]
		}
		hi := lo + m
		space.KickFlow(s.X[lo:hi], s.V[lo:hi], s.Force[lo:hi], s.Noise[lo:hi], t[0], sd, e, t[2])
		lo = hi
	}
}
