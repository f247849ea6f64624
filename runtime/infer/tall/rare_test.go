package tall

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/infer/loop"
)

// rare is a posterior of two numbers: all rows see the first, and a few of them the square
// of the second about 0.3, so that it has two modes. Of 2,000 rows hardly one is of these.
func rare(n, few int) *rowTarget {
	r := rand.New(rand.NewPCG(15, 6))
	y := make([]float64, n)
	for i := range y {
		y[i] = r.NormFloat64()
	}
	return &rowTarget{n: n, d: 2, prior: normalPrior(2),
		row: func(i int, x []float64, w float64, grad []float64) float64 {
			d := y[i] - x[0]
			f := -d * d / 2
			if grad != nil {
				grad[0] += w * d
			}
			if i%(n/few) == 7 {
				s := x[1] - 0.3
				e := 1.2 + 0.4*y[i] - s*s
				f -= 2 * e * e
				if grad != nil {
					grad[1] += w * 4 * e * 2 * s
				}
			}
			return f
		}}
}

// TestModesOfFewRows: two modes are found that only a few rows make, of which those of the
// first climbs are none.
func TestModesOfFewRows(t *testing.T) {
	missed := 0
	for seed := range uint64(4) {
		of := rare(60000, 12)
		s, _, err := searchModes(t.Context(), of, Settings{Seed: seed}.filled(of.n), loop.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if s.modes == 1 && len(s.doubts) == 0 {
			missed++
		}
		_, err = Prepare(t.Context(), of, Settings{Seed: seed}, loop.Options{})
		var r *Refusal
		if !errors.As(err, &r) || !strings.Contains(r.Why, "several modes") {
			t.Errorf("seed %d: %v", seed, err)
		}
	}
	if missed == 0 {
		t.Error("the first climbs see both modes with every seed: the test does not test what it says")
	}
}
