package run

import (
	"errors"
	"time"

	"github.com/sgppl/sgppl/runtime/base/system"
)

// lockWait is how long a process waits for the lock of a run. Commands that read a run
// hold its lock for a moment, to tidy it, and so do commands that prepare one.
const lockWait = time.Second

// Lock keeps other processes from writing a run until unlock is called or this process
// ends: they are refused with status 5, as this one is where another has the lock.
func Lock(dir string) (unlock func(), err error) {
	unlock, err = system.Lock(dir, lockWait)
	if errors.Is(err, system.ErrLocked) {
		return nil, fail(exitFiles, "%s is being written by another process", dir)
	}
	if err != nil {
		return nil, fail(exitFiles, "cannot lock the run directory: %v", err)
	}
	return unlock, nil
}
