package sampler

import "github.com/sgppl/sgppl/runtime/engine/target"

// A subset is a target of some of the rows, each in place of several.
type subset struct {
	target.Target
	rows  []int
	scale float64
}

func (s *subset) Rows() int { return 0 }

func (s *subset) NewEvaluator(int) target.Evaluator {
	return &subsetEvaluator{s.Target.NewEvaluator(len(s.rows)), s}
}

type subsetEvaluator struct {
	target.Evaluator
	of *subset
}

func (e *subsetEvaluator) Gradient(x []float64, _ []int, scale, jacobian float64, grad []float64) {
	e.Evaluator.Gradient(x, e.of.rows, scale*e.of.scale, jacobian, grad)
}

func (e *subsetEvaluator) LogDensity(x []float64, _ []int, scale, jacobian float64) float64 {
	return e.Evaluator.LogDensity(x, e.of.rows, scale*e.of.scale, jacobian)
}

func (e *subsetEvaluator) LogDensityGradient(x []float64, _ []int, scale, jacobian float64, grad []float64) float64 {
	return e.Evaluator.LogDensityGradient(x, e.of.rows, scale*e.of.scale, jacobian, grad)
}

// Subset is the target of some of the rows, each in place of so many; the new
// target has no row axis.
func Subset(t target.Target, rows []int, each float64) target.Target {
	return &subset{t, rows, each}
}
