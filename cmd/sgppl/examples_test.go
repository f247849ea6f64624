package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestPackageExamples: packages come with examples. Those of a model whose data can be made up
// are run by the tests of its package; those of others are compiled.
func TestPackageExamples(t *testing.T) {
	if testing.Short() {
		t.Skip("builds packages")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	write(t, at("go.mod"), "module example.com/packages\n\ngo 1.26\n\n"+
		"require github.com/sgppl/sgppl v0.0.0\n\nreplace github.com/sgppl/sgppl => "+root+"\n")
	for name, runs := range map[string]bool{"levels": true, "ragged": false} {
		status, _, stderr := inProcess(t, "", "compile",
			filepath.Join(root, "codegen", "testdata", name+".sg"), "-o", at(name))
		if status != 0 {
			t.Fatal(stderr)
		}
		text, err := os.ReadFile(filepath.Join(at(name), "example_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		if n := len(regexp.MustCompile(`(?m)^\t// Output: `).FindAll(text, -1)); runs != (n == 3) {
			t.Errorf("%s: %d examples are run", name, n)
		}
		c := exec.Command("go", "test", "-v", "./"+name)
		c.Dir = dir
		c.Env = append(os.Environ(), "GOFLAGS="+os.Getenv("GOFLAGS")+" -mod=mod", "GOPROXY=off",
			"GOTOOLCHAIN=local", "GOWORK=off")
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, out)
		}
		if runs && strings.Count(string(out), "--- PASS: Example") != 3 {
			t.Errorf("%s", out)
		}
	}
	// Compiled once more, nothing changes.
	if status, out, stderr := inProcess(t, "", "compile",
		filepath.Join(root, "codegen", "testdata", "levels.sg"), "-o", at("levels")); status != 0 ||
		!strings.Contains(out, "as they were") {
		t.Errorf("compiled twice: %d, %s%s", status, out, stderr)
	}
}
