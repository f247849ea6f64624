package stan

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/parser"
	"github.com/sgppl/sgppl/stan/syntax"
)

// FuzzImport: whatever is read is translated, or refused by a code; never a panic. What is
// translated parses, and is laid out already.
func FuzzImport(f *testing.F) {
	files, err := filepath.Glob("testdata/*.stan")
	if err != nil || len(files) == 0 {
		f.Fatal("no programs", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	for _, x := range syntax.Codes() {
		f.Add(x.Example)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<14 {
			return
		}
		src := source.New("m.stan", text)
		r, diags := importFile(src)
		for _, d := range diags {
			if _, ok := syntax.Explain(d.Code); !ok {
				t.Fatalf("the code %q has no explanation: %s", d.Code, d.Message)
			}
			if d.Message == "" || d.File != src {
				t.Fatalf("%s has no message, or no place in the program", d.Code)
			}
		}
		if r == nil {
			if !diags.Errors() {
				t.Fatal("neither a model nor an error")
			}
			return
		}
		tree, wrong := parser.Parse(source.New("m.sg", r.Text))
		if wrong.Errors() {
			t.Fatalf("%s\n%s", wrong[0].Message, r.Text)
		}
		if laid := ast.Print(tree); laid != r.Text {
			t.Fatalf("it is laid out as\n%s\nand not as\n%s", r.Text, laid)
		}
	})
}

// TestCodes: each code has a program that makes it, and the place is in that program.
func TestCodes(t *testing.T) {
	for _, x := range syntax.Codes() {
		if x.Example == "" {
			continue
		}
		src := source.New("m.stan", x.Example)
		_, diags := Import(src)
		found := false
		for _, d := range diags {
			found = found || d.Code == x.Code
		}
		if !found {
			t.Errorf("%s: its example does not make it: %v", x.Code, diags)
		}
	}
}

// TestPlaces: a diagnostic of the checker stands at the line of the program.
func TestPlaces(t *testing.T) {
	const text = "data {\n  int<lower=0> N;\n  vector[N] y;\n}\nparameters {\n  real a;\n}\n" +
		"model {\n  y ~ normal(a, 1);\n  target += -square(y[7 + 2 * N] - a);\n}\n"
	m, diags := Model(source.New("m.stan", text))
	if m == nil {
		t.Fatal(diags)
	}
	_, c := driver.Check(m, driver.Options{})
	if !c.Diags.Errors() {
		t.Skip("the checker has no objection")
	}
	j := c.Diags.JSON()[0]
	if j.File != "m.stan" || j.Line != 10 {
		t.Errorf("%s stands at %s:%d", j.Message, j.File, j.Line)
	}
}
