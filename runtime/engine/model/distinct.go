package model

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/engine/model/column"
	"github.com/sgppl/sgppl/runtime/engine/model/distinct"
)

// Equal rows have equal log likelihoods. If at least half of the rows are equal to other rows, a
// full pass reads each distinct row once and weights it by the number of its occurrences:
//
//	Σ_rows log p(row | x) = Σ_distinct rows count·log p(row | x)
//
// The result is the same up to rounding. Rows are compared by the data that the function weighted
// reads, so data that the likelihood does not read are ignored. If the likelihood reads a row's
// number or an unknown of one row, this row is different from all others. Minibatches and results
// for single rows use the original rows.

const (
	// leastEqual is the number of rows below which full passes take all of them.
	leastEqual = 64
	// mostDistinct limits how many numbers of distinct rows are stored: 32 MiB of them.
	mostDistinct = 4 << 20
)

// A distinctRows holds the distinct rows of a model. The first full pass that could use them finds
// them.
type distinctRows struct {
	lock   sync.Mutex
	sought bool
	of     *Model // the model of the distinct rows; nil if there are too many
	err    error  // an error of reading rows
}

// DistinctRows returns the number of distinct rows if full passes read these with weights,
// otherwise 0. The first call compares all rows. If the rows are streamed, it reads them once and
// stops as soon as there are too many distinct rows.
func (m *Model) DistinctRows() int {
	if of, err := m.distinct(); err == nil && of != nil {
		return of.rows
	}
	return 0
}

// distinct returns the model of the distinct rows. It returns nil if full passes read all rows.
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
		if m.TakesDistinct() {
			d.of, d.err = m.findDistinct()
		}
	}
	return d.of, d.err
}

// there reports whether the distinct rows have been found and are few enough to be used.
func (d *distinctRows) there() bool {
	d.lock.Lock()
	defer d.lock.Unlock()
	return d.of != nil
}

// findDistinct compares all rows and returns the model of the distinct rows, or nil if there are
// too many.
func (m *Model) findDistinct() (*Model, error) {
	t, read := m.newDistinct(mostDistinct)
	few := true
	if m.streamed == nil {
		few = m.addFew(t, read, m.rows/2)
	} else if err := m.eachPage(func(page *Model, rows int) bool {
		few = page.addDistinct(t, read, rows, nil, m.all/2)
		return few
	}); err != nil {
		return nil, err
	}
	if !few {
		return nil, nil
	}
	return m.ofDistinct(t, read), nil
}

// newDistinct returns a table for the rows of a model, and the data by row that the function
// weighted reads.
func (m *Model) newDistinct(most int) (t *distinct.Table, read []int) {
	var widths []int
	for i := range m.Spec.Data {
		if d := &m.Spec.Data[i]; d.Rows && !d.Filled && slices.Contains(m.Spec.Weighted, d.Name) {
			read, widths = append(read, i), append(widths, m.columns[i].Width())
		}
	}
	return distinct.New(widths, most), read
}

// TakesDistinct reports whether the rows of a model could be read as distinct rows with weights,
// whether or not these are few.
func (m *Model) TakesDistinct() bool {
	return len(m.Spec.Weighted) > 0 && (!m.Collapses() || m.Spec.Collapse.Rows)
}

// EqualRows returns the numbers of the rows in memory that are different from all rows before them,
// and how often each occurs. It returns nil if they are more than half of the rows, and more than a
// few hundred.
func (m *Model) EqualRows() (rows []int, counts []float64) {
	if !m.TakesDistinct() {
		return nil, nil
	}
	t, read := m.newDistinct(mostDistinct)
	if !m.addFew(t, read, max(leastEqual, m.rows/2)) {
		return nil, nil
	}
	return append([]int{}, t.First...), t.Counts
}

// HoldDistinct sets the rows that full passes of a stream read: the rows of another model with the
// same Spec, each of which occurs as often as counts says. They must stand for all rows of the
// stream.
func (m *Model) HoldDistinct(rows *Model, counts []float64) error {
	total := 0.0
	for _, n := range counts {
		total += n
	}
	if rows.rows != len(counts) || total != float64(m.Rows()) {
		return fmt.Errorf("model: %d rows with %d counts, %g in all, are to stand for %d rows",
			rows.rows, len(counts), total, m.Rows())
	}
	t, read := rows.newDistinct(math.MaxInt)
	rows.addDistinct(t, read, rows.rows, counts, math.MaxInt)
	m.equal.lock.Lock()
	defer m.equal.lock.Unlock()
	m.equal.sought, m.equal.of = true, rows.ofDistinct(t, read)
	return nil
}

// addFew adds all rows in memory to a table, if at most so many are distinct. It reads them once
// for their hashes alone, since most data have few equal rows, and the table of their distinct ones
// would be large before that is seen.
func (m *Model) addFew(t *distinct.Table, read []int, most int) bool {
	few := m.eachBlock(read, m.rows, func(_, count int, of []distinct.Columns) bool {
		return !t.Many(count, of, most)
	})
	t.Forget()
	return few && m.addDistinct(t, read, m.rows, nil, most)
}

// addDistinct adds the first rows of a model to a table. It reports whether the distinct rows fit
// into the table.
func (m *Model) addDistinct(
	t *distinct.Table, read []int, rows int, counts []float64, most int,
) bool {
	return m.eachBlock(read, rows, func(start, count int, of []distinct.Columns) bool {
		var times []float64
		if counts != nil {
			times = counts[start : start+count]
		}
		return t.Add(count, of, times, most)
	})
}

// eachBlock reads the data read of the first rows of a model block by block, until yield returns
// false. It returns what yield returned last.
func (m *Model) eachBlock(
	read []int, rows int, yield func(start, count int, of []distinct.Columns) bool,
) bool {
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
		if !yield(start, count, of) {
			return false
		}
		start += count
	}
	return true
}

// eachPage reads the rows of a stream once, in order, until yield returns false. It passes to yield
// a model of some rows and the number of these rows.
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

// reader returns an evaluator that runs no function and reads rows in double precision.
func (m *Model) reader() *Evaluator {
	double := *m
	if m.Spec.Single {
		double.columns = m.doubles
	}
	e := &Evaluator{m: &double, funcs: map[fn.ID]Func{}, capacity: m.block, dims: m.Dims}
	e.makeRoom()
	return e
}

// ofDistinct returns the model whose rows are the rows of a table.
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
		out.columns[i] = column.Sparse(c.Sparse, nil, nil, nil)
	}
	for i := range m.Spec.Data {
		if d := &m.Spec.Data[i]; d.Filled && d.Name == WeightDatum {
			out.columns[i] = column.Dense(t.Counts, 1)
		}
	}
	return &out
}

// A weighing evaluates full passes over the distinct rows.
type weighing struct {
	e *Evaluator // evaluates the distinct rows
	f Func
}

// weighing returns the evaluator of the distinct rows. It returns nil if full passes read all rows,
// and if the rows are streamed and their distinct rows have not been found yet.
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
		if e.crew != nil {
			w.e.Share(e.crew.team)
		}
	}
	return e.weighed
}

// evaluate writes the gradient to out, followed by the density.
func (w *weighing) evaluate(x []float64, scale, jacobian float64, out []float64) {
	w.e.frame.Scale, w.e.frame.Jacobian = scale, jacobian
	w.e.call(w.f, x, nil, out, nil, 0)
}

// PassNote describes how full passes avoid reading all rows. It is empty if they read all rows.
func (m *Model) PassNote() string {
	if n := m.DistinctRows(); n > 0 {
		return fmt.Sprintf("by the %d different ones among them, each with a weight", n)
	}
	if m.Collapses() && (m.streamed == nil || m.folds()) {
		return "by sums over rows that are computed once"
	}
	return ""
}
