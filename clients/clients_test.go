// Package clients holds the clients in other languages. Its test runs theirs.
package clients

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestPython runs the tests of the Python client with the command of this tree.
func TestPython(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed")
	}
	command := filepath.Join(t.TempDir(), "sgppl")
	if out, err := exec.Command("go", "build", "-o", command, "../cmd/sgppl").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	c := exec.Command(python, "-B", "-W", "error", "-m", "unittest", "discover", "-s", "tests")
	c.Dir, c.Env = "python", append(os.Environ(), "SGPPL="+command)
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}
