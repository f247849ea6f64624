package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sgppl/sgppl/runtime/math/cpu"
	"github.com/sgppl/sgppl/runtime/math/rng"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// A joined is a step join on arrays (x, v, force, noise, ξ, decay), and the kernels
// that it joins.
type joined[T float32 | float64] struct {
	join  func(a [6][]T, c []T, to []T, lanes *Lanes) (done, made int)
	parts func(a [6][]T, c []T)
}

// positive has the numbers and the squares that a preconditioner can have.
func positive[T float32 | float64](x []T) []T {
	out := make([]T, len(x))
	for i, a := range x {
		out[i] = T(math.Abs(float64(a)) + 1e-3)
	}
	return out
}

var joined64 = []joined[float64]{
	{func(a [6][]float64, c []float64, to []float64, lanes *Lanes) (int, int) {
		d, made := drawing64(to, lanes)
		return ThermostatJoin(a[0], a[1], a[2], a[3], a[4], a[5],
			&Join{c[0], c[1], c[2], c[3], c[4], c[5], c[6], -c[7]}, d), made()
	}, func(a [6][]float64, c []float64) {
		KickDriftThermostat(a[0], a[1], a[2], a[3], a[4], a[5], c[0], c[1], c[2], c[3], c[4])
		DriftThermostat(a[0], a[1], a[4], a[5], c[5], c[6], c[7], c[4])
		special.ExpSlice(a[5], a[5])
		Multiply(a[1], a[5])
	}},
	{func(a [6][]float64, c []float64, to []float64, lanes *Lanes) (int, int) {
		d, made := drawing64(to, lanes)
		return DampJoin(a[0], a[1], a[2], a[3], c[0], c[1], c[2], c[3], c[4], c[5], d), made()
	}, func(a [6][]float64, c []float64) {
		KickDrift(a[0], a[1], a[2], a[3], c[0], c[1], c[2], c[3])
		DriftDamp(a[0], a[1], c[4], c[5])
	}},
	{func(a [6][]float64, c []float64, to []float64, lanes *Lanes) (int, int) {
		d, made := drawing64(to, lanes)
		return LangevinJoin(a[0], a[2], a[3], c[0], c[1], d), made()
	}, func(a [6][]float64, c []float64) { Langevin(a[0], a[2], a[3], c[0], c[1]) }},
	{func(a [6][]float64, c []float64, to []float64, lanes *Lanes) (int, int) {
		c = positive(c)
		d, made := drawing64(to, lanes)
		return PreconditionedJoin(a[0], a[2], a[3], a[1], c[0], c[1], c[2], c[3], c[4], c[5], d), made()
	}, func(a [6][]float64, c []float64) {
		c = positive(c)
		for i, f := range a[2] {
			m := float64(f * c[4])
			a[1][i] = float64(c[2]*a[1][i]) + float64(c[3]*float64(m*m))
			p := 1 / (c[5] + math.Sqrt(a[1][i]))
			a[0][i] += float64(p*float64(f*c[0])) + float64(float64(c[1]*math.Sqrt(p))*a[3][i])
		}
	}},
}

var joined32 = []joined[float32]{
	{func(a [6][]float32, c []float32, to []float32, lanes *Lanes) (int, int) {
		d, made := drawing32(to, lanes)
		return ThermostatJoin32(a[0], a[1], a[2], a[3], a[4], a[5],
			&Join32{c[0], c[1], c[2], c[3], c[4], c[5], c[6], -c[7]}, d), made()
	}, func(a [6][]float32, c []float32) {
		KickDriftThermostat32(a[0], a[1], a[2], a[3], a[4], a[5], c[0], c[1], c[2], c[3], c[4])
		DriftThermostat32(a[0], a[1], a[4], a[5], c[5], c[6], c[7], c[4])
		special.ExpSlice32(a[5], a[5])
		Multiply32(a[1], a[5])
	}},
	{func(a [6][]float32, c []float32, to []float32, lanes *Lanes) (int, int) {
		d, made := drawing32(to, lanes)
		return DampJoin32(a[0], a[1], a[2], a[3], c[0], c[1], c[2], c[3], c[4], c[5], d), made()
	}, func(a [6][]float32, c []float32) {
		KickDrift32(a[0], a[1], a[2], a[3], c[0], c[1], c[2], c[3])
		DriftDamp32(a[0], a[1], c[4], c[5])
	}},
	{func(a [6][]float32, c []float32, to []float32, lanes *Lanes) (int, int) {
		d, made := drawing32(to, lanes)
		return LangevinJoin32(a[0], a[2], a[3], c[0], c[1], d), made()
	}, func(a [6][]float32, c []float32) { Langevin32(a[0], a[2], a[3], c[0], c[1]) }},
	{func(a [6][]float32, c []float32, to []float32, lanes *Lanes) (int, int) {
		c = positive(c)
		d, made := drawing32(to, lanes)
		return PreconditionedJoin32(a[0], a[2], a[3], a[1], c[0], c[1], c[2], c[3], c[4], c[5], d), made()
	}, func(a [6][]float32, c []float32) {
		c = positive(c)
		for i, f := range a[2] {
			m := float32(f * c[4])
			a[1][i] = float32(c[2]*a[1][i]) + float32(c[3]*float32(m*m))
			p := 1 / (c[5] + sqrt32(a[1][i]))
			a[0][i] += float32(p*float32(f*c[0])) + float32(float32(c[1]*sqrt32(p))*a[3][i])
		}
	}},
}

func drawing64(to []float64, lanes *Lanes) (*Draws, func() int) {
	if lanes == nil {
		return nil, func() int { return 0 }
	}
	d := &Draws{To: to, Lanes: lanes}
	return d, func() int { return d.Made }
}

func drawing32(to []float32, lanes *Lanes) (*Draws32, func() int) {
	if lanes == nil {
		return nil, func() int { return 0 }
	}
	d := &Draws32{To: to, Lanes: lanes}
	return d, func() int { return d.Made }
}

// Joins have the bits of the kernels that they join as far as they go, leave the
// rest alone, and go to the end where all is ordinary. The normals that they
// make for later are those of a sequence, which goes on behind them.
func TestJoins(t *testing.T) {
	t.Run("f64", func(t *testing.T) { testJoins(t, joined64, 16) })
	t.Run("f32", func(t *testing.T) { testJoins(t, joined32, 32) })
}

func testJoins[T float32 | float64](t *testing.T, table []joined[T], round int) {
	atLevels(t, func(t *testing.T) {
		for trial := range 600 {
			g := rand.New(rand.NewPCG(uint64(trial), 13))
			n := g.IntN(100)
			ordinary, draws, wild := trial%4 == 0, trial%3 == 0, trial%2 == 1
			c := random[T](g, 8, false)
			if ordinary {
				for i := range c {
					if c[i] = T(0.3 * g.NormFloat64()); trial%8 == 0 || draws {
						c[i] *= 0.01 // exponents near 0, of both signs
					}
				}
			}
			if draws { // steps of one size
				c[5], c[6] = c[2], c[3]
			}
			for which, of := range table {
				var a, b, w, before [6][]T
				for i := range a {
					a[i] = random[T](g, n+2, wild)
					if ordinary {
						for j := range a[i] {
							a[i][j] = T(g.NormFloat64())
						}
					}
					if which == 3 && i == 1 {
						a[i] = positive(a[i])
					}
					w[i], before[i] = slices.Clone(a[i]), slices.Clone(a[i])
					a[i], b[i], w[i] = a[i][:n], a[i], w[i][:n]
				}
				to, all := make([]T, n+64), make([]T, n+64)
				var q rng.SequenceOf[T]
				var lanes *Lanes
				if draws {
					q.Begin(rng.New(3, 0, rng.Test), uint64(trial))
					q.Fill(all)
					q.Begin(rng.New(3, 0, rng.Test), uint64(trial))
					lanes = q.Lanes()
				}
				of.parts(w, c)
				done, made := of.join(a, c, to, lanes)
				want := n
				if draws {
					want = n / round * round
				}
				if level == cpu.Portable {
					want = 0
				}
				if done > want || ordinary && done != want {
					t.Fatalf("join %d did %d of %d", which, done, n)
				}
				for i := range a {
					agree(t, fmt.Sprintf("join %d of %d, array %d", which, n, i), b[i],
						append(w[i][:done:done], before[i][done:]...))
				}
				if !draws {
					continue
				}
				if made != done/round*round {
					t.Fatalf("join %d did %d of %d and made %d normals", which, done, n, made)
				}
				q.Fill(to[made:])
				agree(t, fmt.Sprintf("normals of join %d, %d of %d", which, made, n), to, all)
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
			squares := append([]float64{}, a[5]...)
			WatchSquares(a[0][:n], a[1], squares, inv)
			for i := range n {
				d := a[0][i] - a[1][i]
				w[5][i] += float64(float64(d*d) * inv)
			}
			agree(t, fmt.Sprintf("squares of %d", n), squares, w[5])
			w[5] = append([]float64{}, a[5]...)
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
