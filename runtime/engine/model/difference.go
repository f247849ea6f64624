package model

import (
	"fmt"
	"slices"

	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/engine/model/column"
)

// A variate is what an evaluator needs for gradients with a control variate.
type variate struct {
	f       Func
	states  []float64 // the state, and behind it the anchor
	weight  []float64 // the frame's, of the rows of a block
	weights []float64 // of the rows of the call
	running bool      // the current call is one

	// Of ragged rows, which are taken in the order of their lengths.
	order []int
	rows  []int
	by    []float64

	buffers []column.Buffer // of a model in single precision: for rows in double, by datum
}

// HasDifference implements target.DifferenceEvaluator.
func (e *Evaluator) HasDifference() bool {
	if e.variate == nil && e.m.Spec.Chain == nil {
		f := e.fn(fn.Difference.ID())
		if f == nil {
			return false
		}
		i := slices.IndexFunc(e.m.Spec.Data,
			func(d Datum) bool { return d.Filled && d.Name == WeightDatum })
		v := &variate{f: f, states: make([]float64, 2*e.m.dim)}
		if i >= 0 { // else no row has a gradient
			v.weight = e.frame.Dense[i]
		}
		if e.m.Spec.Single {
			v.buffers = make([]column.Buffer, len(e.buffers))
			for i := range v.buffers {
				v.buffers[i].Rows = e.capacity
				e.point(&v.buffers[i], i)
			}
		}
		e.variate = v
	}
	return e.variate != nil
}

// Difference implements target.DifferenceEvaluator.
func (e *Evaluator) Difference(
	x, anchor []float64, rows []int, weights []float64, jacobian float64, grad []float64,
) {
	if !e.HasDifference() {
		panic("model: " + e.m.Name() + " has no gradients with a control variate")
	}
	if len(rows) != len(weights) {
		panic(fmt.Sprintf("model: %d weights for %d rows", len(weights), len(rows)))
	}
	v := e.variate
	copy(v.states, x[:e.m.dim])
	copy(v.states[e.m.dim:], anchor[:e.m.dim])
	if rows = e.local(rows); e.trim != nil {
		rows, weights = v.sorted(e.trim, rows, weights)
	}
	if len(rows) == 0 {
		rows = noRows // nil stands for all elsewhere
	}
	e.frame.Scale, e.frame.Jacobian = 1, jacobian
	v.weights, v.running = weights, true
	e.call(v.f, v.states, rows, grad, nil, 0)
	v.running = false
}

var noRows = []int{}

// sorted are the rows and their weights in the order in which pieces take rows.
func (v *variate) sorted(t *trim, rows []int, weights []float64) ([]int, []float64) {
	v.order = v.order[:0]
	for i := range rows {
		v.order = append(v.order, i)
	}
	slices.SortStableFunc(v.order, func(a, b int) int { return t.compare(rows[a], rows[b]) })
	v.rows, v.by = v.rows[:0], v.by[:0]
	for _, i := range v.order {
		v.rows, v.by = append(v.rows, rows[i]), append(v.by, weights[i])
	}
	return v.rows, v.by
}

// doubled reports whether the current call reads rows in double precision, of a model in single
// precision.
func (e *Evaluator) doubled() bool { return e.variate != nil && e.variate.running }

// taking are the buffers for rows in double precision, of which as many numbers are taken
// as of those in single.
func (v *variate) taking(single []column.Buffer) []column.Buffer {
	for i := range v.buffers {
		v.buffers[i].Width = single[i].Width
	}
	return v.buffers
}
