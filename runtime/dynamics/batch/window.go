package batch

// windowRows is how many rows a window has about: the nearest cache has room for two.
const windowRows = 256

// A window has the rows of batches of one pass that follow one another.
type window struct {
	first int64 // the number of the first batch
	count int64 // how many batches it has; 0 for none
	end   int64 // the number of the first batch of the next pass
	ends  []int // where each batch begins in rows, and at last where the last one ends
	rows  []int

	// Of many rows, which lie in their arrangement:
	places []int // where the rows lie
	soon   []int // places that are read after these
}

// windows are two, one with the batch that was asked for, and perhaps one with those after it.
type windows [2]window

// newWindows returns the memory of the windows of a cut. A window has two batches at least, so that
// the two batches after the present one are in one of the two windows.
func newWindows(c Cut, arranged bool) (w windows) {
	most := min(max(2, windowRows/c.Largest()), c.Batches)
	for i := range w {
		w[i].ends = make([]int, most+1)
		w[i].rows = make([]int, most*c.Largest())
		if arranged {
			w[i].places, w[i].soon = make([]int, len(w[i].rows)), make([]int, len(w[i].rows))
		}
	}
	return w
}

// has reports whether the window has batch k.
func (w *window) has(k int64) bool { return uint64(k-w.first) < uint64(w.count) }

// batch returns the rows of batch k, which the window has.
func (w *window) batch(k int64) []int {
	ends := w.ends[k-w.first:]
	return w.rows[ends[0]:ends[1]]
}

// shuffled returns the rows of batch k of passes that are shuffled.
func (b *Batcher) shuffled(k int64) []int {
	for i := range b.near {
		if w := &b.near[i]; w.has(k) {
			return w.batch(k)
		}
	}
	w := &b.near[0]
	if w.has(b.last) {
		w = &b.near[1]
	}
	b.fill(w, k)
	return w.batch(k)
}

// fill makes a window that has batch k. Windows of a pass do not overlap.
func (b *Batcher) fill(w *window, k int64) {
	pass, j := k/b.PerPass(), int(k%b.PerPass())
	j -= j % (len(w.ends) - 1)
	last := min(j+len(w.ends)-1, b.cut.Batches)
	w.first, w.count = pass*b.PerPass()+int64(j), int64(last-j)
	w.end = (pass + 1) * b.PerPass()
	begin, end := b.cut.Begin(j), b.cut.Begin(last)
	for i := range w.ends[:last-j+1] {
		w.ends[i] = b.cut.Begin(j+i) - begin
	}
	rows := w.rows[:end-begin]
	if !b.Arranged() {
		b.passes.rows(pass, begin, rows)
		return
	}
	b.passes.many(pass, begin, rows, w.places[:len(rows)])
	w.soon = w.soon[:b.passes.soon(begin, w.soon[:len(rows)])]
}

// Places returns where the rows of the batch that At returned lie in their Arrangement, and places
// that batches read soon. Both are nil where rows have no arrangement, or where batches are not
// parts of a shuffled pass. Of pages that are placed they are the places in the page. They are good
// as long as the rows are.
func (b *Batcher) Places() (places, soon []int) {
	if b.pages != nil && b.pages.Placed {
		return b.pages.coming(b.last), nil
	}
	if !b.Arranged() {
		return nil, nil
	}
	w := &b.near[0]
	if !w.has(b.last) {
		w = &b.near[1]
	}
	k := b.last - w.first
	lo, hi := w.ends[k], w.ends[k+1]
	return w.places[lo:hi], w.soon[min(lo, len(w.soon)):min(hi, len(w.soon))]
}

// Coming returns the rows that the next two batches of the pass have, as far as they are known:
// none at the end of a pass, or where a batch is drawn when it is asked for. They are good until
// the batch after them is asked for. Of pages that are placed it returns the places in the page.
func (b *Batcher) Coming() (next, after []int) {
	if b.pages != nil {
		return b.pages.coming(b.last + 1), b.pages.coming(b.last + 2)
	}
	if b.passes == nil {
		return nil, nil
	}
	w := &b.near[0]
	if !w.has(b.last) {
		w = &b.near[1]
	}
	end := w.end
	if b.last+1 < end {
		next = b.shuffled(b.last + 1)
	}
	if b.last+2 < end {
		after = b.shuffled(b.last + 2)
	}
	return next, after
}
