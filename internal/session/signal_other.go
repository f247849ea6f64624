//go:build !unix

package session

import (
	"os"
	"os/signal"
	"syscall"
)

// catch sends what asks the process to end to c.
func catch(c chan<- os.Signal) (release func()) {
	signal.Notify(c, os.Interrupt, syscall.SIGTERM)
	return func() { signal.Stop(c) }
}
