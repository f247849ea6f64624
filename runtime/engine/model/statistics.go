package model

import (
	"sync"

	"github.com/sgppl/sgppl/runtime/engine/fn"
)

// totals are the statistics of the data, computed when the first full pass
// wants them: a chain of minibatches never does.
type totals struct {
	lock   sync.Mutex
	folded *Folded
	data   [][]float64 // by index of Spec.Data, nil for other data
	single [][]float32 // the same rounded, where Spec.Single
}

// there reports whether they have been computed.
func (t *totals) there() bool {
	t.lock.Lock()
	defer t.lock.Unlock()
	return t.data != nil
}

// amortised is in how many gradients the statistics must have paid for
// themselves: the shortest warm-up takes more.
const amortised = 1000

// Collapses reports whether full passes use sufficient statistics: where they
// take fewer multiplications than the sums over rows that they stand for, and
// so many fewer that computing them is soon paid for.
func (m *Model) Collapses() bool {
	if len(m.Spec.Statistics) == 0 {
		return false
	}
	direct, ok1 := m.Spec.Collapse.Direct.Eval(m.Dims)
	after, ok2 := m.Spec.Collapse.Collapsed.Eval(m.Dims)
	once, ok3 := m.Spec.Collapse.Once.Eval(m.Dims)
	return ok1 && ok2 && ok3 && after < direct && once/amortised <= direct-after
}

// PassCost is what a gradient on all rows costs, in gradients of single rows: as many as there are,
// but where full passes use sufficient statistics, or take few different rows. Statistics of a part
// of the likelihood save nothing of the rest, so such passes count as all rows.
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

// fullFunc is the function of full passes, with its data in the frame; nil
// where the sums over rows are as good, and where they are those of a page alone.
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

// readTotals has the frame point at what full passes read.
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
