// Package batch chooses the rows of minibatches. The rows of the k-th batch
// are a function of (seed, chain, k): a checkpoint stores k and nothing else.
package batch

import "github.com/sgppl/sgppl/runtime/math/rng"

// An Order says how rows are chosen.
type Order string

const (
	// Shuffle passes over all rows without replacement, in an order drawn anew
	// for each pass.
	Shuffle Order = "shuffle"
	// Sequential passes over the rows in their own order. Where the number of
	// batches does not divide the number of rows this has a bias that Shuffle has
	// not: the same rows are always in the batches of one row less, and weigh
	// more. With batches of about b rows that moves the posterior by no more than
	// about 1/(2b) of its standard deviations.
	Sequential Order = "sequential"
	// Replace draws every row of every batch independently.
	Replace Order = "replace"
)

// Orders has the orders of New, the default first.
var Orders = []Order{Shuffle, Sequential, Replace}

// A Batcher hands out batches of one chain. It allocates when it is made and
// never after; it is not safe for concurrent use.
type Batcher struct {
	n      int
	cut    Cut
	order  Order
	stream rng.Stream
	passes *permutation // for Shuffle
	rows   []int        // the batch, where it is drawn or follows the rows
	near   windows      // the batch and those after it, for Shuffle
	last   int64        // the batch that was asked for
	pages  *Pages
	draw   func(src *rng.Source, rows []int) // nil: evenly
	src    rng.Source                        // for draw
}

// Drawn makes independent batches of the n rows of an axis whose rows draw fills.
func Drawn(n, size int, draw func(src *rng.Source, rows []int), stream rng.Stream) *Batcher {
	b := New(n, size, Replace, stream)
	b.draw = draw
	return b
}

// Paged makes batches of the rows of pages.
func Paged(p *Pages) *Batcher {
	return &Batcher{n: p.Rows, cut: p.cut, pages: p}
}

// New makes batches of the n rows of an axis, 1 ≤ size ≤ n: of exactly size rows
// with Replace, else those of NewCut.
func New(n, size int, order Order, stream rng.Stream) *Batcher {
	b := &Batcher{n: n, cut: NewCut(n, size), order: order, stream: stream}
	switch order {
	case Replace:
		b.rows = make([]int, size)
	case Sequential:
		b.rows = make([]int, b.cut.Largest())
	default:
		b.passes = newPermutation(n, stream)
		b.near = newWindows(b.cut, b.Arranged())
	}
	return b
}

// Some returns size of n rows, drawn without replacement: the first of a permutation of
// all, without a buffer for the others.
func Some(n, size int, stream rng.Stream) []int {
	rows := make([]int, size)
	src := stream.At(0)
	for i := range n { // as Source.Perm does
		j := src.IntN(i + 1)
		if i < size {
			rows[i] = rows[j]
		}
		if j < size {
			rows[j] = i
		}
	}
	return rows
}

// PerPass is the number of batches of a pass over all rows.
func (b *Batcher) PerPass() int64 { return int64(b.cut.Batches) }

// Size is the mean number of rows of a batch.
func (b *Batcher) Size() float64 {
	if b.order == Replace {
		return float64(len(b.rows))
	}
	return b.cut.Size()
}

// Cut says how a pass is divided; without meaning for Replace, which has no
// passes.
func (b *Batcher) Cut() Cut { return b.cut }

// Arranged reports whether passes take chunks of an Arrangement of the rows.
func (b *Batcher) Arranged() bool { return b.passes != nil && b.passes.of != nil }

// At returns the rows of batch k ≥ 0 and the scale N/|S| of their sum. The
// rows are good until the next call. A new pass costs one shuffle of all rows;
// of many rows, one of the chunks at its beginning and those of the pools on the way.
func (b *Batcher) At(k int64) (rows []int, scale float64) {
	switch {
	case b.pages != nil:
		b.last = k
		rows = b.pages.at(k)
	case b.draw != nil:
		b.src = b.stream.At(uint64(k))
		b.draw(&b.src, b.rows)
		rows = b.rows
	case b.order == Replace:
		src := b.stream.At(uint64(k))
		for i := range b.rows {
			b.rows[i] = src.IntN(b.n)
		}
		rows = b.rows
	case b.order == Sequential:
		lo, hi := b.cut.Span(int(k % b.PerPass()))
		rows = b.rows[:hi-lo]
		for i := range rows {
			rows[i] = lo + i
		}
	default:
		b.last = k
		rows = b.shuffled(k)
	}
	return rows, float64(b.n) / float64(len(rows))
}
