package model

import (
	"fmt"
	"slices"
	"sync"

	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/engine/model/column"
	"github.com/sgppl/sgppl/runtime/engine/model/distinct"
)

// Equal rows have equal log likelihoods. Where at least half of the rows are equal to others, full
// passes take each different row once, with the number of its occurrences as its weight:
//
//	Σ_rows log p(row | x) = Σ_different rows count·log p(row | x)
//
// which is the same up to rounding. Rows are compared by the data that the function weighted reads
// of them, so data that the likelihood does not read do not matter, and a row's own number, or an
// unknown of the row alone, makes it different from all others. Whatever is asked of rows one by
// one, minibatches too, is of the rows themselves.

const (
	// leastEqual is the number of rows below which full passes take all of them.
	leastEqual = 256
	// mostDistinct bounds the numbers of the rows that are kept, 32 MiB.
	mostDistinct = 4 << 20
)

// distinctRows are the different rows of a model, found when the first full pass wants them.
type distinctRows struct {
	lock   sync.Mutex
	sought bool
	of     *Model // whose rows they are; nil where they are too many
	err    error  // of reading rows
}

// DistinctRows returns how many different rows there are, if full passes take these with weights,
// and else 0. The first call looks at all rows. It reads those of a stream once, or as far as it
// takes to find that there are too many different ones.
func (m *Model) DistinctRows() int {
	if of, err := m.distinct(); err == nil && of != nil {
		return of.rows
	}
	return 0
}

// distinct is the model of the different rows; nil where full passes take all rows.
func (m *Model) distinct() (*Model, error) {
	if len(m.Spec.Weighted) == 0 || m.Rows() < leastEqual ||
		m.streamed != nil && m.streamed.source.Grows() {
		return nil, nil
	}
	d := m.equal
	d.lock.Lock()
	defer d.lock.Unlock()
	if !d.sought {
		d.sought = true
		if !m.Collapses() || m.Spec.Collapse.Rows {
			d.of, d.err = m.findDistinct()
		}
	}
	return d.of, d.err
}

// there reports whether different rows were found already, and are few.
func (d *distinctRows) there() bool {
	d.lock.Lock()
	defer d.lock.Unlock()
	return d.of != nil
}

// findDistinct looks for equal rows among all.
func (m *Model) findDistinct() (*Model, error) {
	var read []int // data by row that the function weighted reads
	var widths []int
	for i := range m.Spec.Data {
		if d := &m.Spec.Data[i]; d.Rows && !d.Filled && slices.Contains(m.Spec.Weighted, d.Name) {
			read, widths = append(read, i), append(widths, m.columns[i].Width())
		}
	}
	t := distinct.New(widths, mostDistinct)
	few := true
	if m.streamed == nil {
		few = m.addDistinct(t, read, m.rows, m.rows/2)
	} else if err := m.eachPage(func(page *Model, rows int) bool {
		few = page.addDistinct(t, read, rows, m.all/2)
		return few
	}); err != nil {
		return nil, err
	}
	if !few {
		return nil, nil
	}
	return m.ofDistinct(t, read), nil
}

// addDistinct adds the first so many rows of a model to a table, and reports whether it has space
// for them.
func (m *Model) addDistinct(t *distinct.Table, read []int, rows, most int) bool {
	e := m.reader()
	of := make([]distinct.Columns, len(read))
	for start := 0; start < rows; {
		count := e.block(nil, start, rows)
		for k, i := range read {
			of[k] = distinct.Columns{Width: m.columns[i].Width()}
			if m.Spec.Data[i].Sparse {
				of[k].Sparse = e.frame.Sparse[i]
			} else {
				of[k].Dense = e.frame.Dense[i]
			}
		}
		if !t.Add(count, of, most) {
			return false
		}
		start += count
	}
	return true
}

// eachPage reads the rows of a stream once, in their order, until yield returns false. Yield gets a
// model of some rows, and how many they are.
func (m *Model) eachPage(yield func(page *Model, rows int) bool) error {
	s := m.streamed
	pager := s.source.Pager()
	rows, block, window := s.source.Layout()
	blocks, done := max(1, rows/block), 0
	for next := 0; next < blocks; {
		var wanted []int
		for ; next < blocks && len(wanted) < max(window, 1); next++ {
			wanted = append(wanted, next)
		}
		page, numbers, err := s.load(pager, nil, wanted)
		if err != nil {
			return err
		}
		if len(numbers) == 0 || numbers[0] != done {
			return fmt.Errorf("model: rows from %d on are read in another order", done)
		}
		if done += len(numbers); !yield(page, len(numbers)) {
			return nil
		}
	}
	if done != rows {
		return fmt.Errorf("model: %d of %d rows were read", done, rows)
	}
	return nil
}

// reader is an evaluator that runs no function: it gives rows in double precision.
func (m *Model) reader() *Evaluator {
	double := *m
	if m.Spec.Single {
		double.columns = m.doubles
	}
	e := &Evaluator{m: &double, funcs: map[fn.ID]Func{}, capacity: m.block, dims: m.Dims}
	e.makeRoom()
	return e
}

// ofDistinct is the model whose rows are those of a table.
func (m *Model) ofDistinct(t *distinct.Table, read []int) *Model {
	out := *m
	out.rows, out.streamed, out.equal = len(t.Counts), nil, nil
	out.columns = make([]column.Column, len(m.Spec.Data))
	for k, i := range read {
		c := &t.Columns[k]
		if !m.Spec.Data[i].Sparse {
			out.columns[i] = column.Dense(c.Dense, c.Width)
			continue
		}
		out.columns[i] = column.Sparse(c.Sparse, nil, nil)
	}
	for i := range m.Spec.Data {
		if d := &m.Spec.Data[i]; d.Filled && d.Name == WeightDatum {
			out.columns[i] = column.Dense(t.Counts, 1)
		}
	}
	return &out
}

// A weighing evaluates full passes by different rows.
type weighing struct {
	e *Evaluator // of these rows alone
	f Func
}

// weighing is the evaluator of different rows; nil where full passes take all rows, and where those
// of a stream were not asked for.
func (e *Evaluator) weighing() *weighing {
	if e.weighs || e.m.streamed != nil && !e.m.equal.there() {
		return e.weighed
	}
	e.weighs = true
	of, err := e.m.distinct()
	if err != nil { // of rows in memory there is none
		panic(err)
	}
	if of == nil {
		return nil
	}
	w := &weighing{e: &Evaluator{m: of, funcs: map[fn.ID]Func{},
		capacity: min(of.block, of.rows), dims: e.dims}}
	w.e.makeRoom()
	if w.f = w.e.fn(fn.Weighted.ID()); w.f != nil {
		e.weighed = w
	}
	return e.weighed
}

// evaluate writes the gradient, and behind it the density, to out.
func (w *weighing) evaluate(x []float64, scale, jacobian float64, out []float64) {
	w.e.frame.Scale, w.e.frame.Jacobian = scale, jacobian
	w.e.call(w.f, x, nil, out, nil, 0)
}

// PassNote says how full passes take fewer numbers than all rows have; empty where they do not.
func (m *Model) PassNote() string {
	if n := m.DistinctRows(); n > 0 {
		return fmt.Sprintf("by the %d different ones among them, each with a weight", n)
	}
	if m.Collapses() && (m.streamed == nil || m.folds()) {
		return "by sums over rows that are computed once"
	}
	return ""
}
