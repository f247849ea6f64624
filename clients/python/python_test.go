// Package python holds the client for Python. Its tests run those of the client, and build and
// install a wheel.
package python

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
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
	dir, err := os.MkdirTemp("", "sgppl-python")
	if err != nil {
		panic(err)
	}
	program.path = filepath.Join(dir, "sgppl")
	status := scratch.M{M: m}.Run()
	os.RemoveAll(dir)
	os.Exit(status)
}

// command builds the command once, and returns its path. The build takes what go build and the
// tests of other packages have compiled, which -trimpath would not.
func command(t *testing.T) string {
	t.Helper()
	program.Do(func() {
		program.said, program.err = exec.Command("go", "build", "-buildvcs=false",
			"-ldflags=-s -w", "-o", program.path, "../../cmd/sgppl").CombinedOutput()
	})
	if program.err != nil {
		t.Fatalf("%v\n%s", program.err, program.said)
	}
	return program.path
}

// pythons are the interpreters of this machine: that of the user and that of the system, which
// has the packages of Debian.
func pythons(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		real, err := exec.Command(path, "-c", "import sys; print(sys.executable)").Output()
		if text := strings.TrimSpace(string(real)); err == nil && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	if len(out) == 0 {
		t.Skip("python3 is not installed")
	}
	return out
}

// do runs a program to its end, and returns what it prints.
func do(t *testing.T, c *exec.Cmd) []byte {
	t.Helper()
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", c.Args, err, out)
	}
	return out
}

// TestPython runs the tests of the client by each interpreter, with the command of this tree.
// They say what they leave out where a library is absent.
func TestPython(t *testing.T) {
	sgppl := command(t)
	for _, python := range pythons(t) {
		t.Run(python, func(t *testing.T) {
			t.Parallel()
			c := exec.Command(python, "-B", "-W", "error::ResourceWarning", "-m", "unittest",
				"discover", "-s", "tests")
			c.Env = append(os.Environ(), "SGPPL="+sgppl)
			out := strings.TrimSpace(string(do(t, c)))
			t.Log(out[strings.LastIndexByte(out, '\n')+1:])
		})
	}
}

// TestTypes holds the types of the client against its code.
func TestTypes(t *testing.T) {
	if _, err := exec.LookPath("mypy"); err != nil {
		t.Skip("mypy is not installed")
	}
	do(t, exec.Command("mypy", "--cache-dir", t.TempDir()))
}
