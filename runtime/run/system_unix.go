//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package run

import (
	"os"
	"os/signal"
	"syscall"
)

// lock keeps two processes from writing one run, by a lock on its directory. The system takes the lock
// back when its holder dies, however that is.
func lock(dir string) (unlock func(), err error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, fail(exitFiles, "cannot open the run directory: %v", err)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		return nil, fail(exitFiles, "%s is being written by another process", dir)
	}
	return func() { f.Close() }, nil
}

// ignorePipe makes writing to a pipe without a reader an error like others.
func ignorePipe() { signal.Ignore(syscall.SIGPIPE) }
