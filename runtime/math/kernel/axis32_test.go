package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sgppl/sgppl/runtime/math/special"
)

// Extrema at every level are those of the builtin functions, with NaN, zeros
// of both signs and infinities.
func TestExtrema(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		for trial := range 400 {
			g := rand.New(rand.NewPCG(uint64(trial), 8))
			n := g.IntN(90)
			extrema(t, random[float64](g, n, trial%2 == 0), g, Max, Min)
			extrema(t, random[float32](g, n, trial%2 == 0), g, Max32, Min32)
		}
	})
}

func extrema[T float32 | float64](
	t *testing.T, x []T, g *rand.Rand, largest, smallest func([]T) T,
) {
	if len(x) > 0 && g.IntN(3) == 0 { // all of one sign, so that zeros decide
		sign := T(1 - 2*g.IntN(2))
		for i, v := range x {
			x[i] = sign * T(math.Abs(math.Trunc(float64(v))))
		}
	}
	hi, lo := T(math.Inf(-1)), T(math.Inf(1))
	for _, v := range x {
		hi, lo = max(hi, v), min(lo, v)
	}
	agree(t, fmt.Sprintf("extrema of %v", x), []T{largest(x), smallest(x)}, []T{hi, lo})
}

// The axis kernels in single precision, each line against its definition.
func TestAxes32(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		g := rand.New(rand.NewPCG(3, 9))
		for _, s := range [][3]int{{1, 0, 1}, {3, 0, 2}, {1, 1, 1}, {2, 7, 1}, {5, 9, 1}, {2, 5, 3},
			{1, 200, 1}, {4, 6, 130}, {2, 70, 2}, {0, 4, 2}, {2, 4, 0}} {
			outer, n, inner := s[0], s[1], s[2]
			x := random[float32](g, outer*n*inner, false)
			for i := range x {
				if x[i] = min(30, max(-30, x[i]*5)); i%7 == 0 {
					x[i] = float32(math.Inf(-1))
				}
			}
			got := map[string][]float32{}
			for name, f := range map[string]func(dst, x []float32, outer, n, inner int){
				"SumAxis32": SumAxis32, "ProdAxis32": ProdAxis32, "MaxAxis32": MaxAxis32,
				"MinAxis32": MinAxis32, "LogSumExpAxis32": LogSumExpAxis32} {
				got[name] = make([]float32, outer*inner)
				f(got[name], x, outer, n, inner)
			}
			want := map[string][]float32{}
			for o := range outer {
				for i := range inner {
					at := func(k int) float32 { return x[(o*n+k)*inner+i] }
					sum, prod, hi, lo := float32(0), float32(1), float32(math.Inf(-1)),
						float32(math.Inf(1))
					lane := [8]float32{1, 1, 1, 1, 1, 1, 1, 1}
					for k := range n {
						sum, prod, hi, lo = sum+at(k), prod*at(k), max(hi, at(k)), min(lo, at(k))
						lane[k%8] *= at(k)
					}
					exp := func(k int) float64 { return special.Exp(float64(at(k)) - float64(hi)) }
					e := 0.0
					for k := range n {
						e += exp(k)
					}
					if inner == 1 {
						sum = float32(laneSum(8, n, func(k int) float64 { return float64(at(k)) }))
						prod = ((lane[0] * lane[4]) * (lane[2] * lane[6])) *
							((lane[1] * lane[5]) * (lane[3] * lane[7]))
						e = laneSum(8, n, exp)
					}
					lse := float32(float64(hi) + special.Log(e))
					if math.IsInf(float64(hi), 0) {
						lse = hi
					}
					for name, v := range map[string]float32{"SumAxis32": sum, "ProdAxis32": prod,
						"MaxAxis32": hi, "MinAxis32": lo, "LogSumExpAxis32": lse} {
						want[name] = append(want[name], v)
					}
				}
			}
			for o := range outer {
				if inner == 1 && LogSumExp32(x[o*n:(o+1)*n]) != want["LogSumExpAxis32"][o] {
					t.Errorf("LogSumExp32 of line %d of %v", o, s)
				}
			}
			for name, w := range want {
				agree(t, fmt.Sprint(name, s), got[name], w)
			}
		}
	})
}

// Elementwise kernels in single precision are those of double precision,
// rounded.
func TestElementwise32(t *testing.T) {
	g := rand.New(rand.NewPCG(4, 9))
	for _, c := range []struct {
		name   string
		kernel func(dst, src []float32)
		f      func(float64) float64
	}{
		{"Exp", Exp32, func(x float64) float64 { return float64(special.Exp32(float32(x))) }},
		{"Expm1", Expm132, special.Expm1}, {"Log", Log32, special.Log},
		{"Log1p", Log1p32, special.Log1p},
		{"Tanh", Tanh32, special.Tanh}, {"Sigmoid", Sigmoid32, special.Sigmoid},
		{"LogSigmoid", LogSigmoid32, special.LogSigmoid},
		{"LogNormalCDF", LogNormalCDF32, special.LogNormalCDF},
		{"Softplus", Softplus32, special.Softplus}, {"Sqrt", Sqrt32, math.Sqrt},
	} {
		x := random[float32](g, 131, true)
		want := make([]float32, len(x))
		for i, v := range x {
			want[i] = float32(c.f(float64(v)))
		}
		c.kernel(x, x)
		agree(t, c.name, x, want)
	}
}
