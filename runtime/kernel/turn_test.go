package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sgppl/sgppl/runtime/cpu"
	"github.com/sgppl/sgppl/runtime/special"
)

// Turns have the bits of the kernels that they join as far as they go, leave the
// rest alone, and go to the end where all is ordinary.
func TestTurns(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		for trial := range 600 {
			g := rand.New(rand.NewPCG(uint64(trial), 13))
			n := g.IntN(45)
			c := random[float64](g, 8, false)
			if trial%4 == 0 {
				for i := range c {
					if c[i] = g.NormFloat64(); trial%8 == 0 {
						c[i] *= 0.02 // exponents near 0, of both signs
					}
				}
			}
			wild := trial%2 == 1
			for which := range 4 {
				var a, w, before [6][]float64 // x, v, force, noise, ξ, decay
				for i := range a {
					a[i] = random[float64](g, n+2, wild)
					if trial%4 == 0 {
						for j := range a[i] {
							a[i][j] = g.NormFloat64()
						}
					}
					w[i] = append([]float64{}, a[i]...)
					before[i] = append([]float64{}, a[i]...)
				}
				x, v, f, u, xi, e := a[0][:n], a[1][:n], a[2][:n], a[3][:n], a[4][:n], a[5][:n]
				X, V, F, U, Xi, E := w[0][:n], w[1][:n], w[2][:n], w[3][:n], w[4][:n], w[5][:n]
				done := 0
				switch which {
				case 0:
					done = ThermostatTurn(x, v, f, u, xi, e, &Turn{c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7]})
					KickDriftThermostat(X, V, F, U, Xi, E, c[0], c[1], c[2], c[3], c[4])
					DriftThermostat(X, V, Xi, E, c[5], c[6], c[7], c[4])
					special.ExpSlice(E, E)
					Multiply(V, E)
				case 1:
					done = DampTurn(x, v, f, u, c[0], c[1], c[2], c[3], c[4], c[5])
					KickDrift(X, V, F, U, c[0], c[1], c[2], c[3])
					DriftDamp(X, V, c[4], c[5])
				case 2:
					done = LangevinTurn(x, f, u, c[0], c[1])
					Langevin(X, F, U, c[0], c[1])
				case 3:
					c := append([]float64{}, c...)
					for i := range c {
						c[i] = math.Abs(c[i]) + 1e-3
					}
					for i := range v {
						v[i], V[i], before[1][i] = math.Abs(v[i]), math.Abs(v[i]), math.Abs(v[i])
					}
					done = PreconditionedTurn(x, f, u, v, c[0], c[1], c[2], c[3], c[4], c[5])
					for i := range X {
						m := float64(F[i] * c[4])
						V[i] = float64(c[2]*V[i]) + float64(c[3]*float64(m*m))
						p := 1 / (c[5] + math.Sqrt(V[i]))
						X[i] += float64(p*float64(F[i]*c[0])) + float64(float64(c[1]*math.Sqrt(p))*U[i])
					}
				}
				if want := map[bool]int{true: 0, false: n}[level == cpu.Portable]; done != want && trial%4 == 0 {
					t.Fatalf("turn %d did %d of %d", which, done, n)
				}
				for i := range a {
					agree(t, fmt.Sprintf("turn %d of %d, array %d", which, n, i), a[i], append(w[i][:done:done], before[i][done:]...))
				}
			}
		}
	})
}

// Watches have the bits of their definitions at every level.
func TestWatches(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		for trial := range 200 {
			g := rand.New(rand.NewPCG(uint64(trial), 14))
			n := g.IntN(45)
			inv := g.Float64()
			var a, w [6][]float64
			for i := range a {
				a[i] = random[float64](g, n+2, trial%2 == 1)
				w[i] = append([]float64{}, a[i]...)
			}
			if trial%4 < 2 {
				WatchPair(a[0][:n], a[1], a[2], a[3], a[4], a[5], inv)
			} else {
				Watch(a[0][:n], a[1], a[2], a[3], inv)
			}
			for i := range n {
				x, f, mx, mg, xg, z := w[0][i], w[1][i], &w[2][i], &w[3][i], &w[4][i], &w[5][i]
				if trial%4 < 2 {
					dx := x - *mx
					*mx += float64(dx * inv)
					*mg += float64((-f - *mg) * inv)
					*xg += float64(dx * (-f - *mg))
					*z = (x - *mx) * -f
					continue
				}
				mean, ss, z := &w[1][i], &w[2][i], &w[3][i]
				d := x - *mean
				*mean += float64(d * inv)
				*ss += float64(d * (x - *mean))
				*z = (x - *mean) * (x - *mean)
			}
			for i := range a {
				agree(t, fmt.Sprintf("watch %d of %d, array %d", trial, n, i), a[i], w[i])
			}
		}
	})
}
