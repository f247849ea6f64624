package sgppl

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// Every source of the runtime that this processor needs travels, whatever directory it is
// added in.
func TestRuntimeIsComplete(t *testing.T) {
	have := map[string]bool{}
	if err := Runtime(func(path string, file fs.File) error {
		info, err := file.Stat()
		have[path] = err == nil && info.Size() > 0
		return err
	}); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir("runtime", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(path, "_test.go") ||
			strings.Contains(path, "testdata") ||
			filepath.Ext(path) == ".s" && !strings.HasSuffix(path, "_"+runtime.GOARCH+".s") {
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
	if _, err := os.Stat("runtime/math/kernel"); err != nil || len(have) < 20 {
		t.Fatalf("only %d files of the runtime", len(have))
	}
}

// The runtime imports the standard library and itself, nothing else: so it
// builds where nothing but Go is. Only calls of Windows, which take pointers, are unsafe.
func TestRuntimeStandsAlone(t *testing.T) {
	err := Runtime(func(path string, source fs.File) error {
		if filepath.Ext(path) != ".go" {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, source, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, i := range file.Imports {
			name, _ := strconv.Unquote(i.Path.Value)
			first, _, _ := strings.Cut(name, "/")
			if strings.Contains(first, ".") &&
				!strings.HasPrefix(name, "github.com/sgppl/sgppl/runtime/") || name == "C" ||
				name == "unsafe" && !strings.HasSuffix(path, "_windows.go") {
				t.Errorf("%s imports %s", path, name)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
