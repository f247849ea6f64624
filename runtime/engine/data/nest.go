package data

import (
	"fmt"
	"maps"
	"slices"

	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data/problem"
)

// A nest is an input whose nested lists are interpreted when it is bound: its axes are ragged, or
// its last axis is given as lists of indices.
//
// The head is the leading axes up to the last ragged one. Its elements are cells: arrays over the
// other axes. Entries are checked and stored packed, one cell after another. The array that they
// represent pads every row with zeros to the length of the longest row.
type nest struct {
	in     *Input
	v      *array.Value
	listed bool    // cells are lists of indices
	head   int     // number of leading axes
	dims   []*Dim  // by axis, the ragged dim; nil for a plain axis
	parent []int   // by ragged axis, the axis of its rows
	padded bool    // v is padded, and the lengths are given separately
	levels [][]int // lengths of the lists of v by depth, unless padded
	cell   []int   // sizes of a cell in v; unknown if v has no cell
}

// newNest returns the nest of an input, with the head found.
func newNest(s *Schema, in *Input, v *array.Value, listed bool) *nest {
	n := &nest{in: in, v: v, listed: listed, dims: make([]*Dim, len(in.Shape)),
		parent: make([]int, len(in.Shape))}
	for k, p := range in.Shape {
		d := s.raggedDim(p)
		if d == nil {
			continue
		}
		n.dims[k], n.head = d, k+1
		for j := k - 1; j >= 0; j-- {
			if name, one := in.Shape[j].Name(); one && name == d.Of {
				n.parent[k] = j
			}
		}
	}
	if n.listed {
		n.head = len(in.Shape) - 1
	}
	return n
}

// nested reads the nested lists of a value, and records the sizes and row lengths that they give.
func (c *checker) nested(in *Input, v *array.Value) {
	n := newNest(c.schema, in, v, in.Listed && !v.Canonical)
	for _, d := range n.dims[:n.head] {
		if d != nil && c.broken[LengthsOf(d.Name)] {
			c.broken[in.Name] = true // the lengths of its rows are reported already
			return
		}
	}
	n.padded = v.Lists == nil && !n.listed
	for _, d := range n.dims[:n.head] {
		if d != nil {
			r := c.rows[d.Name]
			n.padded = n.padded && r != nil && r.given
		}
	}
	if !n.padded {
		n.v = v.Unpacked()
	}
	fine := n.depth()
	switch {
	case n.head == len(in.Shape) && (in.Sparse || in.Bag):
		fine = false
		c.fail(c.at(in, v, -1, "D0128",
			fmt.Sprintf("%s is sparse along %s, whose rows differ in length: an input is sparse "+
				"along an axis of one size", in.Name, n.axis(n.head-1))))
	case !fine:
		c.fail(c.at(in, v, -1, "D0121", n.shallow()))
	case n.padded:
		fine = c.room(n)
	default:
		fine = c.lists(n)
	}
	if !fine {
		c.broken[in.Name] = true
		return
	}
	c.nests[in.Name] = n
}

// depth finds the lists of the leading axes and the sizes of a cell. It returns false if v is not
// nested as declared.
func (n *nest) depth() bool {
	if n.padded || n.v.CSR != nil {
		n.cell = n.v.Shape[min(n.head, len(n.v.Shape)):]
		return n.padded && len(n.v.Shape) >= n.head
	}
	want := n.head
	if n.listed {
		want++
	}
	n.levels = n.v.Levels()
	if n.v.Len() == 0 && len(n.levels) > 0 {
		for len(n.levels) < want { // lists of nothing may leave out what is within
			last := 0
			for _, k := range n.levels[len(n.levels)-1] {
				last += k
			}
			n.levels = append(n.levels[:len(n.levels):len(n.levels)], make([]int, last))
		}
	}
	return len(n.levels) == want || !n.listed && len(n.levels) > want
}

func (n *nest) shallow() string {
	has := array.ShapeText(n.v.Shape)
	if n.v.Lists != nil {
		has = fmt.Sprintf("has lists nested %d deep", len(n.v.Lists))
	}
	if n.listed {
		return fmt.Sprintf("%s %s, but %s is declared, whose lists of indices are nested %d deep",
			n.in.Name, has, n.in.Type(), n.head+1)
	}
	return fmt.Sprintf("%s %s, but %s is declared", n.in.Name, has, n.in.Type())
}

// room checks that a padded array is long enough for every row, and equates its plain axes with
// their dims.
func (c *checker) room(n *nest) bool {
	for k := range n.head {
		if n.dims[k] == nil {
			c.sizes.eqs = append(c.sizes.eqs,
				&equation{poly: n.in.Shape[k], n: n.v.Shape[k], in: n.in, axis: k, val: n.v})
			continue
		}
		r := c.rows[n.dims[k].Name]
		for row, m := range r.n {
			if m > n.v.Shape[k] {
				c.fail(c.at(n.in, n.v, -1, "D0129",
					fmt.Sprintf("%s has room for %d along axis %d, but row %d of %s is %d long",
						n.in.Name, n.v.Shape[k], k, row, n.dims[k].Name, m)))
				return false
			}
		}
		r.room = max(r.room, n.v.Shape[k])
	}
	c.cells(n)
	return true
}

// lists records the lengths of lists. Lists along a plain axis must have equal lengths; those
// along a ragged axis are the lengths of its rows.
func (c *checker) lists(n *nest) bool {
	fine := true
	for k, level := range n.levels {
		if n.listed && k == n.head || k < n.head && n.dims[k] != nil {
			continue
		}
		for i, m := range level {
			if m != level[0] {
				c.fail(c.at(n.in, n.v, -1, "D0107",
					fmt.Sprintf(
						"%s has %s, but the lists before it have %d, and the axis %s is not ragged",
						pathText(n.in.Name, array.PathOf(n.levels, k, i)),
						problem.Counted(m, "entry"), level[0], n.axis(k))))
				return false
			}
		}
		switch {
		case len(level) == 0:
		case k < n.head:
			c.sizes.eqs = append(c.sizes.eqs,
				&equation{poly: n.in.Shape[k], n: level[0], in: n.in, axis: k, val: n.v})
		default:
			n.cell = append(n.cell, level[0])
		}
	}
	for _, d := range n.dims[:n.head] {
		if d != nil && c.rows[d.Name] == nil {
			c.rows[d.Name] = &rowLengths{} // recorded even without rows
		}
	}
	var wrong problem.List
	n.walk(func(path []int, m int) {
		d := n.dims[len(path)]
		if d == nil {
			return
		}
		row := path[n.parent[len(path)]]
		if same, before, had := c.row(d, n.in, row, m); !same {
			fine = false
			wrong.Add(func() *problem.Error {
				return c.at(n.in, n.v, -1, "D0129",
					fmt.Sprintf("lengths disagree on %s in row %d of %s: %d by %s, %d by %s",
						d.Name, row, d.Of, had, before.Name, m, n.in.Name))
			})
		}
	})
	c.errs = append(c.errs, wrong.Done("rows of "+n.in.Name)...)
	if fine && !n.listed {
		c.cells(n)
	}
	return fine
}

func (n *nest) axis(k int) string {
	if k < len(n.in.Shape) {
		return n.in.Shape[k].String()
	}
	return fmt.Sprint(k)
}

// cells equates the sizes of a cell with the declared sizes, if their numbers agree.
func (c *checker) cells(n *nest) {
	if tail := n.in.Shape[n.head:]; len(tail) == len(n.cell) {
		for i, p := range tail {
			c.sizes.eqs = append(c.sizes.eqs,
				&equation{poly: p, n: n.cell[i], in: n.in, axis: n.head + i, val: n.v})
		}
	}
}

// walk calls f for each list of the leading axes, outer lists first, with its path and length.
func (n *nest) walk(f func(path []int, size int)) {
	at, path := make([]int, n.head), make([]int, 0, n.head)
	var down func(k int)
	down = func(k int) {
		size := n.levels[k][at[k]]
		at[k]++
		f(path, size)
		if k+1 == n.head {
			return
		}
		for i := range size {
			path = append(path, i)
			down(k + 1)
			path = path[:k]
		}
	}
	if n.head > 0 {
		down(0)
	}
}

// tails sets the size of each ragged dim to its longest row. Cells with another number of axes
// than declared must have the declared number of entries.
func (c *checker) tails() {
	for _, name := range slices.Sorted(maps.Keys(c.rows)) {
		r := c.rows[name]
		c.sizes.known[name], c.sizes.from[name] = max(r.longest(), c.longest[name]),
			"the longest row"
	}
	for _, name := range slices.Sorted(maps.Keys(c.nests)) {
		n := c.nests[name]
		if !c.covered(n) {
			c.broken[name] = true // sizes that disagree, which check reports
			continue
		}
		tail := n.in.Shape[n.head:]
		if n.listed || len(tail) == len(n.cell) || len(n.cell) == 0 && n.v.Len() == 0 {
			continue
		}
		have, _ := array.Product(n.cell)
		if want, ok := entries(tail, c.sizes.known); !ok || want != have {
			c.broken[name] = true
			c.fail(c.at(n.in, n.v, -1, "D0121", n.shallow()))
		}
	}
}

// covered reports whether each row of a padded array has a length. That fails if sizes of the dim
// of the rows disagree.
func (c *checker) covered(n *nest) bool {
	for k, d := range n.dims[:n.head] {
		if n.padded && d != nil && len(c.rows[d.Name].n) != n.v.Shape[n.parent[k]] {
			return false
		}
	}
	return true
}

// each calls f for each run of consecutive cells. packed is the index of the first cell in packed
// storage, and at its index in an array with the given leading sizes. cells is the number of
// cells, and path the indices of the run.
func (c *checker) each(n *nest, sizes []int, f func(path []int, packed, at, cells int)) {
	if n.head == 0 {
		f(nil, 0, 0, 1)
		return
	}
	path, packed := make([]int, 0, n.head), 0
	var down func(k, base int)
	down = func(k, base int) {
		m := sizes[k]
		if d := n.dims[k]; d != nil {
			m = c.rows[d.Name].n[path[n.parent[k]]]
		}
		if k+1 == n.head {
			f(path, packed, base*sizes[k], m)
			packed += m
			return
		}
		for i := range m {
			path = append(path, i)
			down(k+1, base*sizes[k]+i)
			path = path[:k]
		}
	}
	down(0, 0)
}

func pathText(name string, path []int) string {
	if len(path) == 0 {
		return name
	}
	b := []byte(name + "[")
	for i, p := range path {
		if i > 0 {
			b = append(b, ',')
		}
		b = fmt.Append(b, p)
	}
	return string(append(b, ']'))
}

// nestedValue checks the entries of a nest, and returns them packed or padded.
func (c *checker) nestedValue(n *nest, done map[string]*array.Value) *array.Value {
	full, ok := evalShape(n.in.Shape, c.sizes.known)
	if !ok {
		return nil
	}
	cells := 0
	c.each(n, full, func(_ []int, _, _, m int) { cells += m })
	shape := append([]int{cells}, full[n.head:]...)
	packed := n.v
	switch {
	case n.listed:
		if packed = c.spread(n, cells, full[n.head]); packed == nil {
			return nil
		}
	case n.padded:
		packed = c.squeeze(n, shape)
	default:
		packed = &array.Value{Shape: shape, F64: n.v.F64, Bytes: n.v.Bytes,
			Canonical: n.v.Canonical, Origin: n.v.Origin}
	}
	out := c.entries(n.in, packed, shape, done, func(cell int) []int {
		var at []int
		c.each(n, full, func(path []int, first, _, m int) {
			if first <= cell && cell < first+m {
				at = append(slices.Clone(path), cell-first)
			}
		})
		if n.head == 0 {
			return nil
		}
		return at
	})
	if out == nil {
		return nil
	}
	return c.pad(n, out, full, cells)
}
