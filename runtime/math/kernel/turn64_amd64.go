//go:build amd64 && !purego

package kernel

import (
	"github.com/sgppl/sgppl/runtime/math/cpu"
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
		return thermostatTurn64avx512(&x[0], &v[0], &g[0], &u[0], &xi[0], &e[0], &c.Kick, special.ExpTable(), len(x))
	}
	return thermostatTurn64avx2(&x[0], &v[0], &g[0], &u[0], &xi[0], &e[0], &c.Kick, special.ExpTable(), len(x))
}

func vectorThermostatTurnDrawing64(x, v, g, u, xi, e []float64, c *Turn, d *Draws, rounds int) int {
	c = c.minus()
	if level == cpu.AVX512 {
		return thermostatTurnDrawing64avx512(&x[0], &v[0], &g[0], &u[0], &xi[0], &e[0], &c.Kick, special.ExpTable(), &d.To[0], d.Lanes, rounds)
	}
	return thermostatTurnDrawing64avx2(&x[0], &v[0], &g[0], &u[0], &xi[0], &e[0], &c.Kick, special.ExpTable(), &d.To[0], d.Lanes, rounds)
}

func vectorDampTurn64(x, v, g, u []float64, c *[6]float64) int {
	if level == cpu.AVX512 {
		return dampTurn64avx512(&x[0], &v[0], &g[0], &u[0], &c[0], nil, len(x))
	}
	return dampTurn64avx2(&x[0], &v[0], &g[0], &u[0], &c[0], nil, len(x))
}

func vectorDampTurnDrawing64(x, v, g, u []float64, c *[6]float64, d *Draws, rounds int) int {
	if level == cpu.AVX512 {
		return dampTurnDrawing64avx512(&x[0], &v[0], &g[0], &u[0], &c[0], nil, &d.To[0], d.Lanes, rounds)
	}
	return dampTurnDrawing64avx2(&x[0], &v[0], &g[0], &u[0], &c[0], nil, &d.To[0], d.Lanes, rounds)
}

func vectorLangevinTurn64(x, g, u []float64, c *[2]float64) int {
	if level == cpu.AVX512 {
		return langevinTurn64avx512(&x[0], &g[0], &u[0], &c[0], nil, len(x))
	}
	return langevinTurn64avx2(&x[0], &g[0], &u[0], &c[0], nil, len(x))
}

func vectorLangevinTurnDrawing64(x, g, u []float64, c *[2]float64, d *Draws, rounds int) int {
	if level == cpu.AVX512 {
		return langevinTurnDrawing64avx512(&x[0], &g[0], &u[0], &c[0], nil, &d.To[0], d.Lanes, rounds)
	}
	return langevinTurnDrawing64avx2(&x[0], &g[0], &u[0], &c[0], nil, &d.To[0], d.Lanes, rounds)
}

func vectorPreconditionedTurn64(x, g, u, q []float64, c *[6]float64) int {
	if level == cpu.AVX512 {
		return preconditionedTurn64avx512(&x[0], &g[0], &u[0], &q[0], &c[0], nil, len(x))
	}
	return preconditionedTurn64avx2(&x[0], &g[0], &u[0], &q[0], &c[0], nil, len(x))
}

func vectorPreconditionedTurnDrawing64(x, g, u, q []float64, c *[6]float64, d *Draws, rounds int) int {
	if level == cpu.AVX512 {
		return preconditionedTurnDrawing64avx512(&x[0], &g[0], &u[0], &q[0], &c[0], nil, &d.To[0], d.Lanes, rounds)
	}
	return preconditionedTurnDrawing64avx2(&x[0], &g[0], &u[0], &q[0], &c[0], nil, &d.To[0], d.Lanes, rounds)
}
