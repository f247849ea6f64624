package model

import (
	"sync"

	"github.com/sgppl/sgppl/runtime/engine/fn"
)

// totals are the statistics of the data, computed when the first full pass
// wants them: a chain of minibatches never does.
type totals struct {
	once   sync.Once
	data   [][]float64 // by index of Spec.Data, nil for other data
	single [][]float32 // the same rounded, where Spec.Single
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

// PassCost is what a gradient on all rows costs, in gradients of single rows: as many as
// there are, but where full passes use sufficient statistics.
func (m *Model) PassCost() float64 {
	rows := float64(m.Rows())
	if !m.Collapses() || m.streamed != nil {
		return rows
	}
	direct, _ := m.Spec.Collapse.Direct.Eval(m.Dims)
	after, _ := m.Spec.Collapse.Collapsed.Eval(m.Dims)
	return rows * float64(after) / float64(direct)
}

// statistics returns the data of the statistics.
func (m *Model) statistics() [][]float64 {
	m.totals.once.Do(func() {
		list := m.Spec.Statistics
		at := map[string]int{}
		total := 0
		for _, d := range list {
			at[d.Name] = total
			total += product(d.Shape, m.Dims)
		}
		frame := m.Frame()
		frame.Out = make([]float64, total)
		f := m.code.Func(fn.Statistics.ID().String(), m.Dims, 0)
		f.Prepare(frame)
		f.Finish(frame)
		m.totals.data = make([][]float64, len(m.Spec.Data))
		m.totals.single = make([][]float32, len(m.Spec.Data))
		for i, d := range m.Spec.Data {
			if from, ok := at[d.Name]; ok {
				n := product(d.Shape, m.Dims)
				m.totals.data[i] = frame.Out[from : from+n : from+n]
				if m.Spec.Single {
					m.totals.single[i] = narrowed(m.totals.data[i])
				}
			}
		}
	})
	return m.totals.data
}

// fullFunc is the function of full passes, with its data in the frame; nil
// where the sums over rows are as good.
func (e *Evaluator) fullFunc() Func {
	if !e.m.Collapses() || e.m.streamed != nil { // a page is not all rows
		return nil
	}
	f := e.fn(fn.Full.ID())
	if f != nil {
		for i, x := range e.m.statistics() {
			if x != nil {
				e.frame.Dense[i] = x
				if e.m.Spec.Single {
					e.frame.Dense32[i] = e.m.totals.single[i]
				}
			}
		}
	}
	return f
}
