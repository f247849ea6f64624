package kernel

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/sgppl/sgppl/runtime/math/special"
)

// Steps have the bits of their definitions in both precisions at every level
// and length, and touch nothing beyond.
func TestSteps(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		for trial := range 300 {
			g := rand.New(rand.NewPCG(uint64(trial), 12))
			n := g.IntN(45)
			testSteps[float64](t, g, n, func(x, y, z float64) float64 { return float64(x*y) + z },
				func(v, g, u, t, sd float64) float64 { return v + (float64(g*t) + float64(sd*u)) },
				DriftThermostat, KickDriftThermostat, KickDrift, DriftDamp, Langevin, Multiply)
			testSteps[float32](t, g, n, special.FMA32,
				func(v, g, u, t, sd float32) float32 {
					return special.FMA32(g, t, special.FMA32(sd, u, v))
				}, DriftThermostat32, KickDriftThermostat32, KickDrift32, DriftDamp32, Langevin32,
				Multiply32)
		}
	})
}

func testSteps[T float32 | float64](t *testing.T, g *rand.Rand, n int, muladd func(x, y, z T) T,
	kicked func(v, g, u, t, sd T) T,
	driftThermostat func(x, v, xi, e []T, ta, tt, tb, temp T),
	kickDriftThermostat func(x, v, g, u, xi, e []T, to, sd, ta, tt, temp T),
	kickDrift func(x, v, g, u []T, to, sd, e, ta T),
	driftDamp func(x, v []T, ta, e T), langevin func(x, g, u []T, t, sd T), multiply func(x, y []T)) {
	c := random[T](g, 5, false)
	for which := range 6 {
		var a, w [6][]T // x, v, force, noise, ξ, decay; beyond n they stay
		for i := range a {
			a[i] = random[T](g, n+2, which%2 == 0)
			w[i] = append([]T{}, a[i]...)
		}
		for i := range n {
			x, v, f, u, xi, e := &w[0][i], &w[1][i], &w[2][i], &w[3][i], &w[4][i], &w[5][i]
			switch which {
			case 0:
				*x = muladd(c[0], *v, *x)
				*xi = muladd(muladd(*v, *v, -c[3]), c[1], *xi)
				*e = -(*xi * c[2])
			case 1:
				*v = kicked(*v, *f, *u, c[0], c[1]) * *e
				*x = muladd(c[2], *v, *x)
				*xi = muladd(muladd(*v, *v, -c[4]), c[3], *xi)
			case 2:
				*v = kicked(*v, *f, *u, c[0], c[1]) * c[2]
				*x = muladd(c[3], *v, *x)
			case 3:
				*x = muladd(c[0], *v, *x)
				*v *= c[1]
			case 4:
				*x = kicked(*x, *f, *u, c[0], c[1])
			case 5:
				*x *= *v
			}
		}
		x, v, f, u, xi, e := a[0][:n], a[1][:n], a[2][:n], a[3][:n], a[4][:n], a[5][:n]
		switch which {
		case 0:
			driftThermostat(x, v, xi, e, c[0], c[1], c[2], c[3])
		case 1:
			kickDriftThermostat(x, v, f, u, xi, e, c[0], c[1], c[2], c[3], c[4])
		case 2:
			kickDrift(x, v, f, u, c[0], c[1], c[2], c[3])
		case 3:
			driftDamp(x, v, c[0], c[1])
		case 4:
			langevin(x, f, u, c[0], c[1])
		case 5:
			multiply(x, v)
		}
		for i := range a {
			agree(t, fmt.Sprintf("step %d of %d, array %d in %T", which, n, i, c), a[i], w[i])
		}
	}
}
