//go:build unix

package system

import (
	"os"
	"os/signal"
	"syscall"
)

// OnEnd sends to c what asks the process to end: the interrupt key, kill, and the end of
// the terminal unless that is ignored already (nohup). Until release is called a pipe that
// lost its reader ends nothing.
func OnEnd(c chan<- os.Signal) (release func()) {
	signal.Notify(c, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(c, syscall.SIGHUP)
	}
	signal.Ignore(syscall.SIGPIPE)
	return func() {
		signal.Stop(c)
		signal.Reset(syscall.SIGPIPE)
	}
}

// StayAlive lets a child outlive its terminal and the reader of its output: writing to a
// pipe without a reader is an error like others then.
func StayAlive() { signal.Ignore(syscall.SIGPIPE, syscall.SIGHUP) }
