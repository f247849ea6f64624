package parser

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/source"
)

// sameTree compares trees except for the places in the text.
var sameTree = cmp.Options{
	cmpopts.IgnoreTypes(source.Span{}),
	cmpopts.IgnoreFields(ast.File{}, "Source", "Comments"),
	cmpopts.EquateNaNs(),
}

// roundTrip prints a text that parses, and checks that the print parses to the
// same tree, keeps every comment, and prints as itself.
func roundTrip(t *testing.T, name, text string) string {
	t.Helper()
	f, diags := Parse(source.New(name, text))
	if len(diags) > 0 {
		t.Fatalf("%s: %s: %s", name, diags[0].Code, diags[0].Message)
	}
	printed := ast.Print(f)
	g, diags := Parse(source.New(name, printed))
	if len(diags) > 0 {
		t.Fatalf("%s: the print does not parse: %s\n%s", name, diags[0].Message, printed)
	}
	if d := cmp.Diff(f, g, sameTree); d != "" {
		t.Fatalf("%s: printing changes the tree:\n%s\n%s", name, d, printed)
	}
	if len(f.Comments) != len(g.Comments) {
		t.Fatalf("%s: %d comments become %d\n%s", name, len(f.Comments), len(g.Comments), printed)
	}
	if again := ast.Print(g); again != printed {
		t.Fatalf("%s: printing is not settled (-once +twice):\n%s", name, cmp.Diff(printed, again))
	}
	return printed
}

// TestModelsPrint holds the models to the layout: printing changes none of them.
func TestModelsPrint(t *testing.T) {
	for name, text := range models(t) {
		if printed := roundTrip(t, name, text); printed != text {
			t.Errorf("%s is no fixed point (-model +print):\n%s", name, cmp.Diff(text, printed))
		}
	}
}

func TestPrint(t *testing.T) {
	golden(t, filepath.Join("testdata", "print.txtar"), ".fmt", 10,
		func(t *testing.T, name, text string) string {
			return roundTrip(t, name, text)
		})
}
