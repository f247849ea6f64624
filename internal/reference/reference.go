// Package reference finds the material that some tests use and that is no part
// of the repository: exact values, reference posteriors, models, data sets.
package reference

import (
	"os"
	"path/filepath"
	"testing"
)

// Dir is the directory $SGPPL_SHARED, by default ../shared next to the repository; ok is false if
// it does not exist.
func Dir() (dir string, ok bool) {
	dir = os.Getenv("SGPPL_SHARED")
	if dir == "" {
		root, found := root()
		if !found {
			return "", false
		}
		dir = filepath.Join(root, "..", "shared")
	}
	_, err := os.Stat(dir)
	return dir, err == nil
}

// Path returns a path in that directory. Without the directory the test is
// skipped; with it, a file that is missing is a failure, never a skip.
func Path(t testing.TB, elem ...string) string {
	t.Helper()
	dir, ok := Dir()
	if !ok {
		t.Skipf("no reference material: %s is absent (set SGPPL_SHARED)", dir)
	}
	path := filepath.Join(append([]string{dir}, elem...)...)
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("the reference material lacks %s", filepath.Join(elem...))
	}
	return path
}

// Root is the repository's root: the directory with go.mod above the test.
func Root(t testing.TB) string {
	t.Helper()
	dir, ok := root()
	if !ok {
		t.Fatal("no go.mod above the test")
	}
	return dir
}

func root() (string, bool) {
	dir, err := os.Getwd()
	if err != nil {
		return "", false
	}
	for {
		_, module := os.Stat(filepath.Join(dir, "go.mod"))
		_, whole := os.Stat(filepath.Join(dir, "stdlib")) // a nested module has none
		if module == nil && whole == nil {
			return dir, true
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", false
		}
		dir = up
	}
}
