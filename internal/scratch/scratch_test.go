package scratch

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestMain(m *testing.M) { os.Exit(M{M: m}.Run()) }

// TestInMemory: temporary files of tests are in memory where that can be, and only there.
func TestInMemory(t *testing.T) {
	if inMemory(filepath.Join(t.TempDir(), "none")) {
		t.Error("a directory that is not there has files in memory")
	}
	if in := strings.HasPrefix(t.TempDir(), shared); in != inMemory(shared) {
		t.Errorf("temporary files are in %s; in memory: %v", t.TempDir(), in)
	}
}
