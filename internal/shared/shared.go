// Package shared finds the reference material that some tests use: exact
// values, reference posteriors, data sets. It lies outside the repository.
package shared

import (
	"os"
	"path/filepath"
	"testing"
)

// Path returns a path in the directory $SGPPL_SHARED (by default ../shared
// beside the repository). Without the directory the test is skipped; with the
// directory, a file that is missing is a failure, never a skip.
func Path(t testing.TB, elem ...string) string {
	t.Helper()
	dir := os.Getenv("SGPPL_SHARED")
	if dir == "" {
		dir = filepath.Join(Root(t), "..", "shared")
	}
	if _, err := os.Stat(dir); err != nil {
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
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			t.Fatal("no go.mod above the test")
		}
		dir = up
	}
}
