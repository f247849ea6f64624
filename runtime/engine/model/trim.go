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

// A trim holds the lengths of ragged rows. A piece of a minibatch is padded to the longest of its
// rows instead of the longest row of the data.
type trim struct {
	dims    []string       // the ragged dims
	lengths [][]float64    // the lengths of all rows, by dim
	full    map[string]int // the sizes of all rows
	now     map[string]int // the sizes of the current rows
	current []int          // the sizes of the current rows, by index of dims
	made    map[Func][]int // the sizes that each function was last resized to
	all     []int          // every row, in order
	lik     []float64      // buffer for the log likelihoods of all rows

	// A minibatch is sorted by length and cut into pieces. Each piece is padded to its longest row, so
	// a few long rows do not lengthen all others.
	stored bool // only the stored entries of sparse rows have different lengths
	one    bool // there is one piece (Spec.OneLength)
	order  []int
	ends   []int     // the end of each piece, last piece first
	cost   []float64 // the least cost of the first i rows, by i
	from   []int     // the start of the last piece at that cost, by i
}

// pieceRows is the number of rows in a piece if only stored entries of sparse rows have different
// lengths.
const pieceRows = 8

// pieceCost is the fixed cost of a piece, in units of one of its rows.
const pieceCost = 8

// sorted returns rows sorted by length. Rows of equal length keep their order.
func (t *trim) sorted(rows []int) []int {
	t.order = append(t.order[:0], rows...)
	slices.SortStableFunc(t.order, t.compare)
	return t.order
}

// compare compares rows a and b by their lengths. It is negative if a is shorter.
func (t *trim) compare(a, b int) int {
	for _, l := range t.lengths {
		if d := l[a] - l[b]; d != 0 {
			return int(d)
		}
	}
	return 0
}

// cut divides the rows of a minibatch into pieces and returns the rows in the order of the pieces.
// If there is one piece, the rows keep their order.
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

// longest returns the rounded length of a row along the first dim.
func (t *trim) longest(row int) float64 {
	return float64(rounded(max(1, int(t.lengths[0][row])), t.full[t.dims[0]]))
}

// end returns the end of the piece that contains the row at the given index of the order.
func (t *trim) end(at int) int {
	for t.ends[len(t.ends)-1] <= at {
		t.ends = t.ends[:len(t.ends)-1]
	}
	return t.ends[len(t.ends)-1]
}

// newTrim returns the lengths of the ragged rows along all ragged dims. It returns nil if no dim is
// ragged, and if an array has a ragged axis that is not the first axis within a row: the shortened
// row would not be contiguous.
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

// lengths returns the lengths of the rows along a ragged dim, or the numbers of their stored
// entries. It returns nil if no function reads these.
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

// rounded rounds a length up, by at most an eighth, so that few different lengths remain.
func rounded(n, most int) int {
	step := 1
	for n/step >= 16 {
		step *= 2
	}
	return min((n+step-1)/step*step, most)
}

// trimTo sets the sizes to those of the given rows (nil: all rows) and resizes the function.
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

// prepare begins a call that processes rows one by one. Values that are computed before the rows
// must be padded to the longest row.
func (e *Evaluator) prepare(f Func) {
	if e.trim != nil {
		e.trimTo(f, nil)
	}
	f.Prepare(&e.frame)
}

// trimmedDensity returns the density of all rows as a sum of their likelihoods. It avoids the
// padding that a call over all rows needs.
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
