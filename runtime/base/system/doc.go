// Package system has what differs between operating systems: locks that die with their
// holder, renames that replace files, signals, processes, free space of disks.
//
// Unix, Windows, and the rest (js/wasm, wasip1, Plan 9) have a file each. Where a system
// cannot do something, its function says so in its documentation and does nothing.
package system

import (
	"errors"
	"time"
)

// ErrLocked says that another process has a lock.
var ErrLocked = errors.New("another process has the lock")

// Lock waits for TryLock to succeed, but no longer than wait: then its error is ErrLocked.
func Lock(dir string, wait time.Duration) (unlock func(), err error) {
	for end := time.Now().Add(wait); ; time.Sleep(10 * time.Millisecond) {
		unlock, err = TryLock(dir)
		if !errors.Is(err, ErrLocked) || time.Now().After(end) {
			return unlock, err
		}
	}
}

// renameWait is how long a rename waits for a file that another process has open.
const renameWait = 2 * time.Second

// patiently repeats do while its error is a passing one, with growing pauses, for no
// longer than wait.
func patiently(do func() error, passing func(error) bool, wait time.Duration) error {
	pause := time.Millisecond
	for end := time.Now().Add(wait); ; pause = min(2*pause, 50*time.Millisecond) {
		err := do()
		if err == nil || !passing(err) || time.Now().After(end) {
			return err
		}
		time.Sleep(pause)
	}
}
