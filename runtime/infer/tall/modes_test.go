package tall

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/loop"
)

// squared is a posterior of one number x of which the rows see x² alone, with a signal so
// weak that a valley between its two modes is deep on all rows and shallow on some.
func squared(n int, slope float64) *rowTarget {
	r := rand.New(rand.NewPCG(5, 6))
	c, y := make([]float64, n), make([]float64, n)
	for i := range y {
		c[i] = r.NormFloat64()
		y[i] = slope*c[i] + r.NormFloat64()
	}
	return &rowTarget{n: n, d: 1,
		prior: func(x, grad []float64) float64 {
			if grad != nil {
				grad[0] -= x[0]
			}
			return -x[0] * x[0] / 2
		},
		row: func(i int, x []float64, w float64, grad []float64) float64 {
			d := y[i] - c[i]*x[0]*x[0]
			if grad != nil {
				grad[0] += w * d * c[i] * 2 * x[0]
			}
			return -d * d / 2
		}}
}

// TestModesOfAllRows: two modes are found whose valley is too shallow to count on the rows
// that the climbs see: on all of them it is five times as deep.
func TestModesOfAllRows(t *testing.T) {
	shallow := 0
	for seed := range uint64(4) {
		of := squared(10000, 0.06)
		s, _, err := searchModes(t.Context(), of, Settings{Seed: seed}.filled(of.n), loop.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if s.modes == 1 && len(s.doubts) > 0 {
			shallow++
		}
		_, err = Prepare(t.Context(), of, Settings{Seed: seed}, loop.Options{})
		var r *Refusal
		if !errors.As(err, &r) {
			t.Errorf("seed %d: %v", seed, err)
		}
		if s.modes == 1 && len(s.doubts) > 0 {
			if _, err := s.settle(t.Context(),
				newPasses(of, []target.DifferenceEvaluator{&rowEvaluator{of}})); err != nil ||
				s.modes < 2 {
				t.Errorf("seed %d: on all rows there are %d modes, %v", seed, s.modes, err)
			}
		}
	}
	if shallow == 0 {
		t.Error("no seed has a shallow valley: the test does not test what it says")
	}
}

// TestOneModeOfAllRows: where there is one mode, nothing is in doubt.
func TestOneModeOfAllRows(t *testing.T) {
	for seed := range uint64(4) {
		of := logisticRegression(6000, 4, seed)
		s, _, err := searchModes(t.Context(), of, Settings{Seed: seed}.filled(of.n), loop.Options{})
		if err != nil || s.modes != 1 || len(s.doubts) > 0 {
			t.Errorf("seed %d: %d modes, %d in doubt, %v", seed, s.modes, len(s.doubts), err)
		}
	}
}
