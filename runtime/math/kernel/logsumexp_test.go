package kernel

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Lines taken together have the bits of LogSumExp of each, also those with numbers that assembly
// leaves to Go: infinite ones, NaN, and terms that are far below the largest.
func TestLogSumExpLines(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(4, 4))
		for n := 1; n <= fewTerms+2; n++ {
			for _, lines := range []int{2, 7, 60} {
				x, got := make([]float64, lines*n+1), make([]float64, lines+1)
				x[lines*n], got[lines] = math.NaN(), 9
				for i := range x[:lines*n] {
					switch x[i] = 5 * r.NormFloat64(); r.IntN(6 * n) {
					case 0:
						x[i] *= 200
					case 1:
						x[i] = []float64{math.Inf(1), math.Inf(-1), math.NaN(), 0}[r.IntN(4)]
					}
				}
				if r.IntN(3) == 0 {
					for i := range x[:n] {
						x[i] = math.Inf(-1)
					}
				}
				LogSumExpAxis(got[:lines], x[:lines*n], lines, n, 1)
				for o := range lines {
					if want := LogSumExp(x[o*n:][:n]); !sameBits(got[o], want) {
						t.Fatalf("line %v: %v, not %v", x[o*n:][:n], got[o], want)
					}
				}
				if got[lines] != 9 {
					t.Fatal("writes beyond")
				}
			}
		}
	})
}
