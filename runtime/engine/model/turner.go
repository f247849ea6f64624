package model

import (
	"slices"
	"sync"

	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/target"
)

// ahead is how many pages are read before the chain wants them. Of two, one is there when the chain
// has done with a page, even if the other took longer than its steps.
const ahead = 2

// A pageTurner holds the current page of an evaluator and reads the next pages in the background.
// There are ahead + 1 pages at most.
type pageTurner struct {
	of    *streamed
	pager Pager // of whoever reads
	pages target.Pages
	last  int64
	now   pageModel // the current page; its number is −1 if there is none
	room  []int

	lock    sync.Mutex
	changed sync.Cond   // ready, reading
	ready   []pageModel // pages that were read, in order; behind an error there is none
	free    []pageModel // pages that nothing reads any more, whose memory others may take
	next    int64       // the page to be read behind those that are ready
	wanted  int64       // the page that the chain asked for last
	reading bool        // in the background
	stopped bool        // no further page is to be read
}

// A pageModel is a page with its model.
type pageModel struct {
	page int64
	m    *Model
	at   *rowPlaces  // of its rows
	read *data.Bound // what the pager loaded
	err  error

	broken any // the value with which reading panicked; nil if it did not
}

// fine reports whether the page was read.
func (p *pageModel) fine() bool { return p.err == nil && p.broken == nil }

// Follow implements target.StreamEvaluator.
func (e *Evaluator) Follow(p target.Pages, rows int, last int64) {
	if e.m.streamed == nil {
		return
	}
	if t := e.turner; t != nil {
		t.stop()
	}
	t := &pageTurner{pager: e.m.streamed.source.Pager(), pages: p, last: last}
	t.changed.L = &t.lock
	t.now.page = -1
	t.pager.Limit(rows)
	e.turner, t.of = t, e.m.streamed.at(rows)
	e.count(rows)
}

// Turn implements target.StreamEvaluator.
func (e *Evaluator) Turn(page int64) error {
	t := e.turner
	if t == nil || t.now.page == page {
		return nil
	}
	got := t.wait(page)
	if got.broken != nil {
		panic(got.broken)
	}
	if got.err != nil {
		return got.err
	}
	e.use(got.m)
	t.turned(got)
	return nil
}

// wait returns a page, at the latest when it was read. An error is returned once: then the page is
// read again.
func (t *pageTurner) wait(page int64) pageModel {
	t.lock.Lock()
	defer t.lock.Unlock()
	t.wanted = page
	if t.first() != page { // the chain goes on elsewhere
		t.idle()
		t.free, t.ready = append(t.free, t.ready...), t.ready[:0]
		t.next = page
		t.start()
	}
	for len(t.ready) == 0 {
		t.changed.Wait()
	}
	got := t.ready[0]
	if !got.fine() {
		t.idle()
		t.ready, t.next = t.ready[:0], page
	}
	return got
}

// first is the number of the page that is, or will be, ready first.
func (t *pageTurner) first() int64 {
	switch {
	case len(t.ready) > 0:
		return t.ready[0].page
	case t.reading:
		return t.next // of the page that is being read
	}
	return -1
}

// turned makes the page that is ready first the current one: the chain has it.
func (t *pageTurner) turned(got pageModel) {
	t.lock.Lock()
	defer t.lock.Unlock()
	if t.now.m != nil {
		t.free = append(t.free, t.now)
	}
	t.now = got
	t.ready = slices.Delete(t.ready, 0, 1)
	t.start()
}

// start has pages read in the background, where there are any left and it is not done yet.
func (t *pageTurner) start() {
	if !t.reading && t.more() {
		t.reading = true
		go t.readAhead()
	}
}

// more reports whether a page is to be read now.
func (t *pageTurner) more() bool {
	n := len(t.ready)
	return !t.stopped && n < ahead && (n == 0 || t.ready[n-1].fine()) &&
		(t.next <= t.last || t.next == t.wanted)
}

// idle waits until nothing is read.
func (t *pageTurner) idle() {
	t.stopped = true
	for t.reading {
		t.changed.Wait()
	}
	t.stopped = false
}

// stop waits until nothing is read, for good.
func (t *pageTurner) stop() {
	t.lock.Lock()
	defer t.lock.Unlock()
	t.idle()
}

// readAhead reads pages as long as there is memory for them.
func (t *pageTurner) readAhead() {
	t.lock.Lock()
	defer t.lock.Unlock()
	for t.more() {
		page := t.next
		var free pageModel
		if len(t.free) > 0 {
			free = t.free[0]
			t.free = slices.Delete(t.free, 0, 1)
		}
		t.lock.Unlock()
		got := t.read(page, free)
		t.lock.Lock()
		t.ready, t.next = append(t.ready, got), page+1
		t.changed.Broadcast()
	}
	t.reading = false
	t.changed.Broadcast()
}

// read reads a page into the memory of a free one, if the pager can.
func (t *pageTurner) read(page int64, free pageModel) (got pageModel) {
	got = pageModel{page: page, at: free.at}
	defer func() { // a mistake of this program ends it where the chain is
		got.broken = recover()
	}()
	if p, recycles := t.pager.(Recycler); recycles && free.read != nil {
		p.Reuse(free.read)
	}
	left, blocks := t.pages.Page(page)
	if got.read, got.err = t.pager.Load(left, blocks); got.err != nil {
		return got
	}
	if got.m, got.err = t.of.page(got.read); got.err != nil {
		return got
	}
	if got.at == nil {
		got.at = &rowPlaces{}
	}
	got.at.set(t.pager.Rows(got.at.rows[:0]))
	return got
}
