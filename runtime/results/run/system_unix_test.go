//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package run

import (
	"errors"
	"syscall"
	"testing"
	"time"
)

// A command that has the lock for a moment, to tidy what it reads, does not turn a
// writer away.
func TestLockWaits(t *testing.T) {
	dir := t.TempDir()
	reader, err := lock(dir)
	if err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(lockWait/10, reader)
	writer, err := lock(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer writer()
	if _, err := tryLock(dir); !errors.Is(err, syscall.EWOULDBLOCK) {
		t.Errorf("tidied below a writer: %v", err)
	}
}
