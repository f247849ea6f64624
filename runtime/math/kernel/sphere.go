package kernel

import "github.com/sgppl/sgppl/runtime/math/cpu"

// Sums of the passes of this file are in four lanes, element i in lane i mod 4, and those behind
// the last four in the first lane. Arrays have the length of x.

// fours is how many of n numbers assembly takes.
func fours(n int) int {
	if level == cpu.Portable {
		return 0
	}
	return n &^ 3
}

// sumFour is the sum of four lanes.
func sumFour(s *[4]float64) float64 { return (s[0] + s[2]) + (s[1] + s[3]) }

// lanesOf are the first and the last four of eight lanes.
func lanesOf(lanes *[8]float64) (a, b *[4]float64) {
	return (*[4]float64)(lanes[:4]), (*[4]float64)(lanes[4:])
}

// Squares returns x·x and v·v.
func Squares(x, v []float64) (xx, vv float64) {
	var lanes [8]float64
	done := fours(len(x))
	if done > 0 {
		vectorSquares(x[:done], v, &lanes)
	}
	a, c := lanesOf(&lanes)
	i := done
	for ; i+4 <= len(x); i += 4 {
		p, q := (*[4]float64)(x[i:]), (*[4]float64)(v[i:])
		for k := range p {
			a[k] += float64(p[k] * p[k])
			c[k] += float64(q[k] * q[k])
		}
	}
	for ; i < len(x); i++ {
		a[0] += float64(x[i] * x[i])
		c[0] += float64(v[i] * v[i])
	}
	return sumFour(a), sumFour(c)
}

// SphereKick adds to·g + sd·z to v and returns x·x and x·v.
func SphereKick(x, v, g, z []float64, to, sd float64) (xx, xv float64) {
	var lanes [8]float64
	done := fours(len(x))
	if done > 0 {
		vectorSphereKick(x[:done], v, g, z, &[2]float64{to, sd}, &lanes)
	}
	a, s := lanesOf(&lanes)
	i := done
	for ; i+4 <= len(x); i += 4 {
		p, q, f, n := (*[4]float64)(x[i:]), (*[4]float64)(v[i:]), (*[4]float64)(g[i:]),
			(*[4]float64)(z[i:])
		for k := range p {
			q[k] += float64(to*f[k]) + float64(sd*n[k])
			a[k] += float64(p[k] * p[k])
			s[k] += float64(p[k] * q[k])
		}
	}
	for ; i < len(x); i++ {
		v[i] += float64(to*g[i]) + float64(sd*z[i])
		a[0] += float64(x[i] * x[i])
		s[0] += float64(x[i] * v[i])
	}
	return sumFour(a), sumFour(s)
}

// SphereTangent writes (v + f x)·e into v and returns v·v.
func SphereTangent(x, v []float64, f, e float64) float64 {
	var lanes [8]float64
	done := fours(len(x))
	if done > 0 {
		vectorSphereTangent(x[:done], v, &[2]float64{f, e}, &lanes)
	}
	c, _ := lanesOf(&lanes)
	i := done
	for ; i+4 <= len(x); i += 4 {
		p, q := (*[4]float64)(x[i:]), (*[4]float64)(v[i:])
		for k := range p {
			q[k] = (q[k] + float64(f*p[k])) * e
			c[k] += float64(q[k] * q[k])
		}
	}
	for ; i < len(x); i++ {
		v[i] = (v[i] + float64(f*x[i])) * e
		c[0] += float64(v[i] * v[i])
	}
	return sumFour(c)
}

// SphereTurn writes a x + b v into x and (c x + d v)·e into v.
func SphereTurn(x, v []float64, a, b, c, d, e float64) {
	done := fours(len(x))
	if done > 0 {
		vectorSphereTurn(x[:done], v, &[5]float64{a, b, c, d, e})
	}
	x, v = x[done:], v[done:]
	for i, p := range x {
		q := v[i]
		x[i] = float64(a*p) + float64(b*q)
		v[i] = (float64(c*p) + float64(d*q)) * e
	}
}
