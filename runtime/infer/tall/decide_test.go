package tall

import (
	"math"
	"testing"
	"time"

	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/tall/whitening"
)

// TestNoNoise: rows of which a few say something, and rows that are all the same, have no
// noise with an anchor and may have none without. Minibatches are taken, and are right.
func TestNoNoise(t *testing.T) {
	for name, says := range map[string]func(i int) float64{
		"a few rows":   func(i int) float64 { return map[bool]float64{true: 1}[i < 5] },
		"all the same": func(int) float64 { return 5.0 / 4000 },
	} {
		// The density is that of 5 fair coins, with the prior normal(0, 2).
		of := &rowTarget{n: 4000, d: 1,
			prior: func(x, grad []float64) float64 {
				if grad != nil {
					grad[0] -= x[0] / 4
				}
				return -x[0] * x[0] / 8
			},
			row: func(i int, x []float64, w float64, grad []float64) float64 {
				c := says(i)
				if grad != nil {
					grad[0] -= w * c * (1/(1+math.Exp(-x[0])) - 0.5)
				}
				return -c * (math.Log1p(math.Exp(x[0])) - x[0]/2)
			}}
		var norm, square float64
		e := of.NewEvaluator(1)
		x := []float64{0}
		for x[0] = -8; x[0] <= 8; x[0] += 0.1 {
			p := math.Exp(e.LogDensity(x, nil, 1, 1))
			norm += p
			square += p * x[0] * x[0]
		}
		set := Settings{Seed: 1}
		s, err := Prepare(t.Context(), of, set, loop.Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		r, err := NewRun(of, s, set)
		if err != nil {
			t.Fatal(err)
		}
		rep, err := r.Go(t.Context(), nowhere{}, loop.Options{}, time.Time{})
		if err != nil {
			t.Fatal(err)
		}
		m, sd := momentsOf(r.history, 0, 1)
		exact := math.Sqrt(square / norm)
		if by := 4 / math.Sqrt(rep.Least); math.Abs(m)/exact > 0.1+by ||
			math.Abs(sd/exact-1) > 0.05+by {
			t.Errorf("%s: mean %g and sd %g, expected 0 and %g", name, m, sd, exact)
		}
	}
}

// TestLost: a covariate of 1e300 makes the curvature by its weight so large that no draw
// would move. Such a plan is refused, and that of usual covariates is not.
func TestLost(t *testing.T) {
	for _, large := range []bool{false, true} {
		w := whitening.New([]float64{1, -8e-6}, true)
		if large {
			w.Chol[2], w.Chol[3] = 0, 1e-30
		}
		s := &Setup{Plan: Plan{Rows: 1e6, Dim: 2, Friction: 1, Step: 0.7, Batch: 8, Noise: 2,
			NoisePlain: 1e6, CurvatureMin: 1}, white: w}
		err := s.decide(nil, Settings{}.filled(1e6))
		if refused := err != nil; refused != large {
			t.Errorf("large %v: %v", large, err)
		}
	}
}
