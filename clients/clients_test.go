// Package clients tests the clients for R and for npm: each is packed as it is published, and runs
// its tests against the command of this tree.
package clients

import (
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/sgppl/sgppl/internal/scratch"
)

// program is the command of this tree.
var program struct {
	sync.Once
	path string
	said []byte
	err  error
}

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "sgppl-clients")
	if err != nil {
		panic(err)
	}
	program.path = filepath.Join(dir, "sgppl")
	status := scratch.M{M: m}.Run()
	os.RemoveAll(dir)
	os.Exit(status)
}

// command builds the command once for all tests, and returns its path.
func command(t *testing.T) string {
	t.Helper()
	program.Do(func() {
		program.said, program.err = exec.Command("go", "build", "-buildvcs=false",
			"-ldflags=-s -w", "-o", program.path, "../cmd/sgppl").CombinedOutput()
	})
	if program.err != nil {
		t.Fatalf("%v\n%s", program.err, program.said)
	}
	return program.path
}
