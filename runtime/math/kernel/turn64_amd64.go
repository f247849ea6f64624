//go:build amd64 && !purego

package kernel

import (
	"github.com/sgppl/sgppl/runtime/math/cpu"
	"github.com/sgppl/sgppl/runtime/math/kernel/vec"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// The assembly of turns, given slices of one length that are not empty.

// minus has the time of the next friction with its sign changed, as exponents have it.
func (c Turn) minus() *Turn {
	c.NextFriction = -c.NextFriction
	return &c
}

func vectorThermostatTurn64(x, v, g, u, xi, e []float64, c *Turn) int {
	c = c.minus()
	if level == cpu.AVX512 {
		return vec.ThermostatTurn64avx512(&x[0], &v[0], &g[0], &u[0], &xi[0], &e[0], &c.Kick,
			special.ExpTable(), len(x))
	}
	return vec.ThermostatTurn64avx2(&x[0], &v[0], &g[0], &u[0], &xi[0], &e[0], &c.Kick,
		special.ExpTable(), len(x))
}

func vectorThermostatTurnDrawing64(x, v, g, u, xi, e []float64, c *Turn, d *Draws, rounds int) int {
	c = c.minus()
	if level == cpu.AVX512 {
		return vec.ThermostatTurnDrawing64avx512(&x[0], &v[0], &g[0], &u[0], &xi[0], &e[0], &c.Kick,
			special.ExpTable(), &d.To[0], d.Lanes, rounds)
	}
	return vec.ThermostatTurnDrawing64avx2(&x[0], &v[0], &g[0], &u[0], &xi[0], &e[0], &c.Kick,
		special.ExpTable(), &d.To[0], d.Lanes, rounds)
}

func vectorDampTurn64(x, v, g, u []float64, c *[6]float64) int {
	if level == cpu.AVX512 {
		return vec.DampTurn64avx512(&x[0], &v[0], &g[0], &u[0], &c[0], nil, len(x))
	}
	return vec.DampTurn64avx2(&x[0], &v[0], &g[0], &u[0], &c[0], nil, len(x))
}

func vectorDampTurnDrawing64(x, v, g, u []float64, c *[6]float64, d *Draws, rounds int) int {
	if level == cpu.AVX512 {
		return vec.DampTurnDrawing64avx512(&x[0], &v[0], &g[0], &u[0], &c[0], nil, &d.To[0],
			d.Lanes, rounds)
	}
	return vec.DampTurnDrawing64avx2(&x[0], &v[0], &g[0], &u[0], &c[0], nil, &d.To[0], d.Lanes, rounds)
}

func vectorLangevinTurn64(x, g, u []float64, c *[2]float64) int {
	if level == cpu.AVX512 {
		return vec.LangevinTurn64avx512(&x[0], &g[0], &u[0], &c[0], nil, len(x))
	}
	return vec.LangevinTurn64avx2(&x[0], &g[0], &u[0], &c[0], nil, len(x))
}

func vectorLangevinTurnDrawing64(x, g, u []float64, c *[2]float64, d *Draws, rounds int) int {
	if level == cpu.AVX512 {
		return vec.LangevinTurnDrawing64avx512(&x[0], &g[0], &u[0], &c[0], nil, &d.To[0], d.Lanes, rounds)
	}
	return vec.LangevinTurnDrawing64avx2(&x[0], &g[0], &u[0], &c[0], nil, &d.To[0], d.Lanes, rounds)
}

func vectorPreconditionedTurn64(x, g, u, q []float64, c *[6]float64) int {
	if level == cpu.AVX512 {
		return vec.PreconditionedTurn64avx512(&x[0], &g[0], &u[0], &q[0], &c[0], nil, len(x))
	}
	return vec.PreconditionedTurn64avx2(&x[0], &g[0], &u[0], &q[0], &c[0], nil, len(x))
}

func vectorPreconditionedTurnDrawing64(
	x, g, u, q []float64, c *[6]float64, d *Draws, rounds int,
) int {
	if level == cpu.AVX512 {
		return vec.PreconditionedTurnDrawing64avx512(&x[0], &g[0], &u[0], &q[0], &c[0], nil,
			&d.To[0], d.Lanes, rounds)
	}
	return vec.PreconditionedTurnDrawing64avx2(&x[0], &g[0], &u[0], &q[0], &c[0], nil, &d.To[0],
		d.Lanes, rounds)
}
