package column

import "github.com/sgppl/sgppl/runtime/math/kernel"

// A Fetcher is a column whose rows can be asked for before Fill reads them, so that they are in
// the cache by then. It changes no result.
type Fetcher interface {
	// Cold reports whether the column is so large that it pays. placed says that minibatches come
	// with the places of their rows.
	Cold(placed bool) bool
	// Fetch asks for the rows of the next minibatch, and for that which finds those of the one
	// after it. b is the buffer of the minibatches.
	Fetch(b *Buffer, next, after []int)
}

// coldRows is how many bytes a column has from which it pays to ask for its rows: it fills a part
// of the second cache, and other arrays want the rest.
const coldRows = 1 << 19

// Cold implements Fetcher.
func (c *sparse) Cold(placed bool) bool {
	if placed && c.order != nil {
		c.lay()
		return true // there are many rows
	}
	if records := c.own(); records != nil {
		return records.Size() >= coldRows
	}
	return 8*len(c.all.Lo)+4*len(c.all.Index) >= coldRows
}

// Cold implements Fetcher.
func (c *dense[T]) Cold(bool) bool { return 4*len(c.x) >= coldRows }

// Cold implements Fetcher.
func (c *widened) Cold(bool) bool { return 4*len(c.x) >= coldRows }

// Fetch implements Fetcher. A sparse row is found by its bounds, which must be there first: they
// are asked for one minibatch before the entries are.
func (c *sparse) Fetch(b *Buffer, next, after []int) {
	switch {
	case c.laid.Load() && c.arranged() != nil: // Fill is told which come
		if !b.picked.Located() {
			return
		}
	case !c.laid.Load() && c.own() != nil:
		b.picked.Coming(next) // one is asked for with each row that is read
		if !b.picked.Located() {
			return
		}
	}
	all := &c.all
	kernel.PrefetchRows(all.Lo, after, 1, 2) // the end of a row is the beginning of the next
	if all.Narrow != nil && all.Value == nil {
		kernel.PrefetchSpans(all.Narrow, next, all.Lo, all.Hi)
		return
	}
	kernel.PrefetchSpans(all.Index, next, all.Lo, all.Hi)
	switch {
	case c.single != nil && c.single.Value != nil:
		kernel.PrefetchSpans(c.single.Value, next, all.Lo, all.Hi)
	case c.single == nil && all.Value != nil:
		kernel.PrefetchSpans(all.Value, next, all.Lo, all.Hi)
	}
}

// Fetch implements Fetcher.
func (c *dense[T]) Fetch(_ *Buffer, next, _ []int) {
	kernel.PrefetchRows(c.x, next, c.width, c.width)
}

// Fetch implements Fetcher.
func (c *widened) Fetch(_ *Buffer, next, _ []int) {
	kernel.PrefetchRows(c.x, next, c.width, c.width)
}
