package optimize

import (
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/math/kernel"
)

// singly is a regression that computes in single precision.
type singly struct{ *logistic }

func (s singly) Single() bool { return true }

func (s singly) NewEvaluator(int) target.Evaluator {
	return &singlyEval{s.logistic, make([]float64, s.dim), make([]float64, s.dim)}
}

type singlyEval struct {
	*logistic
	x, grad []float64
}

func (s *singlyEval) GradientSingle(
	x []float32, rows []int, scale, jacobian float64, grad []float32,
) {
	kernel.Widen(s.x, x)
	s.Gradient(s.x, rows, scale, jacobian, s.grad)
	kernel.Narrow(grad, s.grad)
}

// Every algorithm holds its state in single precision where the model computes so.
func TestSingleState(t *testing.T) {
	for i := range Table {
		c := config(Table[i].Name, 0.01, 400)
		ch := mustChain(t, singly{newLogistic(40, 5)}, nil, c, 0)
		mustSteps(t, ch, 3)
		ch.Position()
		for _, state := range [][]float64{ch.x, ch.p, ch.xi, ch.square} {
			for _, x := range state {
				if x != float64(float32(x)) {
					t.Fatalf("%s: a coordinate is %v", c.Algorithm, x)
				}
			}
		}
		if other := mustChain(t, newLogistic(40, 5), nil, c, 0); other.half != nil {
			t.Errorf("%s: a model in double precision has a state in single", c.Algorithm)
		}
	}
}
