package model

import (
	"errors"
	"fmt"
	"maps"
	"runtime"
	"sync"

	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/math/kernel"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// FoldRows is the largest number of rows from which statistics are computed at once. It determines
// the order of summation, and so the bits of the statistics.
const FoldRows = 8192

// A Folded holds the statistics of some rows.
type Folded struct {
	Rows   int       `json:"rows"`
	Values []float64 `json:"values"` // the values of Spec.Statistics, one after another
}

// Folds reports whether full passes are possible if rows are streamed. This is so if the statistics
// of two sets of rows can be merged and full passes read nothing else of the rows, or if the stream
// has few distinct rows. To find the distinct rows it may read the rows.
func (m *Model) Folds() bool {
	if m.folds() {
		return true
	}
	if m.streamed == nil {
		return false
	}
	of, err := m.distinct()
	return of != nil || err != nil // Fold has the error
}

// folds reports whether full passes are possible by statistics.
func (m *Model) folds() bool {
	c := &m.Spec.Collapse
	grows := m.streamed != nil && m.streamed.source.Grows()
	return m.Collapses() && !c.Whole && !c.Rows && !grows && m.Spec.Chain == nil
}

// Fold computes the statistics of all rows, unless they have been computed. It reads the rows of a
// stream once, in order, independently of the blocks of their file. Models that share statistics,
// such as those of pages, share the result.
func (m *Model) Fold() error {
	if m.streamed != nil && !m.folds() {
		_, err := m.distinct()
		return err
	}
	m.totals.lock.Lock()
	defer m.totals.lock.Unlock()
	if m.totals.data != nil {
		return nil
	}
	f, err := m.FoldRows()
	if err != nil {
		return err
	}
	return m.hold(f)
}

// Hold sets the statistics that full passes use. They must cover all rows; those of shards must be
// merged in the order of the shards. It returns an error if their number is wrong.
func (m *Model) Hold(f *Folded) error {
	m.totals.lock.Lock()
	defer m.totals.lock.Unlock()
	return m.hold(f)
}

func (m *Model) hold(f *Folded) error {
	if len(f.Values) != m.statisticsLen() {
		return fmt.Errorf("model: %d statistics are given, and %s has %d", len(f.Values),
			m.Spec.Name, m.statisticsLen())
	}
	m.totals.folded = f
	m.totals.data = make([][]float64, len(m.Spec.Data))
	m.totals.single = make([][]float32, len(m.Spec.Data))
	m.place(m.Spec.StatisticData(), f.Values)
	if len(m.Spec.Totals) == 0 {
		return nil
	}
	frame := &Frame{Dense: make([][]float64, len(m.Spec.Data)),
		Sparse: make([]kernel.Rows, len(m.Spec.Data))}
	for i := range m.Spec.Data {
		if frame.Dense[i] = m.full[i]; m.totals.data[i] != nil {
			frame.Dense[i] = m.totals.data[i]
		}
	}
	n := 0
	for i := range m.Spec.Totals {
		n += m.Spec.Totals[i].Len(m.Dims)
	}
	frame.Out = make([]float64, n)
	code := m.code.Func(fn.Totals.ID().String(), m.Dims, 0)
	code.Prepare(frame)
	code.Finish(frame)
	m.place(m.Spec.Totals, frame.Out)
	return nil
}

// place stores consecutive values of x by the index of their datum in Spec.Data.
func (m *Model) place(list []Datum, x []float64) {
	at := 0
	for _, d := range list {
		n := d.Len(m.Dims)
		for i := range m.Spec.Data {
			if m.Spec.Data[i].Name != d.Name {
				continue
			}
			m.totals.data[i] = x[at : at+n : at+n]
			if m.Spec.Single {
				m.totals.single[i] = narrowed(m.totals.data[i])
			}
		}
		at += n
	}
}

func (m *Model) statisticsLen() int { return m.Spec.StatisticsLen(m.Dims) }

// StatisticsLen returns how many numbers the statistics of some rows are.
func (s *Spec) StatisticsLen(dims map[string]int) int {
	n := 0
	for i := range s.Statistics {
		n += s.Statistics[i].Len(dims)
	}
	return n
}

// FoldRows returns the statistics of all rows. It computes them for blocks of rows and merges the
// blocks in order.
func (m *Model) FoldRows() (*Folded, error) {
	switch {
	case len(m.Spec.Statistics) == 0:
		return nil, fmt.Errorf("model: the likelihood of %s is no function of sums", m.Spec.Name)
	case m.streamed != nil:
		return m.foldStream()
	}
	f := m.newFolder()
	if m.Spec.Collapse.Whole {
		out := &Folded{Rows: m.rows, Values: make([]float64, m.statisticsLen())}
		f.compute(m.Frame(), 0, out.Values)
		return out, nil
	}
	f.add(m, m.rows)
	return f.sum, nil
}

// Merge merges the statistics of later rows into into, for models whose sizes are dims; the number
// of rows need not be among them. It returns an error if the number of statistics is wrong.
func (s *Spec) Merge(dims map[string]int, into, of *Folded) error {
	if n := s.StatisticsLen(dims); len(into.Values) != n || len(of.Values) != n {
		return fmt.Errorf("model: %d and %d statistics are to merge, and %s has %d",
			len(into.Values), len(of.Values), s.Name, n)
	}
	newMerger(s, dims).merge(into.Values, of.Values)
	into.Rows += of.Rows
	return nil
}

// A folder computes statistics block by block.
type folder struct {
	m      *Model
	block  int
	merger *merger
	sum    *Folded
	code   sync.Map // functions that are not in use, by their number of rows
}

// newFolder makes no merger where statistics are of all rows at once: their axes may be others than
// those of sums over rows.
func (m *Model) newFolder() *folder {
	f := &folder{m: m, block: m.foldRows()}
	if !m.Spec.Collapse.Whole {
		f.merger = newMerger(m.Spec, m.Dims)
	}
	return f
}

// foldRows returns the number of rows in a block. It depends only on the model and its sizes.
func (m *Model) foldRows() int {
	width := 1
	for i := range m.Spec.Data {
		if d := &m.Spec.Data[i]; m.byRows(d) && !d.Sparse {
			width += product(d.Shape[1:], m.Dims)
		}
	}
	return max(min(FoldRows, BlockNumbers/width), 2*width, 256)
}

// byRows reports whether the function statistics reads a datum by rows.
func (m *Model) byRows(d *Datum) bool {
	return !d.Rows && len(d.Shape) > 0 && m.Spec.RowDim != "" &&
		d.Shape[0].Equal(size.Dim(m.Spec.RowDim))
}

// compute runs the function statistics on the given number of rows; 0 means all rows at once.
func (f *folder) compute(frame *Frame, rows int, out []float64) {
	m := f.m
	held, _ := f.code.LoadAndDelete(rows)
	code, _ := held.(Func)
	if code == nil {
		dims := maps.Clone(m.Dims)
		if dims[BlockDim] = rows; rows == 0 && m.Spec.Collapse.Whole {
			delete(dims, BlockDim)
		}
		code = m.code.Func(fn.Statistics.ID().String(), dims, 0)
	}
	frame.Out = out
	code.Prepare(frame)
	code.Finish(frame)
	f.code.Store(rows, code)
}

// add adds the first rows of a model, one block after another. The blocks are computed in parallel
// and merged in order.
func (f *folder) add(from *Model, rows int) {
	all, n := from.Frame(), f.m.statisticsLen()
	workers := runtime.GOMAXPROCS(0)
	parts := make([]*Folded, workers)
	for start := 0; start < rows || f.sum == nil; {
		var wait sync.WaitGroup
		used := 0
		for used < workers && (start < rows || used == 0) {
			part := &Folded{Rows: min(f.block, rows-start), Values: make([]float64, n)}
			frame := f.part(from, all, start, part.Rows)
			wait.Go(func() { f.compute(frame, part.Rows, part.Values) })
			parts[used] = part
			used, start = used+1, start+part.Rows
		}
		wait.Wait()
		for _, p := range parts[:used] {
			if f.sum == nil {
				f.sum = p
				continue
			}
			f.merger.merge(f.sum.Values, p.Values)
			f.sum.Rows += p.Rows
		}
	}
}

// part returns the frame of count rows from start on.
func (f *folder) part(m *Model, all *Frame, start, count int) *Frame {
	out := &Frame{}
	for i := range m.Spec.Data {
		x, s := all.Dense[i], all.Sparse[i]
		if d := &m.Spec.Data[i]; f.m.byRows(d) && m.rows > 0 {
			if x != nil {
				w := len(x) / m.rows
				x = x[start*w : (start+count)*w]
			}
			if s.Lo != nil {
				w := len(s.Lo) / m.rows
				s.Lo, s.Hi = s.Lo[start*w:(start+count)*w], s.Hi[start*w:(start+count)*w]
			}
		}
		out.Dense, out.Sparse = append(out.Dense, x), append(out.Sparse, s)
	}
	return out
}

// foldStream is FoldRows for streamed rows.
func (m *Model) foldStream() (*Folded, error) {
	if !m.folds() {
		return nil, errors.New("model: its statistics are computed of all rows at once")
	}
	s, f := m.streamed, m.newFolder()
	pager := s.source.Pager()
	rows, block, _ := s.source.Layout()
	blocks := max(1, rows/block)
	workers := runtime.GOMAXPROCS(0)
	for next, end, done := 0, 0, 0; done < rows; {
		var left, wanted []int
		for i := done; i < end; i++ {
			left = append(left, i)
		}
		for end < min(done+workers*f.block, rows) {
			wanted = append(wanted, next)
			if next++; next == blocks {
				end = rows
			} else {
				end = next * block
			}
		}
		part, numbers, err := s.load(pager, left, wanted)
		if err != nil {
			return nil, err
		}
		if len(numbers) != end-done || numbers[0] != done {
			return nil, fmt.Errorf("model: rows %d to %d are read in another order", done, end)
		}
		take := end - done
		if end < rows {
			take -= take % f.block
		}
		f.add(part, take)
		done += take
	}
	return f.sum, nil
}
