package kernel

import "github.com/sgppl/sgppl/runtime/math/cpu"

// A step join is the end of one step of a sampler and the beginning of the next in
// one pass over the coordinates, with the bits of the kernels one after the
// other. It returns how many coordinates it did: it stops before one that is
// not finite at the end of the step, or whose exponential is out of the
// ordinary, up to a vector before it; without vectors before the first. All
// slices are as long as x.
//
// A step join that is given Draws makes normals for later on the way, and takes whole
// rounds of 16 coordinates, in single precision of 32.

const round64 = 128 / (64 / 8)

// A Join has the numbers of a step join: the times of kick, drift and thermostat
// and the standard deviation of the kick's noise, then those of the beginning; that of the friction
// with its sign changed, as exponents have it.
type Join struct {
	Kick, SD, Drift, Thermostat float64
	Temperature                 float64
	NextDrift, NextThermostat   float64
	MinusFriction               float64
}

// ThermostatJoin is KickDriftThermostat, and after it DriftThermostat, the
// exponentials e and the product of v and e. draws may be nil, here and below.
func ThermostatJoin(x, v, g, u, xi, e []float64, c *Join, draws *Draws) int {
	n := len(x)
	v, g, u, xi, e = v[:n], g[:n], u[:n], xi[:n], e[:n]
	if draws != nil {
		if r := draws.rounds(n, round64); r > 0 && c.steady() {
			return draws.made(round64,
				vectorThermostatJoinDrawing64(x, v, g, u, xi, e, c, draws, r))
		}
		return 0
	}
	if level == cpu.Portable || n == 0 {
		return 0
	}
	return vectorThermostatJoin64(x, v, g, u, xi, e, c)
}

// DampJoin is KickDrift of to, sd, e and ta, and after it DriftDamp of ta2 and e2.
func DampJoin(x, v, g, u []float64, to, sd, e, ta, ta2, e2 float64, draws *Draws) int {
	n := len(x)
	v, g, u = v[:n], g[:n], u[:n]
	c := [...]float64{to, sd, e, ta, ta2, e2}
	if draws != nil {
		if r := draws.rounds(n, round64); r > 0 {
			return draws.made(round64, vectorDampJoinDrawing64(x, v, g, u, &c, draws, r))
		}
		return 0
	}
	if level == cpu.Portable || n == 0 {
		return 0
	}
	return vectorDampJoin64(x, v, g, u, &c)
}

// LangevinJoin is Langevin.
func LangevinJoin(x, g, u []float64, t, sd float64, draws *Draws) int {
	n := len(x)
	g, u = g[:n], u[:n]
	c := [...]float64{t, sd}
	if draws != nil {
		if r := draws.rounds(n, round64); r > 0 {
			return draws.made(round64, vectorLangevinJoinDrawing64(x, g, u, &c, draws, r))
		}
		return 0
	}
	if level == cpu.Portable || n == 0 {
		return 0
	}
	return vectorLangevinJoin64(x, g, u, &c)
}

// PreconditionedJoin makes q the sum of keep·q and add·(inv·g)², and adds
// p·g·t + sd·√p·u to x, p being 1/(lambda + √q).
func PreconditionedJoin(
	x, g, u, q []float64, t, sd, keep, add, inv, lambda float64, draws *Draws,
) int {
	n := len(x)
	g, u, q = g[:n], u[:n], q[:n]
	c := [...]float64{t, sd, keep, add, inv, lambda}
	if draws != nil {
		if r := draws.rounds(n, round64); r > 0 {
			return draws.made(round64, vectorPreconditionedJoinDrawing64(x, g, u, q, &c, draws, r))
		}
		return 0
	}
	if level == cpu.Portable || n == 0 {
		return 0
	}
	return vectorPreconditionedJoin64(x, g, u, q, &c)
}
