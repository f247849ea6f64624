package kernel

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The combinations have the bits of their definitions at every level and
// length, and touch nothing beyond.
func TestCombine(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 3))
		for n := range 150 {
			x, y := make([]float64, n), make([]float64, n)
			x32, y32 := make([]float32, n), make([]float32, n)
			for i := range n {
				x[i], y[i] = r.NormFloat64(), r.NormFloat64()
			}
			Narrow(x32, x)
			Narrow(y32, y)
			a, b := r.NormFloat64(), r.NormFloat64()
			a32, b32 := float32(a), float32(b)
			dst, dst32, wide := make([]float64, n+1), make([]float32, n+1), make([]float64, n+1)
			dst[n], dst32[n], wide[n] = 9, 9, 9
			Combine(dst[:n], x, a, y, b)
			Combine32(dst32[:n], x32, a32, y32, b32)
			CombineWide32(wide[:n], x32, a32, y32, b32)
			for i := range n {
				want := float64(a*x[i]) + float64(b*y[i])
				want32 := float32(a32*x32[i]) + float32(b32*y32[i])
				if dst[i] != want || dst32[i] != want32 || wide[i] != float64(want32) {
					t.Fatalf("length %d, entry %d: %v, %v, %v, not %v, %v", n, i, dst[i], dst32[i],
						wide[i], want, want32)
				}
			}
			if dst[n] != 9 || dst32[n] != 9 || wide[n] != 9 {
				t.Fatalf("length %d: written beyond", n)
			}
		}
	})
}

func TestNarrowWiden(t *testing.T) { atLevels(t, testNarrowWiden) }

func testNarrowWiden(t *testing.T) {
	src := []float64{0, math.Copysign(0, -1), 1, 0.1, -math.Pi, 1 + 0x1p-24, 1 + 0x3p-24, 1e300,
		-1e300, 1e-300, math.Inf(1), 0x1p-149, 0x1.8p-149, 16777217, 3, 4, 5, 6, 7}
	for len(src) < 150 {
		src = append(src, src...)
	}
	for n := range len(src) + 1 {
		dst, back := make([]float32, n), make([]float64, n)
		Narrow(dst, src)
		Widen(back, dst)
		for i, x := range src[:n] {
			if want := float32(x); math.Float32bits(dst[i]) != math.Float32bits(want) {
				t.Errorf("%v narrowed is %v, not %v", x, dst[i], want)
			}
			if back[i] != float64(dst[i]) {
				t.Errorf("%v widened is %v", dst[i], back[i])
			}
		}
	}
}
