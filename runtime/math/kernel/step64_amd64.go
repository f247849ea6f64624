//go:build amd64 && !purego

package kernel

import "github.com/sgppl/sgppl/runtime/math/cpu"

// The assembly of the steps, given slices of one length that are not empty.

func vectorDriftThermostat64(x, v, xi, e, c []float64) {
	if level == cpu.AVX512 {
		driftThermostat64avx512(&x[0], &v[0], &xi[0], &e[0], &c[0], len(x))
	} else {
		driftThermostat64avx2(&x[0], &v[0], &xi[0], &e[0], &c[0], len(x))
	}
}

func vectorKickDriftThermostat64(x, v, g, u, xi, e, c []float64) {
	if level == cpu.AVX512 {
		kickDriftThermostat64avx512(&x[0], &v[0], &g[0], &u[0], &xi[0], &e[0], &c[0], len(x))
	} else {
		kickDriftThermostat64avx2(&x[0], &v[0], &g[0], &u[0], &xi[0], &e[0], &c[0], len(x))
	}
}

func vectorKickDrift64(x, v, g, u, c []float64) {
	if level == cpu.AVX512 {
		kickDrift64avx512(&x[0], &v[0], &g[0], &u[0], &c[0], len(x))
	} else {
		kickDrift64avx2(&x[0], &v[0], &g[0], &u[0], &c[0], len(x))
	}
}

func vectorDriftDamp64(x, v, c []float64) {
	if level == cpu.AVX512 {
		driftDamp64avx512(&x[0], &v[0], &c[0], len(x))
	} else {
		driftDamp64avx2(&x[0], &v[0], &c[0], len(x))
	}
}

func vectorLangevin64(x, g, u, c []float64) {
	if level == cpu.AVX512 {
		langevin64avx512(&x[0], &g[0], &u[0], &c[0], len(x))
	} else {
		langevin64avx2(&x[0], &g[0], &u[0], &c[0], len(x))
	}
}

func vectorMultiply64(x, y []float64) {
	if level == cpu.AVX512 {
		multiply64avx512(&x[0], &y[0], len(x))
	} else {
		multiply64avx2(&x[0], &y[0], len(x))
	}
}
