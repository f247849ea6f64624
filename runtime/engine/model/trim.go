package model

import (
	"maps"
	"math"
	"slices"

	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/model/column"
	"github.com/sgppl/sgppl/runtime/math/size"
)

// A Resizable function can be evaluated with smaller sizes than those it was made with.
type Resizable interface{ Resize(dims map[string]int) }

// A trim holds the lengths of ragged rows. A piece of a minibatch is padded to the longest row in
// it, not to the longest row of the data.
type trim struct {
	dims    []string       // the ragged dims
	lengths [][]float64    // of all rows, by dim
	full    map[string]int // the sizes of all rows
	now     map[string]int // those of the current rows
	current []int          // the same, by dim
	made    map[Func][]int // what functions were told last
	all     []int          // every row, in order
	lik     []float64      // space for the likelihoods of all

	// Minibatches go by pieces: rows from the shortest, each piece as long as its
	// longest row, since a few long rows would make all others as long.
	stored bool // stored entries of sparse rows alone are trimmed
	one    bool // there is one piece (Spec.OneLength)
	order  []int
	ends   []int     // where pieces end, from the last
	cost   []float64 // of the cheapest way to take so many of the first rows
	from   []int     // where the last piece of that way begins
}

// pieceRows is how many rows of stored entries have one length.
const pieceRows = 8

// pieceCost is the fixed cost of a piece, in units of one of its rows.
const pieceCost = 8

// sorted are rows in the order of their lengths, those of one length as they are.
func (t *trim) sorted(rows []int) []int {
	t.order = append(t.order[:0], rows...)
	slices.SortStableFunc(t.order, t.compare)
	return t.order
}

// compare is negative where row a comes before b by their lengths.
func (t *trim) compare(a, b int) int {
	for _, l := range t.lengths {
		if d := l[a] - l[b]; d != 0 {
			return int(d)
		}
	}
	return 0
}

// cut parts the rows of a minibatch into pieces and returns the rows in the order
// of these. Rows that are one piece stay in their order.
func (t *trim) cut(rows []int) []int {
	n := len(rows)
	t.ends = t.ends[:0]
	if t.one {
		t.ends = append(t.ends, n)
		return rows
	}
	if t.stored {
		for end := n; end > 0; end = (end - 1) / pieceRows * pieceRows {
			t.ends = append(t.ends, end)
		}
		return t.sorted(rows)
	}
	// The longest rows come last, so a piece is as long as its last row, except for several ragged
	// dims, of which the first decides.
	sorted := t.sorted(rows)
	t.cost, t.from = append(t.cost[:0], 0), append(t.from[:0], 0)
	for i := 1; i <= n; i++ {
		length, best, from := t.longest(sorted[i-1]), math.Inf(1), 0
		for j := i - 1; j >= 0; j-- {
			piece := float64(float64(i-j+pieceCost) * length)
			if piece >= best { // and longer pieces cost more
				break
			}
			if c := t.cost[j] + piece; c < best {
				best, from = c, j
			}
		}
		t.cost, t.from = append(t.cost, best), append(t.from, from)
	}
	for end := n; end > 0; end = t.from[end] {
		t.ends = append(t.ends, end)
	}
	if len(t.ends) <= 1 {
		return rows
	}
	return sorted
}

// longest is the length of a row, as it is rounded, along the first dim.
func (t *trim) longest(row int) float64 {
	return float64(rounded(max(1, int(t.lengths[0][row])), t.full[t.dims[0]]))
}

// end is where the piece ends that a row of the order is in.
func (t *trim) end(at int) int {
	for t.ends[len(t.ends)-1] <= at {
		t.ends = t.ends[:len(t.ends)-1]
	}
	return t.ends[len(t.ends)-1]
}

// newTrim finds the ragged dims of the rows; nil where there are none, or where
// an array has one elsewhere than first in its row, so that what is left of a
// row would not stand together.
func (m *Model) newTrim(dims map[string]int) *trim {
	t := &trim{full: dims, now: map[string]int{}, made: map[Func][]int{}}
	for name, n := range dims {
		t.now[name] = n
	}
	for _, d := range m.Spec.Schema.Dims {
		if d.Of == "" || d.Of != m.Spec.RowDim {
			continue
		}
		list := m.lengths(d.Name)
		if list == nil {
			return nil
		}
		t.dims, t.lengths = append(t.dims, d.Name), append(t.lengths, list)
		t.current = append(t.current, m.Dims[d.Name])
	}
	t.stored, t.one = len(t.dims) == 0, m.Spec.OneLength
	for _, name := range slices.Sorted(maps.Keys(dims)) {
		if _, ok := data.EntriesInput(name); ok {
			if list := m.lengths(name); list != nil {
				t.dims, t.lengths = append(t.dims, name), append(t.lengths, list)
				t.current = append(t.current, m.Dims[name])
			}
		}
	}
	if len(t.dims) == 0 {
		return nil
	}
	for _, d := range m.Spec.Data {
		inner := slices.Clone(d.Shape)
		if d.Rows {
			inner = slices.Delete(inner, d.Lead, d.Lead+1)
		}
		for i, p := range inner {
			if i > 0 && t.has(p) || d.Sparse && t.has(p) {
				return nil
			}
		}
	}
	for _, p := range m.Spec.Params {
		if slices.ContainsFunc(p.Shape, t.has) {
			return nil
		}
	}
	return t
}

// lengths are those of the rows along a ragged dim, or of stored entries; nil
// where no function reads them.
func (m *Model) lengths(dim string) []float64 {
	if input, ok := data.EntriesInput(dim); ok {
		for i, d := range m.Spec.Data {
			if list := column.Lengths(m.columns[i]); list != nil &&
				(d.Name == data.ColumnsOf(input) || d.Name == data.CountsOf(input)) {
				return list
			}
		}
		return nil
	}
	i := slices.IndexFunc(m.Spec.Data,
		func(x Datum) bool { return x.Name == data.LengthsOf(dim) && x.Rows })
	if i < 0 || len(m.full[i]) != m.rows {
		return nil
	}
	return m.full[i]
}

func (t *trim) has(p size.Poly) bool {
	return slices.ContainsFunc(p.Dims(), func(d string) bool { return slices.Contains(t.dims, d) })
}

// rounded is a length that few others are rounded to: at most an eighth longer.
func rounded(n, most int) int {
	step := 1
	for n/step >= 16 {
		step *= 2
	}
	return min((n+step-1)/step*step, most)
}

// trimTo sets the sizes for the rows of a call (nil: all), and tells the
// function.
func (e *Evaluator) trimTo(f Func, rows []int) {
	t := e.trim
	g, ok := f.(Resizable)
	if !ok {
		rows = nil
	}
	changed := false
	for k, d := range t.dims {
		n := t.full[d]
		if rows != nil {
			longest := 1
			for _, r := range rows {
				longest = max(longest, int(t.lengths[k][r]))
			}
			n = rounded(longest, n)
		}
		if t.current[k] != n {
			t.current[k], t.now[d], changed = n, n, true
		}
	}
	if changed {
		for i := range e.m.Spec.Data {
			if d := &e.m.Spec.Data[i]; d.Rows && !d.Sparse {
				width := 1
				for k, p := range d.Shape {
					if k != d.Lead {
						n, _ := p.Eval(t.now)
						width *= n
					}
				}
				e.buffers[i].Width = width
			}
		}
	}
	told := t.made[f]
	if told == nil {
		told = make([]int, len(t.dims))
		for k, d := range t.dims {
			told[k] = t.full[d]
		}
		t.made[f] = told
	}
	if ok && !slices.Equal(told, t.current) {
		copy(told, t.current)
		g.Resize(t.now)
	}
}

// prepare begins a call whose rows come one by one: values that are computed before them must be
// padded for the longest row.
func (e *Evaluator) prepare(f Func) {
	if e.trim != nil {
		e.trimTo(f, nil)
	}
	f.Prepare(&e.frame)
}

// trimmedDensity is the density of all rows, by the likelihoods of each: they
// are computed without the padding that a pass over all has.
func (e *Evaluator) trimmedDensity(x []float64, scale, jacobian float64) float64 {
	if e.trim.lik == nil {
		e.trim.lik = make([]float64, e.m.rows)
	}
	e.LogLik(x, nil, e.trim.lik)
	sum := 0.0
	for _, l := range e.trim.lik {
		sum += l
	}
	return e.densityOf(x, e.trim.all[:1], 0, jacobian) + float64(scale*sum)
}
