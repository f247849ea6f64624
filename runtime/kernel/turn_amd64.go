//go:build amd64 && !purego

package kernel

import (
	"github.com/sgppl/sgppl/runtime/cpu"
	"github.com/sgppl/sgppl/runtime/special"
)

// The assembly of turns and watches, given slices of one length that are not empty.

func vectorThermostatTurn(x, v, g, u, xi, e []float64, c *Turn) int {
	if level == cpu.AVX512 {
		return thermostatTurn64avx512(&x[0], &v[0], &g[0], &u[0], &xi[0], &e[0], &c.Kick, special.ExpTable(), len(x))
	}
	return thermostatTurn64avx2(&x[0], &v[0], &g[0], &u[0], &xi[0], &e[0], &c.Kick, special.ExpTable(), len(x))
}

func vectorDampTurn(x, v, g, u []float64, c *[6]float64) int {
	if level == cpu.AVX512 {
		return dampTurn64avx512(&x[0], &v[0], &g[0], &u[0], &c[0], nil, len(x))
	}
	return dampTurn64avx2(&x[0], &v[0], &g[0], &u[0], &c[0], nil, len(x))
}

func vectorLangevinTurn(x, g, u []float64, c *[2]float64) int {
	if level == cpu.AVX512 {
		return langevinTurn64avx512(&x[0], &g[0], &u[0], &c[0], nil, len(x))
	}
	return langevinTurn64avx2(&x[0], &g[0], &u[0], &c[0], nil, len(x))
}

func vectorPreconditionedTurn(x, g, u, q []float64, c *[6]float64) int {
	if level == cpu.AVX512 {
		return preconditionedTurn64avx512(&x[0], &g[0], &u[0], &q[0], &c[0], nil, len(x))
	}
	return preconditionedTurn64avx2(&x[0], &g[0], &u[0], &q[0], &c[0], nil, len(x))
}

func vectorWatchPair(x, f, mx, mg, xg, t []float64, c *[1]float64) {
	if level == cpu.AVX512 {
		watchPair64avx512(&x[0], &f[0], &mx[0], &mg[0], &xg[0], &t[0], &c[0], len(x))
	} else {
		watchPair64avx2(&x[0], &f[0], &mx[0], &mg[0], &xg[0], &t[0], &c[0], len(x))
	}
}

func vectorWatch(x, mean, ss, t []float64, c *[1]float64) {
	if level == cpu.AVX512 {
		watch64avx512(&x[0], &mean[0], &ss[0], &t[0], &c[0], len(x))
	} else {
		watch64avx2(&x[0], &mean[0], &ss[0], &t[0], &c[0], len(x))
	}
}
