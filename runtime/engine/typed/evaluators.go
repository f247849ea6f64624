package typed

import (
	"fmt"
	"sync"

	"github.com/sgppl/sgppl/runtime/engine/target"
)

// Evaluators lends workspaces to callers that come from any goroutine.
type Evaluators struct {
	t    target.Target
	pool *sync.Pool
}

// NewEvaluators makes them for a target. They work through all rows.
func NewEvaluators(t target.Target) Evaluators {
	return Evaluators{t, &sync.Pool{New: func() any { return t.NewEvaluator(0) }}}
}

// Do calls f with a workspace that nobody else has.
func (e Evaluators) Do(f func(target.Evaluator)) {
	w := e.pool.Get().(target.Evaluator)
	f(w)
	e.pool.Put(w)
}

// Unpack maps a state to parameters, whose fields are as for the function Unpack.
func (e Evaluators) Unpack(x []float64, fields []any) error {
	if err := e.state(x); err != nil {
		return err
	}
	out := make([]float64, e.t.OutputLen())
	e.Do(func(w target.Evaluator) { w.Constrain(x, out) })
	Unpack(e.t.Outputs(), out, fields)
	return nil
}

// Grad returns the log density of a state with its Jacobian, and writes its gradient.
func (e Evaluators) Grad(x, grad []float64) (f float64, err error) {
	if err := e.state(x); err != nil {
		return 0, err
	}
	if len(grad) != len(x) {
		return 0, fmt.Errorf("the gradient has %d entries, the state has %d", len(grad), len(x))
	}
	e.Do(func(w target.Evaluator) { f = w.LogDensityGradient(x, nil, 1, 1, grad) })
	return f, nil
}

// state refuses a state of another length.
func (e Evaluators) state(x []float64) error {
	if len(x) != e.t.Dim() {
		return fmt.Errorf("the state has %d coordinates, the model %d", len(x), e.t.Dim())
	}
	return nil
}
