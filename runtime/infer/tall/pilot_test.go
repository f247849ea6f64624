package tall

import (
	"math"
	"testing"

	"github.com/sgppl/sgppl/runtime/infer/loop"
)

// TestPilotEndsSoon: chains at different modes end the pilot at its first look, and those
// that agree do too.
func TestPilotEndsSoon(t *testing.T) {
	for name, c := range map[string]struct {
		of      *rowTarget
		atLeast float64
	}{"many modes": {waves(4000), apartRhat}, "one": {logisticRegression(4000, 3, 1), 1}} {
		p, err := runPilot(t.Context(), c.of, Settings{Seed: 2, Radius: 50}.filled(c.of.n),
			loop.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if n := len(p.states[0]) / c.of.d; n != pilotIterations/2 || p.rhat < c.atLeast {
			t.Errorf("%s: the pilot kept %d states of a chain, at R-hat %.2f", name, n, p.rhat)
		}
	}
}

// waves is a posterior of one number with a mode at every multiple of 2π.
func waves(n int) *rowTarget {
	return &rowTarget{n: n, d: 1, prior: normalPrior(100),
		row: func(_ int, x []float64, w float64, grad []float64) float64 {
			if grad != nil {
				grad[0] -= w * math.Sin(x[0])
			}
			return math.Cos(x[0])
		}}
}
