package kernel

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Steps made four at a time have the numbers of single steps, to rounding, in both directions and
// for factors for which single steps are taken.
func TestRecurrence(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 2))
	for _, b := range []float64{0, 0.5, -0.93, 1, -1, 1.5, -40, 1e200, math.NaN()} {
		for n := range 23 {
			x, h := make([]float64, n), make([]float64, n+2)
			x32, h32 := make([]float32, n), make([]float32, n+1)
			for i := range x {
				x32[i] = float32(r.NormFloat64())
				x[i] = float64(x32[i])
			}
			for _, reverse := range []bool{false, true} {
				want := make([]float64, n+1)
				for i := range want {
					want[i], h[i], h32[i] = 3, 3, 3
				}
				h[n+1] = 9
				for i := range n {
					from, to, at := i, i+1, i
					if reverse {
						from, to, at = n-i, n-i-1, n-i-1
					}
					want[to] = float64(b*want[from]) + x[at]
				}
				Recurrence(h[:n+1], x, b, reverse)
				Recurrence32(h32, x32, b, reverse)
				for i, w := range want {
					alike := func(a, tolerance float64) bool {
						return a == w || math.IsNaN(a) && math.IsNaN(w) ||
							math.Abs(a-w) <= tolerance*(10+math.Abs(w))
					}
					if !alike(h[i], 1e-15) || math.Abs(b) <= 40 && !alike(float64(h32[i]), 1e-5) {
						t.Fatalf("%v, %d steps, reverse %v: h[%d] is %v, in single precision %v, "+
							"wants %v", b, n, reverse, i, h[i], h32[i], w)
					}
				}
				if h[n+1] != 9 {
					t.Fatal("writes beyond")
				}
			}
		}
	}
}

func BenchmarkRecurrence(b *testing.B) {
	h, x := make([]float64, 200), make([]float64, 199)
	for i := range x {
		x[i] = 0.1
	}
	for b.Loop() {
		Recurrence(h, x, 0.9, false)
		Recurrence(h, x, 0.9, true)
	}
}
