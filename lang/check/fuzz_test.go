package check_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/parser"
	"github.com/sgppl/sgppl/stdlib"
)

// FuzzCheck: no text makes the checker panic, and what it accepts has a type everywhere.
func FuzzCheck(f *testing.F) {
	for _, path := range errorFiles(f) {
		if text, err := os.ReadFile(path); err == nil {
			f.Add(string(text))
		}
	}
	for _, n := range stdlib.Names() {
		text, _ := stdlib.Source(n)
		f.Add(text)
	}
	for _, text := range accepted {
		f.Add(text)
	}
	if dir := sharedModels(); dir != "" {
		files, _ := filepath.Glob(filepath.Join(dir, "*.sg"))
		for _, path := range files {
			if text, err := os.ReadFile(path); err == nil {
				f.Add(string(text))
			}
		}
		var s struct {
			Preamble          string
			Refused, Accepted []string
		}
		if text, err := os.ReadFile(filepath.Join(dir, "snippets.json")); err == nil &&
			json.Unmarshal(text, &s) == nil {
			for _, line := range append(s.Refused, s.Accepted...) {
				f.Add(s.Preamble + line)
			}
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		tree, diags := parser.Parse(source.New("fuzz.sg", text))
		m := check.Check(tree, check.Options{})
		if !diags.Errors() && !m.Diags.Errors() {
			complete(t, m)
		}
		for _, d := range append(diags, m.Diags...) {
			for _, e := range d.Edits {
				if e.Span.Start < 0 || e.Span.End > len(d.File.Text) || e.Span.Start > e.Span.End {
					t.Errorf("an edit without place: %+v of %s", e, d.Message)
				}
			}
			if d.Message == "" || d.Span.Start < 0 || d.Span.End > len(d.File.Text) ||
				d.Span.Start > d.Span.End {
				t.Errorf("a diagnostic without text or place: %+v", d)
			}
		}
	})
}
