package flow

import (
	"math"
	"slices"

	"github.com/sgppl/sgppl/runtime/math/kernel"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// singles are the flows in single precision, with the bits that the step joins have:
// where those fuse a product, so do these.
var singles = map[Kind]func(q *Single, t float64){
	Drift: drift32, Thermostat: thermostat32, Friction: friction32, FrictionAgain: frictionAgain32,
	Kick: kick32, DampedKick: dampedKick32, Langevin: langevin32,
	PreconditionedLangevin: preconditionedLangevin32,
}

func drift32(q *Single, t float64) { kernel.DriftDamp32(q.X, q.V, float32(t), 1) }

func thermostat32(q *Single, t float64) {
	if q.grain() == All {
		warm := float64(kernel.Dot32(q.V, q.V)/float64(q.of.dofs)) - q.of.Temperature
		q.Xi[0] += float32(warm * t)
		return
	}
	tt, temp := float32(t), float32(q.of.Temperature)
	for i, p := range q.V {
		q.Xi[i] = special.FMA32(special.FMA32(p, p, -temp), tt, q.Xi[i])
	}
}

// drifting are the flows before the gradient that RunAll has in one pass.
var drifting = []Kind{Drift, Thermostat, Friction}

// RunAll is flows one after the other.
func (q *Single) RunAll(flows []Kind, t []float64) {
	if q.grain() == Coordinate && slices.Equal(flows, drifting) {
		temp := float32(q.of.Temperature)
		for lo := 0; lo < len(q.X); lo += piece {
			hi := min(lo+piece, len(q.X))
			v, e := q.V[lo:hi], q.decay[lo:hi]
			kernel.DriftThermostat32(q.X[lo:hi], v, q.Xi[lo:hi], e, float32(t[0]), float32(t[1]),
				float32(t[2]), temp)
			special.ExpSlice32(e, e)
			kernel.Multiply32(v, e)
		}
		return
	}
	for i, k := range flows {
		q.Run(k, t[i])
	}
}

func friction32(q *Single, t float64) {
	switch q.grain() {
	case Constant:
		q.decay[0] = q.damping(t)
	case All:
		q.decay[0] = float32(exp(-float64(float64(q.Xi[0]) * t)))
	default:
		tb := float32(t)
		for i, xi := range q.Xi {
			q.decay[i] = -float32(xi * tb)
		}
		special.ExpSlice32(q.decay, q.decay)
	}
	frictionAgain32(q, t)
}

func frictionAgain32(q *Single, _ float64) {
	if q.grain() == Coordinate {
		kernel.Multiply32(q.V, q.decay)
		return
	}
	e := q.decay[0]
	for i := range q.V {
		q.V[i] *= e
	}
}

func kick32(q *Single, t float64) {
	to, sd := float32(t), float32(q.of.kickSD(t))
	for i, g := range q.Force {
		q.V[i] = special.FMA32(g, to, special.FMA32(sd, q.Noise[i], q.V[i]))
	}
}

func dampedKick32(q *Single, t float64) {
	to, sd, xi, each := float32(t), float32(q.of.kickSD(t)), float32(q.of.Friction),
		q.grain() == Coordinate
	if q.grain() == All {
		xi = q.Xi[0]
	}
	for i, p := range q.V {
		if each {
			xi = q.Xi[i]
		}
		q.V[i] = float32(p-float32(float32(xi*p)*to)) +
			(float32(q.Force[i]*to) + float32(sd*q.Noise[i]))
	}
}

func langevin32(q *Single, t float64) {
	kernel.Langevin32(q.X, q.Force, q.Noise, float32(t), q.langevinSD(t))
}

func preconditionedLangevin32(q *Single, t float64) {
	c := q.preconditioning()
	c.run(q.X, q.Force, q.Noise, q.Square, float32(t), q.langevinSD(t))
}

// damping is exp(−Dt).
func (q *Single) damping(t float64) float32 { return float32(exp(-float64(q.of.Friction * t))) }

func (q *Single) langevinSD(t float64) float32 {
	return float32(math.Sqrt(float64(2 * q.of.Temperature * t)))
}

// A preconditioning has the numbers of the RMSprop preconditioner for one step.
type preconditioning struct{ keep, add, inv, lambda float32 }

func (q *Single) preconditioning() preconditioning {
	s := q.of
	if !s.Primed {
		return preconditioning{0, 1, float32(1 / s.Rows), float32(s.Lambda)}
	}
	return preconditioning{float32(s.Decay), float32(1 - s.Decay), float32(1 / s.Rows),
		float32(s.Lambda)}
}

func (c *preconditioning) run(x, g, u, q []float32, t, sd float32) {
	for i := range x {
		m := float32(g[i] * c.inv)
		q[i] = float32(c.keep*q[i]) + float32(c.add*float32(m*m))
		p := 1 / (c.lambda + float32(math.Sqrt(float64(q[i]))))
		x[i] += float32(p*float32(g[i]*t)) +
			float32(float32(sd*float32(math.Sqrt(float64(p))))*u[i])
	}
}
