//go:build !unix

package system

import (
	"os"
	"os/signal"
	"syscall"
)

// OnEnd sends to c what asks the process to end: the interrupt key, and on Windows the end
// of its console, of the session and of the machine, which Go gives as SIGTERM.
func OnEnd(c chan<- os.Signal) (release func()) {
	signal.Notify(c, os.Interrupt, syscall.SIGTERM)
	return func() { signal.Stop(c) }
}

// StayAlive does nothing here: writing to a pipe without a reader is an error like others.
func StayAlive() {}
