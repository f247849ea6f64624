package main

import "sync/atomic"

// A stopper is set by an interrupt, so that what a command has begun to write
// can be taken away before it ends.
type stopper struct{ set atomic.Bool }

// stopper sets itself at the first interrupt; the second ends the process. The
// caller releases it when the work is done.
func (e *env) stopper() (s *stopper, release func()) {
	s = &stopper{}
	return s, e.interrupts(func() {
		if s.set.Swap(true) {
			e.quit(exitInterrupted)
		}
	})
}

// asked reports whether there was an interrupt.
func (s *stopper) asked() bool { return s != nil && s.set.Load() }

// err is the error of what was interrupted; nil without an interrupt.
func (s *stopper) err() error {
	if s.asked() {
		return fail(exitInterrupted, "interrupted: nothing is written")
	}
	return nil
}
