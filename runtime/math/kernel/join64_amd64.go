//go:build amd64 && !purego

package kernel

import (
	"github.com/sgppl/sgppl/runtime/math/cpu"
	"github.com/sgppl/sgppl/runtime/math/kernel/vec"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// The assembly of step joins, given slices of one length that are not empty.

func vectorThermostatJoin64(x, v, g, u, xi, e []float64, c *Join) int {
	if level == cpu.AVX512 {
		return vec.ThermostatJoin64avx512(&x[0], &v[0], &g[0], &u[0], &xi[0], &e[0], &c.Kick,
			special.ExpTable(), len(x))
	}
	return vec.ThermostatJoin64avx2(&x[0], &v[0], &g[0], &u[0], &xi[0], &e[0], &c.Kick,
		special.ExpTable(), len(x))
}

func vectorThermostatJoinDrawing64(x, v, g, u, xi, e []float64, c *Join, d *Draws, rounds int) int {
	if level == cpu.AVX512 {
		return vec.ThermostatJoinDrawing64avx512(&x[0], &v[0], &g[0], &u[0], &xi[0], &e[0], &c.Kick,
			special.ExpTable(), &d.To[0], d.Lanes, rounds)
	}
	return vec.ThermostatJoinDrawing64avx2(&x[0], &v[0], &g[0], &u[0], &xi[0], &e[0], &c.Kick,
		special.ExpTable(), &d.To[0], d.Lanes, rounds)
}

func vectorDampJoin64(x, v, g, u []float64, c *[6]float64) int {
	if level == cpu.AVX512 {
		return vec.DampJoin64avx512(&x[0], &v[0], &g[0], &u[0], &c[0], nil, len(x))
	}
	return vec.DampJoin64avx2(&x[0], &v[0], &g[0], &u[0], &c[0], nil, len(x))
}

func vectorDampJoinDrawing64(x, v, g, u []float64, c *[6]float64, d *Draws, rounds int) int {
	if level == cpu.AVX512 {
		return vec.DampJoinDrawing64avx512(&x[0], &v[0], &g[0], &u[0], &c[0], nil, &d.To[0],
			d.Lanes, rounds)
	}
	return vec.DampJoinDrawing64avx2(&x[0], &v[0], &g[0], &u[0], &c[0], nil, &d.To[0], d.Lanes, rounds)
}

func vectorLangevinJoin64(x, g, u []float64, c *[2]float64) int {
	if level == cpu.AVX512 {
		return vec.LangevinJoin64avx512(&x[0], &g[0], &u[0], &c[0], nil, len(x))
	}
	return vec.LangevinJoin64avx2(&x[0], &g[0], &u[0], &c[0], nil, len(x))
}

func vectorLangevinJoinDrawing64(x, g, u []float64, c *[2]float64, d *Draws, rounds int) int {
	if level == cpu.AVX512 {
		return vec.LangevinJoinDrawing64avx512(&x[0], &g[0], &u[0], &c[0], nil, &d.To[0], d.Lanes, rounds)
	}
	return vec.LangevinJoinDrawing64avx2(&x[0], &g[0], &u[0], &c[0], nil, &d.To[0], d.Lanes, rounds)
}

func vectorPreconditionedJoin64(x, g, u, q []float64, c *[6]float64) int {
	if level == cpu.AVX512 {
		return vec.PreconditionedJoin64avx512(&x[0], &g[0], &u[0], &q[0], &c[0], nil, len(x))
	}
	return vec.PreconditionedJoin64avx2(&x[0], &g[0], &u[0], &q[0], &c[0], nil, len(x))
}

func vectorPreconditionedJoinDrawing64(
	x, g, u, q []float64, c *[6]float64, d *Draws, rounds int,
) int {
	if level == cpu.AVX512 {
		return vec.PreconditionedJoinDrawing64avx512(&x[0], &g[0], &u[0], &q[0], &c[0], nil,
			&d.To[0], d.Lanes, rounds)
	}
	return vec.PreconditionedJoinDrawing64avx2(&x[0], &g[0], &u[0], &q[0], &c[0], nil, &d.To[0],
		d.Lanes, rounds)
}
