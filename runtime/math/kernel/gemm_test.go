package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sgppl/sgppl/runtime/math/cpu"
)

// atLevels runs a test with every set of instructions that there is here.
func atLevels(t *testing.T, f func(t *testing.T)) {
	defer func(l cpu.Level) { level = l }(level)
	for _, l := range cpu.Levels() {
		level = l
		t.Run(l.String(), f)
	}
}

// random has normals, zeros, numbers of very different size, and with wild
// infinities and NaN.
func random[T float32 | float64](g *rand.Rand, n int, wild bool) []T {
	x := make([]T, n)
	for i := range x {
		v := g.NormFloat64()
		switch g.IntN(20) {
		case 0:
			v = 0
		case 1:
			v *= 1e-42
		case 2:
			v *= 1e12
		case 3:
			v = math.Copysign(0, v)
		case 4:
			v = math.Round(v)
		}
		if wild && g.IntN(200) == 0 {
			v = []float64{math.Inf(1), math.Inf(-1), math.NaN(), 1e300}[g.IntN(4)]
		}
		x[i] = T(v)
	}
	return x
}

// agree fails unless two slices hold the same bits; a NaN is a NaN.
func agree[T float32 | float64](t *testing.T, what string, got, want []T) {
	t.Helper()
	for i, w := range want {
		if g := got[i]; g != w && (g == g || w == w) ||
			g == 0 && math.Signbit(float64(g)) != math.Signbit(float64(w)) {
			t.Fatalf("%s: element %d is %v, want %v", what, i, g, w)
		}
	}
}

func TestGemm(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		testGemm(t, fma64, func(c, a, b mat[float64], m, n, k int, transA, transB, acc bool) {
			Gemm(Matrix(c), Matrix(a), Matrix(b), m, n, k, transA, transB, acc)
		})
	})
}

func TestGemm32(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		testGemm(t, fma32, func(c, a, b mat[float32], m, n, k int, transA, transB, acc bool) {
			Gemm32(Matrix32(c), Matrix32(a), Matrix32(b), m, n, k, transA, transB, acc)
		})
	})
}

// testGemm compares a product with its definition, on shapes at all edges of
// tiles and blocks, in all transposes, with what lies between and around the
// rows of C untouched and nothing read outside of A and B.
func testGemm[T float32 | float64](
	t *testing.T, fma func(x, y, z T) T,
	gemm func(c, a, b mat[T], m, n, k int, transA, transB, acc bool),
) {
	g := rand.New(rand.NewPCG(5, 5))
	shapes := [][3]int{{0, 3, 2}, {3, 0, 2}, {3, 2, 0}, {1, 1, 1}, {1, 70, 3}, {70, 1, 3},
		{7, 8, 9}, {8, 8, 8}, {9, 7, 300}, {2, 4, 700},
		{15, 17, 33}, {29, 33, 31}, {33, 131, 17}, {5, 260, 257}, {13, 530, 33}, {64, 64, 64},
		{100, 140, 210}, {180, 5, 4}, {200, 40, 3}}
	for n := 20; n < 300; n += 1 + n/7 { // one row, in every number of registers
		shapes = append(shapes, [3]int{1, n, 1 + n%5})
	}
	for range 30 {
		shapes = append(shapes, [3]int{1 + g.IntN(40), 1 + g.IntN(80), 1 + g.IntN(50)})
	}
	for trial, s := range shapes {
		m, n, k := s[0], s[1], s[2]
		for mode := range 8 {
			transA, transB, acc := mode&1 != 0, mode&2 != 0, mode&4 != 0
			wild := (trial+mode)%5 == 0
			make2 := func(rows, cols int) mat[T] {
				ld := cols + g.IntN(3)
				if trial%4 == 2 { // lines far apart are copied
					ld = (cols + farApart - 1) / farApart * farApart
				}
				return mat[T]{random[T](g, max(0, (rows-1)*ld+cols), wild), ld}
			}
			ra, ca, rb, cb := m, k, k, n
			if transA {
				ra, ca = ca, ra
			}
			if transB {
				rb, cb = cb, rb
			}
			a, b := make2(ra, ca), make2(rb, cb)
			c := mat[T]{random[T](g, m*(n+2)+g.IntN(2), wild), n + 1}
			w := mat[T]{append([]T{}, c.Data...), c.Stride}
			if !acc {
				for i := range m {
					clear(w.Data[i*w.Stride:][:n])
				}
			}
			refGemm(w, a, b, m, n, k, transA, transB, fma)
			gemm(c, a, b, m, n, k, transA, transB, acc)
			agree(t, fmt.Sprintf("%dx%dx%d transA %t transB %t acc %t", m, n, k, transA, transB,
				acc), c.Data, w.Data)
		}
	}
}

// A slice that is too short is told, not overrun.
func TestGemmChecksItsSlices(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		full := make([]float64, 400)
		for i := range 3 {
			s := [3][]float64{full, full, full}
			s[i] = full[:399:399]
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("operand %d may be too short", i)
					}
				}()
				Gemm(Matrix{s[0], 20}, Matrix{s[1], 20}, Matrix{s[2], 20}, 20, 20, 20, false,
					i == 1, false)
			}()
		}
	})
}
