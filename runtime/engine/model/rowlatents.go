package model

import (
	"math"

	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// RowLatents draws the latent values of rows from their posterior given the row and the params. The
// model must have the function locals and, for each element of Spec.Entries, the function "values
// I". RowLatents is immutable.
type RowLatents struct {
	// Stop, if not nil, is called before every row. If it returns true, Eval returns at once and
	// leaves the remaining draws unwritten. It must be set before the first use.
	Stop func() bool

	m     *Model
	sizes []int // how many numbers each of Spec.Entries has in a row
}

// stopped reports whether to stop.
func (r *RowLatents) stopped() bool { return r.Stop != nil && r.Stop() }

// NewRowLatents returns the RowLatents of a bound model.
func NewRowLatents(m *Model) *RowLatents {
	r := &RowLatents{m: m}
	for _, v := range m.Spec.Entries {
		r.sizes = append(r.sizes, product(v.Shape, m.Dims))
	}
	return r
}

// Len returns how many numbers the i-th of Spec.Entries has in all rows together.
func (r *RowLatents) Len(i int) int { return r.sizes[i] * r.m.rows }

// Tuned returns the tuning of the step sizes of trajectories at a state, computed once for all
// evaluators: for each step size, its logarithm and the number of its updates. It is empty if no
// local uses trajectories.
func (r *RowLatents) Tuned(x []float64, o target.LocalOptions, seed uint64) []float64 {
	return r.m.tunedSteps(x, o, seed, r.stopped)
}

// tunedSteps tunes the step sizes on a few rows.
func (m *Model) tunedSteps(
	x []float64, o target.LocalOptions, seed uint64, stopped func() bool,
) []float64 {
	e := m.Evaluator(tuneRows)
	e.Locals(o, seed, 1) // with separate draws
	l := e.locals
	if len(l.tuned) == 0 {
		return nil
	}
	n := min(tuneRows, m.rows, e.capacity)
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i * m.rows / n
	}
	for v := range tuneVisits {
		e.Visit(uint64(v), true)
		l.begin(x)
		l.draw(x, rows, 0, n)
		l.end()
		if stopped() {
			break
		}
	}
	return l.tuned
}

// A RowLatentsEvaluator draws latent values in one goroutine.
type RowLatentsEvaluator struct {
	of    *RowLatents
	chain *localWorker
	funcs []Func
}

// Evaluator returns a new evaluator. Its draws are a function of the seed, the row and the visit
// number. It ignores the options Kept and Thin and keeps one draw.
func (r *RowLatents) Evaluator(o target.LocalOptions, seed uint64) *RowLatentsEvaluator {
	o.Threads, o.Kept, o.Thin = 1, 1, 1
	parent := r.m.Evaluator(1)
	parent.Locals(o, seed, 0)
	e := &RowLatentsEvaluator{of: r, chain: parent.locals.workers[0]}
	for i := range r.m.Spec.Entries {
		e.funcs = append(e.funcs, e.chain.e.fn(fn.Values.At(i)))
	}
	return e
}

// Eval writes one draw at a state for every row. The argument out has one slice of Len numbers for
// each of Spec.Entries, row by row. Entries beyond the length of a ragged row are NaN.
func (e *RowLatentsEvaluator) Eval(x []float64, visit uint64, tuned []float64, out [][]float64) {
	w := e.chain
	w.of.visit = visit
	copy(w.of.tuned, tuned)
	w.of.current = w.of.tuned
	w.begin(x)
	for _, f := range e.funcs {
		w.e.prepare(f)
	}
	m := e.of.m
	for row := range m.rows {
		if e.of.stopped() {
			return
		}
		w.run(row)
		for i, f := range e.funcs {
			n, dims := e.of.sizes[i], w.e.dims
			if w.e.trim != nil {
				w.e.trimTo(f, w.one[:])
				dims = w.e.trim.now
			}
			to := out[i][row*n : (row+1)*n]
			shape := m.Spec.Entries[i].Shape
			here := product(shape, dims)
			w.e.frame.Out = to[:here]
			f.Rows(&w.e.frame)
			if n > 0 && len(shape) > 0 {
				here = min(here, m.lengthOf(shape[0], row)*(here/max(product(shape[:1], dims), 1)))
			}
			for k := here; k < n; k++ {
				to[k] = math.NaN()
			}
		}
		w.e.frame.Out = nil
	}
}

// lengthOf returns the length of a row along an axis. If the axis is not ragged, this is the size
// of the axis.
func (m *Model) lengthOf(axis size.Poly, row int) int {
	n, _ := axis.Eval(m.Dims)
	name, _ := axis.Name()
	for i, d := range m.Spec.Data {
		if d.Name == data.LengthsOf(name) && d.Rows && len(m.full[i]) == m.rows {
			return int(m.full[i][row])
		}
	}
	return n
}
