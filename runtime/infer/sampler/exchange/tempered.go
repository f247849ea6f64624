package exchange

import (
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// A Tempered is the target of a replica: q^(1−Beta) p^Beta. It is for one goroutine. Its
// evaluators are all that of the posterior which it was made with.
type Tempered struct {
	target.Target
	Beta float64
	q    *Reference
	eval target.Evaluator
}

// NewTempered returns the target between a reference law and a posterior with its evaluator.
func NewTempered(t target.Target, eval target.Evaluator, q *Reference) *Tempered {
	return &Tempered{Target: t, q: q, eval: eval}
}

// NewEvaluator implements target.Target.
func (t *Tempered) NewEvaluator(int) target.Evaluator { return &evaluator{t.eval, t} }

// Ratio returns log p − log q of a state whose log density at this temperature is f.
func (t *Tempered) Ratio(f float64, x []float64) float64 {
	return (f - t.q.Log(x)) / t.Beta
}

type evaluator struct {
	target.Evaluator
	of *Tempered
}

// Gradient implements target.Evaluator.
func (e *evaluator) Gradient(x []float64, rows []int, scale, jacobian float64, grad []float64) {
	e.Evaluator.Gradient(x, rows, scale, jacobian, grad)
	e.temper(x, grad)
}

// LogDensity implements target.Evaluator.
func (e *evaluator) LogDensity(x []float64, rows []int, scale, jacobian float64) float64 {
	return e.between(e.Evaluator.LogDensity(x, rows, scale, jacobian), x)
}

// LogDensityGradient implements target.Evaluator.
func (e *evaluator) LogDensityGradient(
	x []float64, rows []int, scale, jacobian float64, grad []float64,
) float64 {
	f := e.Evaluator.LogDensityGradient(x, rows, scale, jacobian, grad)
	e.temper(x, grad)
	return e.between(f, x)
}

// between is the log density of the replica, written so that Ratio is its inverse.
func (e *evaluator) between(f float64, x []float64) float64 {
	q := e.of.q.Log(x)
	return q + float64(e.of.Beta*(f-q))
}

// temper makes the gradient of log p that of the replica.
func (e *evaluator) temper(x, grad []float64) {
	for i := range grad {
		grad[i] *= e.of.Beta
	}
	e.of.q.pull(1-e.of.Beta, x, grad)
}

// Start draws a starting point by the laws that the model gives, if it has some.
func (e *evaluator) Start(src *rng.Source, x []float64) (random bool, err error) {
	if s, ok := e.Evaluator.(starter); ok {
		return s.Start(src, x)
	}
	return false, nil
}

// starter is start.Starter.
type starter interface {
	Start(src *rng.Source, x []float64) (random bool, err error)
}
