package batch

import (
	"fmt"
	"slices"

	"github.com/sgppl/sgppl/runtime/math/rng"
)

// Blocks passes over all rows without replacement, as they can be read from a
// file: blocks of rows that follow one another are put in an order drawn anew
// for each pass, windows of a few blocks go through it, and the rows of a
// window come in a random order. So rows that are next to each other in the file
// meet in minibatches more often than others do; the more blocks a window has,
// the less.
const Blocks Order = "blocks"

// A Layout divides rows into blocks, and blocks into windows. The last block and the last window
// take the remaining rows as well, so none is smaller than the others.
type Layout struct {
	Rows   int `json:"rows"`
	Block  int `json:"block"`  // rows of a block
	Window int `json:"window"` // blocks of a window
}

// Blocks is how many there are.
func (l *Layout) Blocks() int { return max(1, l.Rows/max(1, l.Block)) }

// Windows is how many there are in a pass.
func (l *Layout) Windows() int { return max(1, l.Blocks()/max(1, l.Window)) }

// Of is the block of a row.
func (l *Layout) Of(row int) int { return min(row/l.Block, l.Blocks()-1) }

// Span are the rows of a block, from lo until hi.
func (l *Layout) Span(block int) (lo, hi int) {
	if block == l.Blocks()-1 {
		return block * l.Block, l.Rows
	}
	return block * l.Block, (block + 1) * l.Block
}

// Pages are the windows of all passes of a chain, one after the other, as the
// batches of a size take them. It is not safe for concurrent use.
//
// A batch may begin in one window and end in the next. It belongs to the page of
// the latter, which therefore begins with the rows that are left of the window
// before.
type Pages struct {
	Layout
	First   int64 // number of the first pass, where rows were added since the run began
	Placed  bool  // where rows lie in the page is told: first those that are left, then the blocks'
	cut     Cut
	stream  rng.Stream
	shuffle bool

	order    []int // of the blocks in a pass
	final    int   // the place in it of the last block, which may have more rows than others
	ordered  int64 // that pass; −1: none
	rows     []int // of the current page, in the order in which batches take them
	places   []int // of these, if Placed
	left     int   // how many of them are of the window before
	start    int   // where the page begins in the pass
	page     int64 // −1: none
	room     []int
	shuffled []int
}

// NewPages makes the pages of the batches of NewCut. A window has at least as many rows as the
// largest batch. Without shuffle, rows come in the order of the file.
func NewPages(l Layout, size int, shuffle bool, stream rng.Stream) *Pages {
	if l.Rows < 1 || l.Block < 1 || l.Window < 1 || size < 1 || size > l.Rows {
		panic(fmt.Sprintf("batch: %d rows in blocks of %d, windows of %d, batches of %d", l.Rows,
			l.Block, l.Window, size))
	}
	cut := NewCut(l.Rows, size)
	if l.Block*l.Window < cut.Largest() { // what is left of a window is then less than the next
		l.Window = (cut.Largest() + l.Block - 1) / l.Block
	}
	p := &Pages{Layout: l, cut: cut, stream: stream, shuffle: shuffle, ordered: -1, page: -1}
	p.order = make([]int, l.Blocks())
	for i := range p.order {
		p.order[i] = i
	}
	return p
}

// moment is where random numbers of a pass come from: those of the order of
// blocks first, then those of each window.
func (p *Pages) moment(pass int64, k int) rng.Source {
	return p.stream.At(uint64(p.First+pass)<<32 + uint64(k))
}

// window are the blocks of window w of a pass.
func (p *Pages) window(pass int64, w int) []int {
	if p.shuffle && p.ordered != pass {
		src := p.moment(pass, 0)
		src.Perm(p.order)
	}
	if p.ordered != pass {
		p.ordered, p.final = pass, slices.Index(p.order, len(p.order)-1)
	}
	if w == p.Windows()-1 {
		return p.order[w*p.Window:]
	}
	return p.order[w*p.Window : (w+1)*p.Window]
}

// before is how many rows the windows before w have; window has been called.
func (p *Pages) before(w int) int {
	n := w * p.Window * p.Block
	if p.final < w*p.Window {
		lo, hi := p.Span(p.Blocks() - 1)
		n += hi - lo - p.Block
	}
	return n
}

// sequence appends the rows of a window to to, in their order.
func (p *Pages) sequence(pass int64, w int, to []int) []int {
	all := p.room[:0]
	for _, b := range p.window(pass, w) {
		lo, hi := p.Span(b)
		for r := lo; r < hi; r++ {
			all = append(all, r)
		}
	}
	p.room = all
	if !p.shuffle {
		return append(to, all...)
	}
	if cap(p.shuffled) < len(all) {
		p.shuffled = make([]int, cap(all))
	}
	at := p.shuffled[:len(all)]
	src := p.moment(pass, 1+w)
	src.Perm(at)
	for _, i := range at {
		to = append(to, all[i])
	}
	return to
}

// turn makes a page the current one.
func (p *Pages) turn(page int64) {
	if page == p.page {
		return
	}
	n := int64(p.Windows())
	pass, w := page/n, int(page%n)
	p.window(pass, w)
	p.start = p.before(w)
	first, _ := p.cut.Span(p.cut.Of(p.start)) // of the batch that the window's first row is in
	p.left = p.start - first
	if p.left > 0 && p.page != page-1 { // else they are the last of the rows that are there
		p.rows = p.sequence(pass, w-1, p.rows[:0])
	}
	p.rows = p.rows[:copy(p.rows, p.rows[len(p.rows)-p.left:])]
	p.start -= p.left
	p.rows = p.sequence(pass, w, p.rows)
	p.page = page
	if p.Placed {
		p.place()
	}
}

// place finds where the rows of the current page lie in it.
func (p *Pages) place() {
	p.places = slices.Grow(p.places[:0], len(p.rows))[:len(p.rows)]
	for i := range p.left {
		p.places[i] = i
	}
	own := p.places[p.left:]
	for i := range own {
		own[i] = p.left + i
		if p.shuffle {
			own[i] = p.left + p.shuffled[i]
		}
	}
}

// coming are the rows of batch k, or their places if these are told; none unless the batch is of
// the current page.
func (p *Pages) coming(k int64) []int {
	n := int64(p.cut.Batches)
	if p.page < 0 || p.page/int64(p.Windows()) != k/n {
		return nil
	}
	lo, hi := p.cut.Span(int(k % n))
	if lo < p.start || hi > p.start+len(p.rows) {
		return nil
	}
	if p.Placed {
		return p.places[lo-p.start : hi-p.start]
	}
	return p.rows[lo-p.start : hi-p.start]
}

// Of is the page of batch k.
func (p *Pages) Of(k int64) int64 {
	n := int64(p.cut.Batches)
	pass := k / n
	_, hi := p.cut.Span(int(k % n))
	last := hi - 1 // the position of its last row
	p.window(pass, 0)
	w := min(last/(p.Window*p.Block), p.Windows()-1)
	for w > 0 && last < p.before(w) { // the last block has more rows than others
		w--
	}
	return pass*int64(p.Windows()) + int64(w)
}

// Behind is the first batch behind those of a page.
func (p *Pages) Behind(page int64) int64 {
	n := int64(p.Windows())
	pass, w := page/n, int(page%n)
	end := p.cut.Batches
	if w+1 < p.Windows() {
		p.window(pass, 0)
		end = p.cut.Of(p.before(w + 1)) // the batch that the next window's first row is in
	}
	return pass*int64(p.cut.Batches) + int64(end)
}

// Page returns the rows of a page: those that are left of the window before, and the blocks that
// are read. Both slices are new.
func (p *Pages) Page(page int64) (left, blocks []int) {
	p.turn(page)
	n := int64(p.Windows())
	return append([]int(nil), p.rows[:p.left]...),
		append([]int(nil), p.window(page/n, int(page%n))...)
}

// at are the rows of batch k.
func (p *Pages) at(k int64) []int {
	p.turn(p.Of(k))
	lo, hi := p.cut.Span(int(k % int64(p.cut.Batches)))
	return p.rows[lo-p.start : hi-p.start]
}
