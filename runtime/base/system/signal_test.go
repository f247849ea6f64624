//go:build unix

package system

import (
	"os"
	"syscall"
	"testing"
	"time"
)

// Signals that ask the process to end are sent until release.
func TestOnEnd(t *testing.T) {
	c := make(chan os.Signal, 4)
	release := OnEnd(c)
	for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		if err := syscall.Kill(os.Getpid(), s); err != nil {
			t.Fatal(err)
		}
		select {
		case got := <-c:
			if got != s {
				t.Errorf("%v came for %v", got, s)
			}
		case <-time.After(2 * time.Minute):
			t.Fatalf("%v does not come", s)
		}
	}
	release()
}
