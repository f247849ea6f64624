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
	rows   []int // the pass's order, or the batch that was drawn
	pass   int64 // the pass whose order rows holds; −1: none
	end    int   // where the last batch ended in rows
	after  int   // how many batches of its pass come after it
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
	b := &Batcher{n: n, cut: NewCut(n, size), order: order, stream: stream, pass: -1}
	if order == Replace {
		b.rows = make([]int, size)
		return b
	}
	b.rows = make([]int, n)
	for i := range b.rows {
		b.rows[i] = i
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

// At returns the rows of batch k ≥ 0 and the scale N/|S| of their sum. The
// rows are good until the next call. A new pass costs one shuffle of all rows.
func (b *Batcher) At(k int64) (rows []int, scale float64) {
	if b.pages != nil {
		rows = b.pages.at(k)
		return rows, float64(b.n) / float64(len(rows))
	}
	if b.order == Replace {
		if b.draw != nil {
			b.src = b.stream.At(uint64(k))
			b.draw(&b.src, b.rows)
			return b.rows, float64(b.n) / float64(len(b.rows))
		}
		src := b.stream.At(uint64(k))
		for i := range b.rows {
			b.rows[i] = src.IntN(b.n)
		}
		return b.rows, float64(b.n) / float64(len(b.rows))
	}
	pass, at := k/b.PerPass(), int(k%b.PerPass())
	if b.order == Shuffle && pass != b.pass {
		src := b.stream.At(uint64(pass))
		src.Perm(b.rows)
		b.pass = pass
	}
	lo, hi := b.cut.Span(at)
	b.end, b.after = hi, b.cut.Batches-at-1
	rows = b.rows[lo:hi]
	return rows, float64(b.n) / float64(len(rows))
}

// Coming returns about those rows that the next two batches of the pass have, as far as they are
// known: none at the end of a pass, or where a batch is drawn when it is asked for.
func (b *Batcher) Coming() (next, after []int) {
	if b.after == 0 || b.order != Shuffle {
		return nil, nil
	}
	size := b.cut.Rows / b.cut.Batches
	first := min(b.end+size, len(b.rows))
	return b.rows[b.end:first], b.rows[first:min(first+size, len(b.rows))]
}
