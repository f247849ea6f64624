package model

import (
	"sync"

	"github.com/sgppl/sgppl/runtime/engine/fn"
)

// A totals holds the statistics of the data. The first full pass computes them; a chain of
// minibatches never needs them.
type totals struct {
	lock   sync.Mutex
	folded *Folded
	data   [][]float64 // by index of Spec.Data; nil for other data
	single [][]float32 // the values in single precision, if Spec.Single
}

// there reports whether the statistics have been computed.
func (t *totals) there() bool {
	t.lock.Lock()
	defer t.lock.Unlock()
	return t.data != nil
}

// amortised is the number of gradients whose savings must exceed the cost of the statistics. The
// shortest warm-up takes more gradients.
const amortised = 1000

// Collapses reports whether full passes use sufficient statistics. They do if this takes fewer
// multiplications than the sums over rows, and if the savings of amortised gradients exceed the
// cost of the statistics.
func (m *Model) Collapses() bool {
	if len(m.Spec.Statistics) == 0 {
		return false
	}
	direct, ok1 := m.Spec.Collapse.Direct.Eval(m.Dims)
	after, ok2 := m.Spec.Collapse.Collapsed.Eval(m.Dims)
	once, ok3 := m.Spec.Collapse.Once.Eval(m.Dims)
	return ok1 && ok2 && ok3 && after < direct && once/amortised <= direct-after
}

// PassCost returns the cost of a gradient of all rows, in units of the gradient of one row. It is
// the number of rows, unless full passes use sufficient statistics or few distinct rows. If
// statistics replace only a part of the likelihood, the cost counts all rows.
func (m *Model) PassCost() float64 {
	rows := float64(m.Rows())
	if n := m.DistinctRows(); n > 0 {
		return float64(n)
	}
	if !m.Collapses() || m.Spec.Collapse.Rows || m.streamed != nil && !m.folds() {
		return rows
	}
	direct, _ := m.Spec.Collapse.Direct.Eval(m.Dims)
	after, _ := m.Spec.Collapse.Collapsed.Eval(m.Dims)
	return rows * float64(after) / float64(direct)
}

// fullFunc returns the function full and points the frame at its data. It returns nil if full
// passes do not use statistics.
func (e *Evaluator) fullFunc() Func {
	if !e.m.Collapses() || e.m.streamed != nil && !e.m.folds() {
		return nil
	}
	f := e.fn(fn.Full.ID())
	if f != nil {
		if err := e.m.Fold(); err != nil { // of rows in memory there is none
			panic(err)
		}
		e.readTotals()
	}
	return f
}

// readTotals points the frame at the data that full passes read.
func (e *Evaluator) readTotals() {
	for i, x := range e.m.totals.data {
		if x != nil {
			e.frame.Dense[i] = x
			if e.m.Spec.Single {
				e.frame.Dense32[i] = e.m.totals.single[i]
			}
		}
	}
}
