package session

import (
	"sync/atomic"
)

// A Stopper records an interrupt, so that a command can remove its unfinished output before it
// ends.
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

// Err returns the error of an interrupted command, or nil if there was no interrupt.
func (s *Stopper) Err() error {
	if s.Asked() {
		return Failf(ExitInterrupted, "interrupted: nothing is written")
	}
	return nil
}
