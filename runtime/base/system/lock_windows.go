package system

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"unsafe"
)

// LockFile is the name of the file in a locked directory that has the lock: Windows locks
// no directories. It is removed when the lock is given back.
const LockFile = ".sgppl-lock"

const (
	lockExclusive       = 2 // LOCKFILE_EXCLUSIVE_LOCK
	lockFailImmediately = 1 // LOCKFILE_FAIL_IMMEDIATELY

	errorSharingViolation = syscall.Errno(32)
	errorLockViolation    = syscall.Errno(33)
)

var (
	kernel       = syscall.NewLazyDLL("kernel32.dll")
	lockFileEx   = kernel.NewProc("LockFileEx")
	unlockFileEx = kernel.NewProc("UnlockFileEx")
)

// Locks reports whether this system has locks that die with their holder.
const Locks = true

// TryLock locks a directory against other processes, and against other calls in this one,
// until unlock is called or this process ends, however it does. It does not wait: where
// somebody has the lock the error is ErrLocked. On Windows the lock is one of LockFile.
func TryLock(dir string) (unlock func(), err error) {
	name := filepath.Join(dir, LockFile)
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	handle, whole := f.Fd(), new(syscall.Overlapped)
	ok, _, cause := lockFileEx.Call(handle, lockExclusive|lockFailImmediately, 0, 1, 0,
		uintptr(unsafe.Pointer(whole)))
	if ok == 0 {
		f.Close()
		if errors.Is(cause, errorLockViolation) || errors.Is(cause, syscall.ERROR_IO_PENDING) {
			return nil, ErrLocked
		}
		return nil, &os.PathError{Op: "lock", Path: dir, Err: cause}
	}
	return func() {
		unlockFileEx.Call(handle, 0, 1, 0, uintptr(unsafe.Pointer(new(syscall.Overlapped))))
		f.Close()
		os.Remove(name) // fails where somebody has it open who waits for the lock
	}, nil
}
