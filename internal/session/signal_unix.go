//go:build unix

package session

import (
	"os"
	"os/signal"
	"syscall"
)

// catch sends what asks the process to end to c: the interrupt key, kill, and
// the end of the terminal unless it is ignored already (nohup). Meanwhile a
// pipe that lost its reader ends nothing: checkpoints go first.
func catch(c chan<- os.Signal) (release func()) {
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
