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

// stayAlive lets a child outlive its terminal and the reader of its events:
// writing to a pipe without a reader is an error like others, and a hang-up,
// which goes to the parent too, is the parent's to act on.
func stayAlive() { signal.Ignore(syscall.SIGPIPE, syscall.SIGHUP) }
