package parser

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/reference"
	"github.com/sgppl/sgppl/lang/source"
)

func models(t testing.TB) map[string]string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(reference.Path(t, "models"), "*.sg"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no models: %v", err)
	}
	out := map[string]string{}
	for _, p := range paths {
		text, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		out[filepath.Base(p)] = string(text)
	}
	return out
}

// TestLibrary parses and prints the standard library.
func TestLibrary(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("..", "stdlib", "*.sg"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no library files: %v", err)
	}
	for _, p := range paths {
		text, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		roundTrip(t, filepath.Base(p), string(text))
	}
}

func TestModelsParse(t *testing.T) {
	for name, text := range models(t) {
		f, diags := Parse(source.New(name, text))
		for _, d := range diags {
			t.Errorf("%s:%v: %s %s", name, f.Source.Position(d.Span.Start), d.Code, d.Message)
		}
	}
}

// refusedBySyntax are the snippets that the parser itself must refuse; the checker refuses the
// others.
var refusedBySyntax = map[string]bool{
	"let e = r == 1 == 1":    true,
	"let e = sum(A)  sum(A)": true,
	"let e = r\n + 1":        true,
}

func TestSnippets(t *testing.T) {
	text, err := os.ReadFile(reference.Path(t, "models", "snippets.json"))
	if err != nil {
		t.Fatal(err)
	}
	var s struct {
		Preamble          string
		Refused, Accepted []string
	}
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	for _, line := range append(s.Refused, s.Accepted...) {
		f, diags := Parse(source.New("snippet.sg", s.Preamble+line+"\n"))
		if got := len(diags) > 0; got != refusedBySyntax[line] {
			t.Errorf("%s: refused %v", strings.ReplaceAll(line, "\n", "⏎"), got)
			for _, d := range diags {
				t.Errorf("  %v: %s %s", f.Source.Position(d.Span.Start), d.Code, d.Message)
			}
		}
	}
}
