package driver_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/sgppl/sgppl/codegen"
	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/internal/reference"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/stdlib"
)

// FuzzCompile: whatever the text, every phase ends, with diagnostics or with
// plans that print as Go; a panic is a mistake of the compiler.
func FuzzCompile(f *testing.F) {
	for _, text := range seeds(f) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 4096 {
			return
		}
		c, diags := driver.Compile(source.New("fuzz.sg", text), driver.Options{})
		if (c == nil) != diags.Errors() {
			t.Fatalf("a compiled model is %v, errors are %v", c != nil, diags.Errors())
		}
		if c == nil {
			return
		}
		if _, err := codegen.Generate(codegen.Input{Spec: c.Spec,
			Programs: c.Programs}); err != nil {
			t.Fatal(err)
		}
	})
}

// seeds are the shipped models, the wrong programs of the checker's tests, the
// library, the examples of the codes, and the shared models where they are.
func seeds(tb testing.TB) []string {
	var out []string
	root := filepath.Join("..", "..")
	for _, glob := range []string{
		filepath.Join(root, "examples", "models", "*.sg"),
		filepath.Join(root, "lang", "check", "testdata", "errors", "*.sg"),
		filepath.Join(sharedDir(), "models", "*.sg"),
	} {
		files, err := filepath.Glob(glob)
		if err != nil {
			tb.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				tb.Fatal(err)
			}
			out = append(out, string(text))
		}
	}
	for _, name := range stdlib.Names() {
		text, _ := stdlib.Source(name)
		out = append(out, text)
	}
	for _, e := range diag.Codes() {
		out = append(out, e.Example)
	}
	return out
}

// sharedDir is where models that are not part of the repository are.
func sharedDir() string {
	dir, _ := reference.Dir()
	return dir
}
