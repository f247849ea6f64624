package check_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/parser"
)

var update = flag.Bool("update", false, "rewrite the golden file of diagnostics")

const goldenPath = "testdata/errors.golden"

// TestGolden holds every diagnostic of every wrong program in full: line,
// column, what is underlined, notes, and the lines that the edits make.
func TestGolden(t *testing.T) {
	want := map[string]string{}
	if text, err := os.ReadFile(goldenPath); err == nil {
		for _, part := range strings.Split(string(text), "\n-- ")[1:] {
			if name, body, ok := strings.Cut(part, " --\n"); ok {
				want[name] = strings.TrimRight(body, "\n")
			}
		}
	}
	var out bytes.Buffer
	out.WriteString("What each program of errors/ is told; go test ./lang/check -run Golden " +
		"-update writes it.\n")
	seen := 0
	for _, path := range errorFiles(t) {
		name := filepath.Base(path)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		_, diags := bothPhases(name, string(text))
		var b bytes.Buffer
		if err := diags.Render(&b, false); err != nil {
			t.Fatal(err)
		}
		got := strings.TrimRight(b.String(), "\n")
		if want[name] != got && !*update {
			t.Errorf("%s: want\n%s\ngot\n%s", name, want[name], got)
		}
		out.WriteString("\n-- " + name + " --\n" + got + "\n")
		seen++
	}
	if *update {
		if err := os.WriteFile(goldenPath, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if len(want) != seen {
		t.Errorf("the golden file has %d programs, and there are %d", len(want), seen)
	}
}

// bothPhases parses and checks a text; the diagnostics of both are in the order
// of the text. What is told of library files is TestLibrary's.
func bothPhases(name, text string) (*check.Model, diag.List) {
	f, diags := parser.Parse(source.New(name, text))
	m := check.Check(f, check.Options{})
	for _, d := range m.Diags {
		if d.File == f.Source {
			diags.Add(d)
		}
	}
	diags.Sort()
	return m, diags
}

// applyEdits makes the edits of diagnostics in a text; of two that overlap the first counts.
func applyEdits(text string, list diag.List) string {
	var edits []diag.Edit
	for _, d := range list {
		edits = append(edits, d.Edits...)
	}
	sort.SliceStable(edits, func(i, j int) bool {
		return edits[i].Span.Start < edits[j].Span.Start
	})
	var b strings.Builder
	at := 0
	for _, e := range edits {
		if e.Span.Start < at {
			continue
		}
		b.WriteString(text[at:e.Span.Start] + e.Text)
		at = e.Span.End
	}
	return b.String() + text[at:]
}

// TestEdits: an edit mends what it speaks of. Of a program whose every error
// has edits, no error is left once they are made.
func TestEdits(t *testing.T) {
	made := 0
	for _, path := range errorFiles(t) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		_, diags := bothPhases("m.sg", string(text))
		for _, d := range diags {
			if len(d.Edits) == 0 {
				continue
			}
			made++
			mended := applyEdits(string(text), diag.List{d})
			_, after := bothPhases("m.sg", mended)
			if len(after) >= len(diags) {
				t.Errorf("%s: the edit of %s (%s) makes\n%s\nwith\n%s", filepath.Base(path), d.Code,
					d.Message, mended, show(after))
			}
		}
	}
	if made < 40 {
		t.Errorf("only %d diagnostics have edits", made)
	}
}
