package optimize

import (
	"slices"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/target"
)

// A latentTarget is a logistic whose rows have a latent value that chains draw.
type latentTarget struct {
	*logistic
	e *latentEvaluator
}

func (t *latentTarget) Locals() []string                  { return []string{"z"} }
func (t *latentTarget) NewEvaluator(int) target.Evaluator { return t.e }

// A latentEvaluator notes the visits of its gradients.
type latentEvaluator struct {
	*logistic
	visit  uint64
	visits []uint64
}

func (e *latentEvaluator) Locals(target.LocalOptions, uint64, int)              {}
func (e *latentEvaluator) Visit(v uint64, adapt bool)                           { e.visit = v }
func (e *latentEvaluator) LocalState() []float64                                { return nil }
func (e *latentEvaluator) Watch([]float64, []int, int, int) []target.LocalTrace { return nil }
func (e *latentEvaluator) Gradient(
	x []float64, rows []int, scale, jacobian float64, grad []float64,
) {
	e.visits = append(e.visits, e.visit)
	e.logistic.Gradient(x, rows, scale, jacobian, grad)
}

// TestVisits: latent values of rows are drawn anew at every step.
func TestVisits(t *testing.T) {
	for _, algorithm := range []string{"adam", "santa"} {
		l := newLogistic(20, 3)
		e := &latentEvaluator{logistic: l}
		cfg := DefaultConfig()
		cfg.Algorithm, cfg.Step, cfg.Steps, cfg.Batch, cfg.CheckEvery = algorithm, 0.001, 5, 4, 5
		c, err := NewChain(&latentTarget{l, e}, nil, cfg, 0)
		if err != nil {
			t.Fatal(err)
		}
		for range 5 {
			if err := c.Step(); err != nil {
				t.Fatal(err)
			}
		}
		if got := slices.Compact(e.visits); !slices.Equal(got, []uint64{0, 1, 2, 3, 4}) {
			t.Errorf("%s: visits %v", algorithm, got)
		}
	}
}
