package tall

import (
	"errors"
	"math"
	"testing"
	"time"

	"github.com/sgppl/sgppl/runtime/infer/loop"
)

// walled are three proportions, of which one row of all says nothing but that their
// difference from each other is hardly below a number: by a hinge that is 0 for four fifths
// of the posterior without that row.
func walled(n int) *rowTarget {
	sd := 2 / math.Sqrt(float64(n)/3)
	along := func(x []float64) float64 { return (x[0] - x[1] + x[2]) / sd / math.Sqrt(3) }
	return &rowTarget{n: n, d: 3, prior: normalPrior(5),
		row: func(i int, x []float64, w float64, grad []float64) float64 {
			if i == n/3 {
				t := along(x) + 0.85
				if t > 0 {
					return 0
				}
				if grad != nil {
					by := w * 5 / sd / math.Sqrt(3)
					grad[0] += by
					grad[1] -= by
					grad[2] += by
				}
				return 5 * t
			}
			k := i % 3
			f, slope := logistic(float64(i/3&1), x[k])
			if grad != nil {
				grad[k] += w * slope
			}
			return f
		}}
}

// TestMissedRow: one row of many that counts at few states alone is not missed: the draws
// are right, or full passes are taken.
func TestMissedRow(t *testing.T) {
	const n = 60000
	of := walled(n)
	// Along the wall's direction u the density is that of a normal law with the wall.
	norm, mean, square := 0.0, 0.0, 0.0
	for u := -6.0; u <= 6; u += 0.01 {
		p := math.Exp(-u*u/2 + 5*min(u+0.85, 0))
		norm, mean, square = norm+p, mean+p*u, square+p*u*u
	}
	mean /= norm
	exact := math.Sqrt(square/norm - mean*mean)
	sd := 2 / math.Sqrt(float64(n)/3)
	for seed := uint64(4); seed < 6; seed++ {
		set := Settings{Seed: seed}
		s, err := Prepare(t.Context(), of, set, loop.Options{})
		var refusal *Refusal
		if errors.As(err, &refusal) {
			t.Log(seed, err)
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		r, err := NewRun(of, s, set)
		if err != nil {
			t.Fatal(err)
		}
		rep, err := r.Go(t.Context(), nowhere{}, loop.Options{}, time.Time{})
		if err != nil {
			t.Log(seed, err) // off: less noise or full passes follow
			continue
		}
		m := 0.0
		for j, sign := range []float64{1, -1, 1} {
			one, _ := momentsOf(r.history, j, 3)
			m += sign * one / sd / math.Sqrt(3)
		}
		t.Logf("seed %d: %d + %d rows, h %.2f, mean %.3f, exact %.3f", seed, s.Plan.Batch,
			s.Plan.Always, s.Plan.Step, m, mean)
		if by := 4 / math.Sqrt(rep.Least); math.Abs(m-mean)/exact > 0.1+by {
			t.Errorf("seed %d: mean %.3f, expected %.3f", seed, m, mean)
		}
	}
}
