// Package scratch puts the temporary files of tests into memory. Tests of runs make many
// small files; on a disk most of their time goes into that.
package scratch

import (
	"fmt"
	"os"
	"testing"
)

// M runs the tests of a package with a TMPDIR in memory, where the system has a file
// system for it with enough space, from which programs can be started.
type M struct{ *testing.M }

// Run runs the tests and returns the exit status.
func (m M) Run() int {
	if !inMemory(shared) {
		return m.M.Run()
	}
	dir, err := os.MkdirTemp(shared, "sgppl-test-")
	if err != nil {
		return m.M.Run()
	}
	defer func() {
		if err := os.RemoveAll(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
	}()
	if err := os.Setenv("TMPDIR", dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	return m.M.Run()
}

// shared is the directory that Linux keeps in memory.
const shared = "/dev/shm"
