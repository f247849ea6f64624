package tall

import (
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/tall/whitening"
)

// TestAdaptDiagonal: of more coordinates than a triangle is made for, the window finds the
// scales, leaves those that chance explains, and needs no room for a matrix.
func TestAdaptDiagonal(t *testing.T) {
	const d = 2 * denseLimit
	of := &rowTarget{n: 4, d: d, prior: normalPrior(1),
		row: func(int, []float64, float64, []float64) float64 { return 0 }}
	for _, scale := range []float64{1, 3} {
		r := rand.New(rand.NewPCG(7, 8))
		var kept visited
		for range pilotChains {
			var states [][]float64
			for range 500 {
				z := make([]float64, d)
				for i := range z {
					z[i] = r.NormFloat64()
				}
				z[5] *= scale
				states = append(states, z)
			}
			kept = append(kept, states)
		}
		e, _ := target.DifferenceOf(of.NewEvaluator(1))
		w := &workshop{t: of, white: whitening.New(make([]float64, d), false),
			evals: []target.DifferenceEvaluator{e}}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		w.adapt(kept, &constants{bend: bends{mean: 1}})
		runtime.ReadMemStats(&after)
		if room := after.TotalAlloc - before.TotalAlloc; room > 8*d*d/10 {
			t.Errorf("scale %g: %d bytes, a tenth of a matrix has %d", scale, room, 8*d*d/10)
		}
		for i, x := range w.white.Diag {
			want := 1.0
			if i == 5 {
				want = scale
			}
			if math.Abs(x/want-1) > 0.15 || scale == 1 && x != 1 {
				t.Errorf("scale %g: coordinate %d has %g", scale, i, x)
			}
		}
	}
}
