package lint

import (
	"os"
	"path/filepath"
	"testing"
)

// FuzzLint: no right program makes a lint panic, and every warning and edit has
// a place in the text.
func FuzzLint(f *testing.F) {
	files, err := filepath.Glob("testdata/*.sg")
	if err != nil || len(files) == 0 {
		f.Fatal("no programs")
	}
	for _, path := range files {
		if text, err := os.ReadFile(path); err == nil {
			f.Add(string(text))
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		list, ok := linted("fuzz.sg", text)
		if !ok {
			return
		}
		for _, d := range list {
			if d.Message == "" || d.Span.Start < 0 || d.Span.End > len(text) ||
				d.Span.Start > d.Span.End {
				t.Errorf("a warning without text or place: %+v", d)
			}
			for _, e := range d.Edits {
				if e.Span.Start < 0 || e.Span.End > len(text) || e.Span.Start > e.Span.End {
					t.Errorf("an edit without place: %+v", e)
				}
			}
		}
	})
}
