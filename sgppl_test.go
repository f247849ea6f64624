package sgppl

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every source of the runtime travels, whatever directory it is added in.
func TestRuntimeIsComplete(t *testing.T) {
	have := map[string]bool{}
	if err := Runtime(func(path string, text []byte) error {
		have[path] = len(text) > 0
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir("runtime", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(path, "_test.go") || strings.Contains(path, "testdata") {
			return err
		}
		switch filepath.Ext(path) {
		case ".go", ".s", ".h":
			if !have[filepath.ToSlash(path)] {
				t.Errorf("%s does not travel with the binary", path)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat("runtime/kernel"); err != nil || len(have) < 20 {
		t.Fatalf("only %d files of the runtime", len(have))
	}
}
