//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package run

import (
	"errors"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// lockWait is how long a process waits for the lock of a run. Commands that read a run
// hold its lock for a moment, to tidy it, and so do commands that prepare one.
const lockWait = time.Second

// lock keeps two processes from writing one run, by a lock on its directory. The system takes the lock
// back when its holder dies, however that is.
func lock(dir string) (unlock func(), err error) {
	for end := time.Now().Add(lockWait); ; time.Sleep(10 * time.Millisecond) {
		unlock, err = tryLock(dir)
		if !errors.Is(err, syscall.EWOULDBLOCK) {
			return unlock, err
		}
		if time.Now().After(end) {
			return nil, fail(exitFiles, "%s is being written by another process", dir)
		}
	}
}

// tryLock is lock without waiting. Where another process has the lock, the error is
// syscall.EWOULDBLOCK.
func tryLock(dir string) (unlock func(), err error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, fail(exitFiles, "cannot open the run directory: %v", err)
	}
	fd := int(f.Fd())
	if err := syscall.Flock(fd, syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, syscall.EWOULDBLOCK
		}
		return nil, fail(exitFiles, "cannot lock the run directory: %v", err)
	}
	return func() {
		syscall.Flock(fd, syscall.LOCK_UN) // a child that is just being started has the descriptor too
		f.Close()
	}, nil
}

// stayAlive lets a child outlive its terminal and the reader of its events:
// writing to a pipe without a reader is an error like others, and a hang-up,
// which goes to the parent too, is the parent's to act on.
func stayAlive() { signal.Ignore(syscall.SIGPIPE, syscall.SIGHUP) }
