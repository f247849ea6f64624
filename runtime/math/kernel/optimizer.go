package kernel

import "github.com/sgppl/sgppl/runtime/math/cpu"

// SantaDrift adds (g·p)·half to x and (p² − temp)·rate to ξ, and writes −ξ·half into e: drift
// and thermostat of Santa, and the exponent of its friction. All slices here are as
// long as x, and products are rounded before they are added.
func SantaDrift(x, p, xi, g, e []float64, half, temp, rate float64) {
	p, xi, g, e = p[:len(x)], xi[:len(x)], g[:len(x)], e[:len(x)]
	if level != cpu.Portable && len(x) > 0 {
		c := [...]float64{half, temp, rate}
		vectorSantaDrift64(x, p, xi, g, e, c[:])
		return
	}
	for i := range x {
		v := p[i]
		x[i] += float64(float64(g[i]*v) * half)
		z := xi[i] + float64((float64(v*v)-temp)*rate)
		xi[i] = z
		e[i] = -float64(z * half)
	}
}

// SantaKick is the rest of a step of Santa, from the new gradient f on: the average of
// squares q = keep·q + add·m² of m = f·inv, the metric g = (lambda + √q)^−½, the
// momentum p = (p·e + ((g·f)·h + sd·u))·e, half a drift and half a thermostat.
func SantaKick(
	x, p, f, u, xi, q, g, e []float64, h, sd, half, temp, rate, keep, add, inv, lambda float64,
) {
	p, f, u, xi, q, g, e = p[:len(x)], f[:len(x)], u[:len(x)], xi[:len(x)], q[:len(x)], g[:len(x)],
		e[:len(x)]
	if level != cpu.Portable && len(x) > 0 {
		c := [...]float64{h, sd, half, temp, rate, keep, add, inv, lambda}
		vectorSantaKick64(x, p, f, u, xi, q, g, e, c[:])
		return
	}
	for i := range x {
		m := float64(f[i] * inv)
		s := float64(keep*q[i]) + float64(add*float64(m*m))
		q[i] = s
		a := 1 / sqrt64(lambda+sqrt64(s))
		g[i] = a
		v := float64(p[i]*e[i]) + (float64(float64(a*f[i])*h) + float64(sd*u[i]))
		v *= e[i]
		p[i] = v
		x[i] += float64(float64(a*v) * half)
		xi[i] += float64((float64(v*v) - temp) * rate)
	}
}

// SantaEuler is a step of Santa by Euler's scheme: q and the metric g as of SantaKick, then
// ξ by (p² − temp)·rate, p = (p − (ξ·p)·h) + ((g·f)·h + sd·u), and x by (g·p)·h.
func SantaEuler(x, p, f, u, xi, q []float64, h, sd, temp, rate, keep, add, inv, lambda float64) {
	p, f, u, xi, q = p[:len(x)], f[:len(x)], u[:len(x)], xi[:len(x)], q[:len(x)]
	if level != cpu.Portable && len(x) > 0 {
		c := [...]float64{h, sd, temp, rate, keep, add, inv, lambda}
		vectorSantaEuler64(x, p, f, u, xi, q, c[:])
		return
	}
	for i := range x {
		m := float64(f[i] * inv)
		s := float64(keep*q[i]) + float64(add*float64(m*m))
		q[i] = s
		a := 1 / sqrt64(lambda+sqrt64(s))
		v := p[i]
		z := xi[i] + float64((float64(v*v)-temp)*rate)
		xi[i] = z
		v = float64(v-float64(float64(z*v)*h)) + (float64(float64(a*f[i])*h) + float64(sd*u[i]))
		p[i] = v
		x[i] += float64(float64(a*v) * h)
	}
}

// Adam makes p = mu·p + rest·m and q = keep·q + add·m² of m = f·inv, and adds (h·p)/(√q/root
// + lambda) to x.
func Adam(x, p, f, q []float64, h, mu, rest, keep, add, inv, root, lambda float64) {
	p, f, q = p[:len(x)], f[:len(x)], q[:len(x)]
	if level != cpu.Portable && len(x) > 0 {
		c := [...]float64{h, mu, rest, keep, add, inv, root, lambda}
		vectorAdam64(x, p, f, q, c[:])
		return
	}
	for i := range x {
		m := float64(f[i] * inv)
		v := float64(mu*p[i]) + float64(rest*m)
		p[i] = v
		s := float64(keep*q[i]) + float64(add*float64(m*m))
		q[i] = s
		x[i] += float64(h*v) / (sqrt64(s)/root + lambda)
	}
}

// RMSprop makes q = keep·q + add·m² of m = f·inv, and adds (h·m)/(√q + lambda) to x.
func RMSprop(x, f, q []float64, h, keep, add, inv, lambda float64) {
	f, q = f[:len(x)], q[:len(x)]
	if level != cpu.Portable && len(x) > 0 {
		c := [...]float64{h, keep, add, inv, lambda}
		vectorRMSprop64(x, f, q, c[:])
		return
	}
	for i := range x {
		m := float64(f[i] * inv)
		s := float64(keep*q[i]) + float64(add*float64(m*m))
		q[i] = s
		x[i] += float64(h*m) / (sqrt64(s) + lambda)
	}
}

// Momentum makes p = mu·p + f·inv, and adds h·p to x.
func Momentum(x, p, f []float64, h, mu, inv float64) {
	p, f = p[:len(x)], f[:len(x)]
	if level != cpu.Portable && len(x) > 0 {
		c := [...]float64{h, mu, inv}
		vectorMomentum64(x, p, f, c[:])
		return
	}
	for i := range x {
		v := float64(mu*p[i]) + float64(f[i]*inv)
		p[i] = v
		x[i] += float64(h * v)
	}
}
