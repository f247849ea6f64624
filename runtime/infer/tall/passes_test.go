package tall

import (
	"context"
	"errors"
	"math"
	"sync/atomic"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/loop"
)

// evaluators makes some of a target.
func evaluators(t *rowTarget, n int) (out []target.DifferenceEvaluator) {
	for range n {
		out = append(out, &rowEvaluator{t})
	}
	return out
}

// TestPassSums: a pass over all rows gives the log density and its gradient, with the same
// bits whatever the number of evaluators, and what of the gradient is the rows'.
func TestPassSums(t *testing.T) {
	of := logisticRegression(3*passRows+17, 4, 5)
	x := []float64{0.3, -1, 0.2, 0.5}
	want := make([]float64, of.d)
	f := (&rowEvaluator{of}).LogDensityGradient(x, nil, 1, 1, want)
	var first []float64
	for _, n := range []int{1, 2, 7} {
		p := newPasses(of, evaluators(of, n))
		grad, rows := make([]float64, of.d), make([]float64, of.d)
		got, err := p.densityGradient(t.Context(), x, grad, rows)
		if err != nil || math.Abs(got-f) > 1e-9*math.Abs(f) {
			t.Errorf("%d evaluators: %v, not %v; %v", n, got, f, err)
		}
		alone, err := p.density(t.Context(), x)
		if err != nil || math.Abs(alone-f) > 1e-9*math.Abs(f) {
			t.Errorf("%d evaluators: without a gradient %v, not %v; %v", n, alone, f, err)
		}
		prior := make([]float64, of.d)
		of.prior(x, prior)
		for i, g := range grad {
			if math.Abs(g-want[i]) > 1e-9*(1+math.Abs(want[i])) ||
				math.Abs(rows[i]+prior[i]-g) > 1e-9*(1+math.Abs(g)) {
				t.Errorf("%d evaluators, coordinate %d: %v, of the rows %v; expected %v", n, i, g,
					rows[i], want[i])
			}
		}
		if first == nil {
			first = append(grad, got)
		}
		for i, g := range append(grad, got) {
			if math.Float64bits(g) != math.Float64bits(first[i]) {
				t.Errorf("%d evaluators: number %d has other bits than by one", n, i)
			}
		}
	}
}

// TestPassesEnd: an interrupt ends the set-up in the middle of a pass over all rows,
// whichever pass that is.
func TestPassesEnd(t *testing.T) {
	const n = 40 * passRows
	for _, after := range []int64{n / 2, 2 * n, 3 * n, 8 * n} {
		of := logisticRegression(n, 2, 5)
		ctx, cancel := context.WithCancel(t.Context())
		var seen atomic.Int64
		row := of.row
		of.row = func(i int, x []float64, w float64, grad []float64) float64 {
			if seen.Add(1) == after {
				cancel()
			}
			return row(i, x, w, grad)
		}
		_, err := Prepare(ctx, of, Settings{Seed: 1, Anyway: true}, loop.Options{Threads: 2})
		cancel()
		if seen.Load() < after {
			t.Fatalf("the set-up has %d rows in all", seen.Load())
		}
		if most := after + 2*n; !errors.Is(err, context.Canceled) || seen.Load() > most {
			t.Errorf("interrupted after %d rows: ended after %d, %v", after, seen.Load(), err)
		}
	}
}
