package sampler

import (
	"fmt"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler/settings"
	"github.com/sgppl/sgppl/runtime/infer/sampler/table"
	"github.com/sgppl/sgppl/runtime/math/kernel"
)

// singly is a Gaussian that computes in single precision.
type singly struct{ *gaussian }

func (s singly) Single() bool { return true }

func (s singly) NewEvaluator(int) target.Evaluator {
	return &singlyEval{gaussianEval{s.gaussian}, make([]float64, s.dim), make([]float64, s.dim)}
}

type singlyEval struct {
	gaussianEval
	x, grad []float64
}

func (s *singlyEval) GradientSingle(
	x []float32, rows []int, scale, jacobian float64, grad []float32,
) {
	kernel.Widen(s.x, x)
	s.Gradient(s.x, rows, scale, jacobian, s.grad)
	kernel.Narrow(grad, s.grad)
}

// Every sampler on R^n without a Metropolis test holds its state in single precision: its
// draws are numbers of that.
func TestSingleState(t *testing.T) {
	eachSampler(func(row *table.Row, scheme string) {
		c := config(row.Name, scheme, 0.05)
		ch := mustChain(t, singly{newGaussian(variances(40))}, c, 0)
		if ch.single == nil {
			t.Errorf("%s %s: the state is in double precision", row.Name, scheme)
		}
		mustSteps(t, ch, 3)
		for _, state := range [][]float64{ch.state.X, ch.state.V, ch.state.Xi, ch.state.Square} {
			for i, x := range state {
				if x != float64(float32(x)) {
					t.Fatalf("%s %s: coordinate %d is %v", row.Name, scheme, i, x)
				}
			}
		}
	})
	for _, change := range []func(c *settings.Config){
		func(c *settings.Config) { c.SyntheticNoise = "gradient:1" },
		func(c *settings.Config) { c.SyntheticNoise = "diffusion:1" },
		func(c *settings.Config) { c.Sampler = "nuts"; c.Step = 0 },
	} {
		c := config("msgnht", "", 0.05)
		change(&c)
		if ch := mustChain(t, singly{newGaussian(variances(4))}, c, 0); ch.single != nil {
			t.Errorf("%s with %q is in single precision", c.Sampler, c.SyntheticNoise)
		}
	}
}

// The stationary laws in single precision are those in double, as far as a run can tell:
// the same bounds as of TestStationary.
func TestSingleMoments(t *testing.T) {
	eachSampler(func(row *table.Row, scheme string) {
		for _, d := range []int{3, 37} { // 37: vectors with a rest
			t.Run(fmt.Sprintf("%s/%s/d=%d", row.Name, scheme, d), func(t *testing.T) {
				t.Parallel()
				c := config(row.Name, scheme, 0.1)
				c.Friction, c.Seed = 1.3, uint64(d)
				c.Warmup, c.Draws, c.Thin = 1000, 20000, 2
				if row.Preconditioner {
					c.Step = 0.15
				}
				v := variances(d)
				checkMoments(t, singly{newGaussian(v)}, row, scheme, c, v, 0)
			})
		}
	})
}

// Interrupted runs in single precision go on bit for bit.
func TestSingleResume(t *testing.T) {
	resumeBits(t, singly{newGaussian(variances(5), 2, 3).withRows(23, 4)}, []string{""})
}

// Joined steps are steps, in single precision too.
func TestSingleAdvance(t *testing.T) { advance(t, singly{newGaussian(variances(21), 20, 1)}) }

// TestSingleRunStepByStep is TestRunStepByStep in single precision.
func TestSingleRunStepByStep(t *testing.T) {
	runStepByStep(t, singly{newGaussian(variances(5), 2, 3).withRows(23, 4)})
}
