//go:build amd64 && !purego

package kernel

import (
	"github.com/sgppl/sgppl/runtime/math/cpu"
	"github.com/sgppl/sgppl/runtime/math/kernel/vec"
)

// The assembly of the steps, given slices of one length that are not empty.

func vectorDriftThermostat64(x, v, xi, e, c []float64) {
	if level == cpu.AVX512 {
		vec.DriftThermostat64avx512(&x[0], &v[0], &xi[0], &e[0], &c[0], len(x))
	} else {
		vec.DriftThermostat64avx2(&x[0], &v[0], &xi[0], &e[0], &c[0], len(x))
	}
}

func vectorKickDriftThermostat64(x, v, g, u, xi, e, c []float64) {
	if level == cpu.AVX512 {
		vec.KickDriftThermostat64avx512(&x[0], &v[0], &g[0], &u[0], &xi[0], &e[0], &c[0], len(x))
	} else {
		vec.KickDriftThermostat64avx2(&x[0], &v[0], &g[0], &u[0], &xi[0], &e[0], &c[0], len(x))
	}
}

func vectorKickDrift64(x, v, g, u, c []float64) {
	if level == cpu.AVX512 {
		vec.KickDrift64avx512(&x[0], &v[0], &g[0], &u[0], &c[0], len(x))
	} else {
		vec.KickDrift64avx2(&x[0], &v[0], &g[0], &u[0], &c[0], len(x))
	}
}

func vectorDriftDamp64(x, v, c []float64) {
	if level == cpu.AVX512 {
		vec.DriftDamp64avx512(&x[0], &v[0], &c[0], len(x))
	} else {
		vec.DriftDamp64avx2(&x[0], &v[0], &c[0], len(x))
	}
}

func vectorLangevin64(x, g, u, c []float64) {
	if level == cpu.AVX512 {
		vec.Langevin64avx512(&x[0], &g[0], &u[0], &c[0], len(x))
	} else {
		vec.Langevin64avx2(&x[0], &g[0], &u[0], &c[0], len(x))
	}
}

func vectorMultiply64(x, y []float64) {
	if level == cpu.AVX512 {
		vec.Multiply64avx512(&x[0], &y[0], len(x))
	} else {
		vec.Multiply64avx2(&x[0], &y[0], len(x))
	}
}
