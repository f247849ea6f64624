package kernel

import "github.com/sgppl/sgppl/runtime/math/cpu"

// The kernels below are steps of samplers in one pass over the coordinates.
// Products are rounded before they are added in double precision, and with
// the sum in single (see muladd64). All slices are as long as x.

// DriftThermostat adds ta·v to x and (v² − temp)·tt to ξ, and writes −ξ·tb into e: drift and
// thermostat, and the exponent of the friction.
func DriftThermostat(x, v, xi, e []float64, ta, tt, tb, temp float64) {
	v, xi, e = v[:len(x)], xi[:len(x)], e[:len(x)]
	if level != cpu.Portable && len(x) > 0 {
		c := [...]float64{ta, tt, tb, temp}
		vectorDriftThermostat64(x, v, xi, e, c[:])
		return
	}
	for i := range x {
		p := v[i]
		x[i] = muladd64(ta, p, x[i])
		z := muladd64(muladd64(p, p, -temp), tt, xi[i])
		xi[i] = z
		e[i] = -float64(z * tb)
	}
}

// KickDriftThermostat makes v the product of v + (g·to + sd·u) and e, adds ta·v
// to x and (v² − temp)·tt to ξ: kick, friction, drift and thermostat.
func KickDriftThermostat(x, v, g, u, xi, e []float64, to, sd, ta, tt, temp float64) {
	v, g, u, xi, e = v[:len(x)], g[:len(x)], u[:len(x)], xi[:len(x)], e[:len(x)]
	if level != cpu.Portable && len(x) > 0 {
		c := [...]float64{to, sd, ta, tt, temp}
		vectorKickDriftThermostat64(x, v, g, u, xi, e, c[:])
		return
	}
	for i := range x {
		p := kicked64(v[i], g[i], u[i], to, sd)
		p *= e[i]
		v[i] = p
		x[i] = muladd64(ta, p, x[i])
		xi[i] = muladd64(muladd64(p, p, -temp), tt, xi[i])
	}
}

// KickDrift makes v the product of v + (g·to + sd·u) and e, and adds ta·v to x: kick,
// friction and drift.
func KickDrift(x, v, g, u []float64, to, sd, e, ta float64) {
	v, g, u = v[:len(x)], g[:len(x)], u[:len(x)]
	if level != cpu.Portable && len(x) > 0 {
		c := [...]float64{to, sd, e, ta}
		vectorKickDrift64(x, v, g, u, c[:])
		return
	}
	for i := range x {
		p := kicked64(v[i], g[i], u[i], to, sd)
		p *= e
		v[i] = p
		x[i] = muladd64(ta, p, x[i])
	}
}

// DriftDamp adds ta·v to x and multiplies v by e: drift and friction.
func DriftDamp(x, v []float64, ta, e float64) {
	v = v[:len(x)]
	if level != cpu.Portable && len(x) > 0 {
		c := [...]float64{ta, e}
		vectorDriftDamp64(x, v, c[:])
		return
	}
	for i := range x {
		p := v[i]
		x[i] = muladd64(ta, p, x[i])
		v[i] = p * e
	}
}

// Langevin adds g·t + sd·u to x.
func Langevin(x, g, u []float64, t, sd float64) {
	g, u = g[:len(x)], u[:len(x)]
	if level != cpu.Portable && len(x) > 0 {
		c := [...]float64{t, sd}
		vectorLangevin64(x, g, u, c[:])
		return
	}
	for i := range x {
		x[i] = kicked64(x[i], g[i], u[i], t, sd)
	}
}

// Multiply multiplies x by y, entry by entry.
func Multiply(x, y []float64) {
	y = y[:len(x)]
	if level != cpu.Portable && len(x) > 0 {
		vectorMultiply64(x, y)
		return
	}
	for i := range x {
		x[i] *= y[i]
	}
}
