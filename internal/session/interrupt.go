package session

import (
	"sync/atomic"
)

// A Stopper is set by an interrupt, so that what a command has begun to write
// can be taken away before it ends.
type Stopper struct{ set atomic.Bool }

// Stopper sets itself at the first interrupt; the second ends the process. The
// caller releases it when the work is done.
func (e *Session) Stopper() (s *Stopper, release func()) {
	s = &Stopper{}
	return s, e.Interrupts(func() {
		if s.set.Swap(true) {
			e.Quit(ExitInterrupted)
		}
	})
}

// Asked reports whether there was an interrupt.
func (s *Stopper) Asked() bool { return s != nil && s.set.Load() }

// Err is the error of what was interrupted; nil without an interrupt.
func (s *Stopper) Err() error {
	if s.Asked() {
		return Failf(ExitInterrupted, "interrupted: nothing is written")
	}
	return nil
}
