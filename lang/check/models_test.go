package check_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/reference"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/parser"
)

// checkText parses and checks a program; diags holds what both found.
func checkText(name, text string) (*check.Model, diag.List) {
	f, diags := parser.Parse(source.New(name, text))
	m := check.Check(f, check.Options{})
	return m, append(diags, m.Diags...)
}

func show(diags diag.List) string {
	var b strings.Builder
	for _, d := range diags {
		pos := d.File.Position(d.Span.Start)
		fmt.Fprintf(&b, "%s:%s: %s: %s\n", d.File.Name, pos, d.Code, d.Message)
		for _, n := range d.Notes {
			fmt.Fprintf(&b, "    %s\n", n.Text)
		}
	}
	return b.String()
}

func modelFiles(t testing.TB) []string {
	files, err := filepath.Glob(filepath.Join(reference.Path(t, "models"), "*.sg"))
	if err != nil || len(files) == 0 {
		t.Fatal("no models", err)
	}
	return files
}

func TestModels(t *testing.T) {
	for _, path := range modelFiles(t) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, diags := checkText(filepath.Base(path), string(text)); len(diags) > 0 {
			t.Errorf("%s is refused:\n%s", filepath.Base(path), show(diags))
		}
	}
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
	for _, line := range s.Accepted {
		if _, diags := checkText("snippet", s.Preamble+"\n"+line); diags.Errors() {
			t.Errorf("refused: %s\n%s", line, show(diags))
		}
	}
	for _, line := range s.Refused {
		if _, diags := checkText("snippet", s.Preamble+"\n"+line); !diags.Errors() {
			t.Errorf("accepted: %s", line)
		} else {
			t.Logf("%s\n%s", line, show(diags))
		}
	}
}
