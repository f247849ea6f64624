//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package run

import (
	"errors"
	"testing"
	"time"

	"github.com/sgppl/sgppl/runtime/base/system"
)

// A command that has the lock for a moment, to tidy what it reads, does not turn a
// writer away.
func TestLockWaits(t *testing.T) {
	dir := t.TempDir()
	reader, err := Lock(dir)
	if err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(lockWait/10, reader)
	writer, err := Lock(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer writer()
	if _, err := system.TryLock(dir); !errors.Is(err, system.ErrLocked) {
		t.Errorf("tidied below a writer: %v", err)
	}
}
