//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package system

import (
	"errors"
	"os"
	"syscall"
)

// Locks reports whether this system has locks that die with their holder.
const Locks = true

// TryLock locks a directory against other processes, and against other calls in this one,
// until unlock is called or this process ends, however it does. It does not wait: where
// somebody has the lock the error is ErrLocked. On Unix the lock leaves no file behind.
func TryLock(dir string) (unlock func(), err error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	fd := int(f.Fd())
	if err := syscall.Flock(fd, syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, ErrLocked
		}
		return nil, &os.PathError{Op: "lock", Path: dir, Err: err}
	}
	return func() {
		// a child that is just being started has the descriptor too
		syscall.Flock(fd, syscall.LOCK_UN)
		f.Close()
	}, nil
}
