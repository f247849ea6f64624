package model

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/engine/target"
)

// A Source provides the rows of a model in parts.
type Source interface {
	// Layout returns the number of rows, the number of rows in a block and the number of blocks in a
	// page.
	Layout() (rows, block, window int)
	// Sizes returns the sizes of the dims of the rows, by name.
	Sizes() map[string]int
	// Pager reads pages for one goroutine at a time.
	Pager() Pager
	// Grow looks for appended rows and returns the new number of rows. Grows reports whether rows may
	// be appended.
	Grow() (rows int, err error)
	Grows() bool
}

// A Pager reads pages. A page holds rows that remain from another page, followed by the rows of
// some blocks.
type Pager interface {
	// Load reads and binds a page. The dims of the result are the sizes of the page.
	Load(left, blocks []int) (*data.Bound, error)
	// Limit restricts the pager to the first given number of rows of the source.
	Limit(rows int)
	// Rows appends the numbers of the rows of the page loaded last, in the order of the page.
	Rows(to []int) []int
	// Some reads and binds any rows of the source. The rows must be sorted and distinct. The dims of
	// the result are the sizes of these rows.
	Some(rows []int) (*data.Bound, error)
}

// A Recycler is a Pager that can put later pages where earlier ones lay.
type Recycler interface {
	// Reuse tells that nothing reads the result of a call of Load any more.
	Reuse(page *data.Bound)
}

// Stream binds a model's functions to data whose rows come from a source. The argument bound holds
// the other inputs. Until an evaluator loads a page, the model has the rows of the first block
// only.
func Stream(
	spec *Spec, code Code, bound *data.Bound, constants map[string][]float64, src Source,
) (*Model, error) {
	s := &streamed{spec: spec, code: code, bound: bound, constants: constants, source: src,
		totals: &totals{}, equal: &distinctRows{}}
	if err := (&Model{Spec: spec, Dims: s.dims()}).checkRanges(false); err != nil {
		return nil, err
	}
	var err error
	if s.constants, err = s.all(); err != nil {
		return nil, err
	}
	m, _, err := s.load(src.Pager(), nil, []int{0})
	return m, err
}

// all computes the data that depend only on the sizes of all rows and on inputs without a row axis.
// Values that the caller passed as constants are kept.
func (s *streamed) all() (map[string][]float64, error) {
	m := &Model{Spec: s.spec, Dims: s.dims(), code: s.code, streamed: s}
	bound, err := WithDefaults(s.spec, s.code, s.bound)
	if err != nil {
		return nil, err
	}
	known := map[string][]float64{}
	for _, d := range s.spec.Given {
		known[d.Name] = s.constants[d.Name]
	}
	for _, d := range s.spec.Latent {
		known[d.Name] = make([]float64, product(d.Shape, m.Dims))
	}
	if err := m.compute(fn.Constants, s.spec.Constants, bound, known); err != nil {
		return nil, err
	}
	maps.Copy(known, s.constants)
	return known, nil
}

// dims returns the sizes of all rows by the names of the dims.
func (s *streamed) dims() map[string]int {
	dims := maps.Clone(s.bound.Dims)
	maps.Copy(dims, s.source.Sizes())
	if s.rows > 0 {
		dims[s.spec.RowDim] = s.rows
	}
	if s.spec.Chain != nil {
		dims = chainDims(dims, target.LocalOptions{}.Filled())
	}
	return dims
}

// A streamed is the state that the models of all pages share.
type streamed struct {
	spec      *Spec
	code      Code
	bound     *data.Bound
	constants map[string][]float64
	source    Source
	totals    *totals
	equal     *distinctRows
	rows      int // the number of rows in use, if rows may be appended; 0: all rows of the source
}

// at returns the same data restricted to the given number of rows, if rows may be appended. It
// recomputes the values that depend on the number of rows.
func (s *streamed) at(rows int) *streamed {
	if !s.source.Grows() || rows == s.dims()[s.spec.RowDim] {
		return s
	}
	out := *s
	out.rows, out.constants = rows, map[string][]float64{}
	for _, d := range s.spec.Given {
		out.constants[d.Name] = s.constants[d.Name]
	}
	all, err := out.all()
	if err != nil {
		panic("model: constants that could be computed of fewer rows: " + err.Error())
	}
	out.constants = all
	return &out
}

// load returns the model of a page and the numbers of its rows. The dims of the model are the sizes
// of all rows.
func (s *streamed) load(p Pager, left, blocks []int) (*Model, []int, error) {
	rows, err := p.Load(left, blocks)
	if err != nil {
		return nil, nil, err
	}
	m, err := s.page(rows)
	return m, p.Rows(nil), err
}

// page returns the model of the given rows.
func (s *streamed) page(rows *data.Bound) (*Model, error) {
	page := &data.Bound{Dims: maps.Clone(s.bound.Dims), Values: maps.Clone(s.bound.Values),
		Files: s.bound.Files}
	maps.Copy(page.Dims, rows.Dims)
	maps.Copy(page.Values, rows.Values)
	for name, n := range s.source.Sizes() { // a row of another page may have the most entries
		if _, ok := data.EntriesInput(name); ok {
			page.Dims[name] = n
		}
	}
	m, err := bind(s.spec, s.code, page, s.constants, true)
	if err != nil {
		return nil, err
	}
	m.streamed, m.Dims, m.totals, m.equal = s, s.dims(), s.totals, s.equal
	m.all, _, _ = s.source.Layout()
	m.block = s.spec.blockRows(m.Dims)
	return m, nil
}

// Streams implements target.Stream.
func (m *Model) Streams() (block, window int, is bool) {
	if m.streamed == nil {
		return 0, 0, false
	}
	_, block, window = m.streamed.source.Layout()
	return block, window, true
}

// count updates the functions to the given number of rows, if rows may be appended. Functions that
// compute gradients or run chains do not depend on the number of rows and are kept.
func (e *Evaluator) count(rows int) {
	if dim := e.m.Spec.RowDim; e.m.streamed.source.Grows() && e.dims[dim] != rows {
		e.dims = maps.Clone(e.dims)
		e.dims[dim] = rows
		for id := range e.funcs {
			switch id.Kind {
			case fn.Gradient, fn.Difference, fn.Locals, fn.Constrain, fn.Unconstrain:
				continue
			}
			delete(e.funcs, id)
		}
		e.density, e.both = nil, nil
	}
}

// Grow implements target.StreamEvaluator.
func (e *Evaluator) Grow() (rows int, err error) { return e.m.streamed.source.Grow() }

// Hold implements target.RowHolder.
func (e *Evaluator) Hold(rows []int) error {
	if e.m.streamed == nil || len(rows) == 0 {
		return nil
	}
	t := e.turner
	if t == nil || t.pages != nil {
		if t != nil {
			t.stop()
		}
		t = &pageTurner{of: e.m.streamed, pager: e.m.streamed.source.Pager()}
		t.now.at = &rowPlaces{}
		e.turner = t
	}
	if slices.Equal(rows, t.now.at.rows) {
		return nil
	}
	m, err := t.of.some(t.pager, rows)
	if err != nil {
		return err
	}
	t.now.at.set(slices.Clone(rows))
	e.use(m)
	return nil
}

// some returns the model of any rows of the source.
func (s *streamed) some(p Pager, rows []int) (*Model, error) {
	bound, err := p.Some(rows)
	if err != nil {
		return nil, err
	}
	return s.page(bound)
}

// Part implements target.Parted.
func (m *Model) Part(rows []int) (target.Target, error) {
	if m.streamed == nil {
		return nil, errors.New("model: the rows are all in memory")
	}
	return m.streamed.some(m.streamed.source.Pager(), rows)
}

// use switches the evaluator to the rows of another page.
func (e *Evaluator) use(m *Model) {
	e.m, e.arranged = m, arranged{}
	if e.fetches {
		e.findCold()
	}
	for i := range e.buffers {
		e.buffers[i].Reset()
	}
	for i, d := range m.Spec.Data { // what counts rows changes where these are added
		if !d.Rows && !d.Filled && !d.Sparse {
			if e.frame.Dense[i] = m.full[i]; m.Spec.Single {
				e.frame.Dense32[i] = m.single.full[i]
			}
		}
	}
	if e.full != nil {
		e.readTotals()
	}
	if e.trim != nil {
		for k, d := range e.trim.dims {
			e.trim.lengths[k] = m.lengths(d)
		}
		e.trim.all, e.trim.lik = nil, nil
	}
	e.crew.use(m)
	if l := e.locals; l != nil {
		l.drawn = false
		for _, w := range l.workers {
			w.e.use(m)
		}
	}
}

// local returns the indices of rows in the current page. It panics if a row is not in the page: a
// chain must load the page first.
func (e *Evaluator) local(rows []int) []int {
	t := e.turner
	if t == nil || t.now.page < 0 || rows == nil {
		return rows
	}
	if places, _ := e.arranged.of(rows, 0, len(rows)); places != nil {
		return places
	}
	t.room = t.room[:0]
	for _, r := range rows {
		at, there := t.now.at.at(r)
		if !there {
			panic(fmt.Sprintf("model: row %d is not in memory", r))
		}
		t.room = append(t.room, at)
	}
	return t.room
}

// number returns the number of the row that has the given index in the current page.
func (e *Evaluator) number(place int) int {
	if t := e.turner; t != nil && t.now.page >= 0 {
		return t.now.at.rows[place]
	}
	return place
}

// visits returns the distance between the random streams of two visits to one row. It is at least
// the number of rows.
func (m *Model) visits() uint64 {
	if m.streamed != nil && m.streamed.source.Grows() {
		return 1 << 32
	}
	return uint64(m.Rows())
}
