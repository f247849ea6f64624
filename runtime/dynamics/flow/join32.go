package flow

import (
	"github.com/sgppl/sgppl/runtime/math/kernel"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// The step joins of a state in single precision.

func thermostatJoin32(s *Single, r *span[float32], tail, head []float64) bool {
	of := s.of
	c := kernel.Join32{Kick: float32(tail[0]), SD: float32(of.kickSD(tail[0])),
		Drift: float32(tail[2]), Thermostat: float32(tail[3]), Temperature: float32(of.Temperature)}
	whole, good := head != nil, true
	if whole {
		c.NextDrift, c.NextThermostat, c.MinusFriction = float32(head[0]), float32(head[1]),
			-float32(head[2])
	}
	r.drawing.each(r.from, r.to, len(s.X), func(lo, hi int, u []float32, draws *kernel.Draws32) {
		x, v, g, xi, e := s.X[lo:hi], s.V[lo:hi], s.Force[lo:hi], s.Xi[lo:hi], s.decay[lo:hi]
		if whole {
			if draws != nil {
				k := kernel.ThermostatJoin32(x, v, g, u, xi, e, &c, draws)
				x, v, g, u, xi, e = x[k:], v[k:], g[k:], u[k:], xi[k:], e[k:]
			}
			k := kernel.ThermostatJoin32(x, v, g, u, xi, e, &c, nil)
			if k == len(x) {
				return
			}
			x, v, g, u, xi, e = x[k:], v[k:], g[k:], u[k:], xi[k:], e[k:]
		}
		kernel.KickDriftThermostat32(x, v, g, u, xi, e, c.Kick, c.SD, c.Drift, c.Thermostat,
			c.Temperature)
		if !whole {
			return
		}
		if !finite32(x) || !finite32(v) || !finite32(xi) {
			whole, good = false, false
			return
		}
		kernel.DriftThermostat32(x, v, xi, e, c.NextDrift, c.NextThermostat, -c.MinusFriction,
			c.Temperature)
		special.ExpSlice32(e, e)
		kernel.Multiply32(v, e)
	})
	return good
}

func dampJoin32(s *Single, r *span[float32], tail, head []float64) bool {
	to, sd, e, ta, ta2, next := float32(tail[0]), float32(s.of.kickSD(tail[0])), s.decay[0],
		float32(tail[2]), float32(0), float32(0)
	whole, good := head != nil, true
	if whole {
		ta2, next = float32(head[0]), s.damping(head[1])
	}
	r.drawing.each(r.from, r.to, len(s.X), func(lo, hi int, u []float32, draws *kernel.Draws32) {
		x, v, g := s.X[lo:hi], s.V[lo:hi], s.Force[lo:hi]
		if whole {
			if draws != nil {
				k := kernel.DampJoin32(x, v, g, u, to, sd, e, ta, ta2, next, draws)
				x, v, g, u = x[k:], v[k:], g[k:], u[k:]
			}
			k := kernel.DampJoin32(x, v, g, u, to, sd, e, ta, ta2, next, nil)
			if k == len(x) {
				return
			}
			x, v, g, u = x[k:], v[k:], g[k:], u[k:]
		}
		kernel.KickDrift32(x, v, g, u, to, sd, e, ta)
		if !whole {
			return
		}
		if !finite32(x) || !finite32(v) {
			whole, good = false, false
			return
		}
		kernel.DriftDamp32(x, v, ta2, next)
	})
	return good
}

func langevinJoin32(s *Single, r *span[float32], tail, _ []float64) bool {
	t, sd, good := float32(tail[0]), s.langevinSD(tail[0]), true
	r.drawing.each(r.from, r.to, len(s.X), func(lo, hi int, u []float32, draws *kernel.Draws32) {
		x, g := s.X[lo:hi], s.Force[lo:hi]
		if draws != nil {
			k := kernel.LangevinJoin32(x, g, u, t, sd, draws)
			x, g, u = x[k:], g[k:], u[k:]
		}
		k := kernel.LangevinJoin32(x, g, u, t, sd, nil)
		kernel.Langevin32(x[k:], g[k:], u[k:], t, sd)
		good = good && finite32(x[k:])
	})
	return good
}

func preconditionedJoin32(s *Single, r *span[float32], tail, _ []float64) bool {
	t, sd, good := float32(tail[0]), s.langevinSD(tail[0]), true
	c := s.preconditioning()
	r.drawing.each(r.from, r.to, len(s.X), func(lo, hi int, u []float32, draws *kernel.Draws32) {
		x, g, q := s.X[lo:hi], s.Force[lo:hi], s.Square[lo:hi]
		if draws != nil {
			k := kernel.PreconditionedJoin32(x, g, u, q, t, sd, c.keep, c.add, c.inv,
				c.lambda, draws)
			x, g, q, u = x[k:], g[k:], q[k:], u[k:]
		}
		k := kernel.PreconditionedJoin32(x, g, u, q, t, sd, c.keep, c.add, c.inv, c.lambda, nil)
		x, g, q, u = x[k:], g[k:], q[k:], u[k:]
		c.run(x, g, u, q, t, sd)
		good = good && finite32(x)
	})
	return good
}
