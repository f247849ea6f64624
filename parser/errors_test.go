package parser

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
)

// TestErrors renders the errors of every program of testdata/errors.txtar,
// each followed by what is expected of it.
func TestErrors(t *testing.T) {
	golden(t, filepath.Join("testdata", "errors.txtar"), ".err", 30,
		func(t *testing.T, name, text string) string {
			_, diags := Parse(source.New(name, text))
			if !diags.Errors() {
				t.Errorf("%s: no error", name)
			}
			var b bytes.Buffer
			if err := diags.Render(&b, false); err != nil {
				t.Fatal(err)
			}
			return b.String()
		})
}

// TestCodes compiles the example of every syntax code and looks for the code.
func TestCodes(t *testing.T) {
	n := 0
	for _, e := range diag.Codes() {
		if !strings.HasPrefix(string(e.Code), "E01") {
			continue
		}
		n++
		_, diags := Parse(source.New("example.sg", e.Example))
		found := false
		for _, d := range diags {
			found = found || d.Code == e.Code
		}
		if !found {
			t.Errorf("%s: the example gives %v", e.Code, diags)
		}
		if e.Title == "" || e.Text == "" {
			t.Errorf("%s has no explanation", e.Code)
		}
	}
	if n == 0 {
		t.Error("no syntax codes")
	}
}

// TestRecovery checks that each of several bad lines is reported once, and that the good ones stay.
func TestRecovery(t *testing.T) {
	text := "dim N\ndata x[N] real\ndata y[N] : real\nfor n in N {\n  let a = 1 2\n" +
		"  y[n] ~ normal(x[n] 1)\n  y[n] ~ normal(0, 1)\n}\nlet b = (1 + \nparam w : real\n"
	f, diags := Parse(source.New("m.sg", text))
	var lines []int
	for _, d := range diags {
		lines = append(lines, f.Source.Position(d.Span.Start).Line)
	}
	if d := cmp.Diff([]int{2, 5, 6, 9}, lines); d != "" {
		t.Error(d)
	}
	if len(f.Stmts) != 4 {
		t.Errorf("%d statements are left", len(f.Stmts))
	}
}
