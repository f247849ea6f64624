package loop

import (
	"sync"
	"time"
)

// slice is how long a chain runs before it lets another one go on, where there
// are more chains than threads. Switching costs nothing compared with it.
const slice = 100 * time.Millisecond

// A turns lets some of many goroutines run at a time, in the order in which they
// wait. So all chains of a run are about equally far, however few processors
// there are: each has draws when the run is interrupted, and all see the same of
// a file that grows.
type turns struct {
	lock    sync.Mutex
	free    int             // how many more may run
	waiting []chan struct{} // in their order
}

// ask puts the caller into the queue; it may run once the channel gives a value.
func (t *turns) ask() <-chan struct{} {
	t.lock.Lock()
	defer t.lock.Unlock()
	c := make(chan struct{}, 1)
	t.waiting = append(t.waiting, c)
	t.start()
	return c
}

// end says that the caller does not run any longer.
func (t *turns) end() {
	t.lock.Lock()
	defer t.lock.Unlock()
	t.free++
	t.start()
}

// pass lets the one run who has waited longest, if anybody waits, and waits for
// the next turn.
func (t *turns) pass() {
	t.lock.Lock()
	alone := len(t.waiting) == 0
	t.lock.Unlock()
	if alone {
		return
	}
	again := t.ask()
	t.end()
	<-again
}

// start lets those run who may.
func (t *turns) start() {
	for t.free > 0 && len(t.waiting) > 0 {
		t.waiting[0] <- struct{}{}
		t.waiting = t.waiting[1:]
		t.free--
	}
}
