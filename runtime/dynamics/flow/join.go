package flow

import (
	"math"

	"github.com/sgppl/sgppl/runtime/math/kernel"
)

// A Join is what a step does after its gradient, joined with what the next step
// does before its own, in one pass over a flat span that is the whole state. It
// draws the kick's normals as it goes, so that none are ever in memory: while it
// takes a piece of the state it makes those of the next, two chains of
// arithmetic side by side. It gives the bits of the flows one after the other; a
// test walks the table.
type Join struct {
	Tail, Head []Kind // the flows after the gradient, and before the next
	Grain      Grain
	damps      bool // State.decay is that of the head, after it
	run        func(s *State, f *Factor, r *span[float64], tail, head []float64) bool
	run32      func(s *Single, r *span[float32], tail, head []float64) bool
}

// Joins has every step join.
var Joins = []Join{
	{[]Kind{Kick, FrictionAgain, Drift, Thermostat}, []Kind{Drift, Thermostat, Friction},
		Coordinate, false, thermostatJoin, thermostatJoin32},
	{[]Kind{Kick, FrictionAgain, Drift}, []Kind{Drift, Friction},
		Constant, true, dampJoin, dampJoin32},
	{[]Kind{Langevin}, nil, Constant, false, langevinJoin, langevinJoin32},
	{[]Kind{PreconditionedLangevin}, nil,
		Constant, false, preconditionedJoin, preconditionedJoin32},
}

// Run takes the tail for its times and, unless head is nil, the head of the next
// step for its own. It reports whether the state was finite in between: where it
// was not, no number that is not finite has seen the head. With head == nil
// true says nothing, unless the step join has no head at all.
func (t *Join) Run(s *State, f *Factor, tail, head []float64) bool {
	good := true
	switch {
	case s.sharing.begin(s):
		good = s.sharing.run(t, s, f, tail, head)
	case s.Single != nil:
		s.Single.whole = span[float32]{0, len(s.X), &s.Single.Drawing}
		good = t.run32(s.Single, &s.Single.whole, tail, head)
	default:
		s.whole = span[float64]{0, len(s.X), &s.Drawing}
		good = t.run(s, f, &s.whole, tail, head)
	}
	s.sharing.end(s)
	if !t.damps || !good || head == nil {
		return good
	}
	if q := s.Single; q != nil {
		q.decay[0] = q.damping(head[1])
	} else {
		s.decay[0] = exp(-float64(s.Friction * head[1]))
	}
	return good
}

func thermostatJoin(s *State, f *Factor, r *span[float64], tail, head []float64) bool {
	at, end := f.bounds()
	n := end - at
	x, v, g := s.X[at:end], s.V[at:end], s.Force[at:end]
	xi, e := s.Xi[f.XiAt:f.XiAt+n], s.decay[f.XiAt:f.XiAt+n]
	c := kernel.Join{Kick: tail[0], SD: s.kickSD(tail[0]), Drift: tail[2], Thermostat: tail[3],
		Temperature: s.Temperature}
	whole, good := head != nil, true
	if whole {
		c.NextDrift, c.NextThermostat, c.MinusFriction = head[0], head[1], -head[2]
	}
	r.drawing.each(r.from, r.to, n, func(lo, hi int, u []float64, draws *kernel.Draws) {
		x, v, g, xi, e := x[lo:hi], v[lo:hi], g[lo:hi], xi[lo:hi], e[lo:hi]
		if whole {
			if draws != nil {
				k := kernel.ThermostatJoin(x, v, g, u, xi, e, &c, draws)
				x, v, g, u, xi, e = x[k:], v[k:], g[k:], u[k:], xi[k:], e[k:]
			}
			k := kernel.ThermostatJoin(x, v, g, u, xi, e, &c, nil)
			if k == len(x) {
				return
			}
			x, v, g, u, xi, e = x[k:], v[k:], g[k:], u[k:], xi[k:], e[k:]
		}
		kernel.KickDriftThermostat(x, v, g, u, xi, e, c.Kick, c.SD, c.Drift, c.Thermostat,
			c.Temperature)
		if !whole {
			return
		}
		if !finite(x) || !finite(v) || !finite(xi) {
			whole, good = false, false
			return
		}
		kernel.DriftThermostat(x, v, xi, e, c.NextDrift, c.NextThermostat, -c.MinusFriction,
			c.Temperature)
		exps(e, e)
		kernel.Multiply(v, e)
	})
	return good
}

func dampJoin(s *State, f *Factor, r *span[float64], tail, head []float64) bool {
	at, end := f.bounds()
	x, v, g := s.X[at:end], s.V[at:end], s.Force[at:end]
	sd, e, next := s.kickSD(tail[0]), s.decay[0], 0.0
	whole, good := head != nil, true
	if whole {
		next = exp(-float64(s.Friction * head[1]))
	}
	r.drawing.each(r.from, r.to, len(x), func(lo, hi int, u []float64, draws *kernel.Draws) {
		x, v, g := x[lo:hi], v[lo:hi], g[lo:hi]
		if whole {
			if draws != nil {
				k := kernel.DampJoin(x, v, g, u, tail[0], sd, e, tail[2], head[0], next, draws)
				x, v, g, u = x[k:], v[k:], g[k:], u[k:]
			}
			k := kernel.DampJoin(x, v, g, u, tail[0], sd, e, tail[2], head[0], next, nil)
			if k == len(x) {
				return
			}
			x, v, g, u = x[k:], v[k:], g[k:], u[k:]
		}
		kernel.KickDrift(x, v, g, u, tail[0], sd, e, tail[2])
		if !whole {
			return
		}
		if !finite(x) || !finite(v) {
			whole, good = false, false
			return
		}
		kernel.DriftDamp(x, v, head[0], next)
	})
	return good
}

func langevinJoin(s *State, f *Factor, r *span[float64], tail, _ []float64) bool {
	at, end := f.bounds()
	x, g := s.X[at:end], s.Force[at:end]
	t, sd, good := tail[0], math.Sqrt(float64(2*s.Temperature*tail[0])), true
	r.drawing.each(r.from, r.to, len(x), func(lo, hi int, u []float64, draws *kernel.Draws) {
		x, g := x[lo:hi], g[lo:hi]
		if draws != nil {
			k := kernel.LangevinJoin(x, g, u, t, sd, draws)
			x, g, u = x[k:], g[k:], u[k:]
		}
		k := kernel.LangevinJoin(x, g, u, t, sd, nil)
		kernel.Langevin(x[k:], g[k:], u[k:], t, sd)
		good = good && finite(x[k:])
	})
	return good
}

func preconditionedJoin(s *State, f *Factor, r *span[float64], tail, _ []float64) bool {
	at, end := f.bounds()
	x, g, q := s.X[at:end], s.Force[at:end], s.Square[at:end]
	t, sd, good := tail[0], math.Sqrt(float64(2*s.Temperature*tail[0])), true
	keep, add := s.Decay, 1-s.Decay
	if !s.Primed {
		keep, add = 0, 1
	}
	inv := 1 / s.Rows
	r.drawing.each(r.from, r.to, len(x), func(lo, hi int, u []float64, draws *kernel.Draws) {
		x, g, q := x[lo:hi], g[lo:hi], q[lo:hi]
		if draws != nil {
			k := kernel.PreconditionedJoin(x, g, u, q, t, sd, keep, add, inv, s.Lambda, draws)
			x, g, q, u = x[k:], g[k:], q[k:], u[k:]
		}
		k := kernel.PreconditionedJoin(x, g, u, q, t, sd, keep, add, inv, s.Lambda, nil)
		x, g, q, u = x[k:], g[k:], q[k:], u[k:]
		for i := range x {
			m := float64(g[i] * inv)
			q[i] = float64(keep*q[i]) + float64(add*float64(m*m))
			p := 1 / (s.Lambda + math.Sqrt(q[i]))
			x[i] += float64(p*float64(g[i]*t)) + float64(float64(sd*math.Sqrt(p))*u[i])
		}
		good = good && finite(x)
	})
	return good
}
