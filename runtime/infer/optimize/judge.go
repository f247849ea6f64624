package optimize

import (
	"math"

	"github.com/sgppl/sgppl/runtime/engine/target"
)

// A judge keeps the best point so far.
type judge struct {
	held   target.Evaluator // nil: the objective decides
	lik    []float64        // of the held-out rows
	best   []float64
	bestAt int64 // its step; −1: there is none
	value  float64
	last   float64 // the criterion of the last check; NaN before the first
	worse  int64   // checks since the best one, or since the exploration
}

func newJudge(held target.Target, dim int) judge {
	j := judge{best: make([]float64, dim), bestAt: -1, value: math.NaN(), last: math.NaN()}
	if held != nil {
		j.held, j.lik = held.NewEvaluator(0), make([]float64, held.Rows())
	}
	return j
}

// HeldOut is the mean log likelihood of a row of the held-out data at x; NaN
// without any.
func (c *Chain) HeldOut(x []float64) float64 {
	j := &c.judge
	if j.held == nil {
		return math.NaN()
	}
	j.held.LogLik(x, nil, j.lik)
	sum := 0.0
	for _, l := range j.lik {
		sum += l
	}
	return sum / float64(len(j.lik))
}

// Objective is the log density at x with all rows, in the model's own
// coordinates; NaN where they are read as they are needed.
func (c *Chain) Objective(x []float64) float64 {
	if c.reader != nil {
		return math.NaN()
	}
	return c.eval.LogDensity(x, nil, 1, 0)
}

// Criterion is what the best point is chosen by: HeldOut, or Objective where
// no data are held out.
func (c *Chain) Criterion(x []float64) float64 {
	if c.judge.held != nil {
		return c.HeldOut(x)
	}
	return c.Objective(x)
}

// check computes the criterion and keeps the point if it is the best one. A
// criterion that is NaN is not better than any other.
func (c *Chain) check() {
	j := &c.judge
	c.publish()
	j.last = c.Criterion(c.x)
	if j.last > j.value || math.IsNaN(j.value) && !math.IsNaN(j.last) {
		j.value, j.bestAt, j.worse = j.last, c.step, 0
		copy(j.best, c.x)
		return
	}
	if !c.explores(c.step - 1) {
		j.worse++
	}
}

// Best is the best point so far, its criterion and its step; nil, NaN and −1
// before the first check.
func (c *Chain) Best() (x []float64, value float64, step int64) {
	if c.judge.bestAt < 0 {
		return nil, math.NaN(), -1
	}
	return c.judge.best, c.judge.value, c.judge.bestAt
}

// Average is the mean of the iterates of the last part of the steps; the last
// iterate where that has not begun.
func (c *Chain) Average() []float64 {
	if c.averaged == 0 {
		return c.Position()
	}
	return c.average
}
