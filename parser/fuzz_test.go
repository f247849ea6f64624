package parser

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/source"
)

// seeds are the programs of the golden files.
func seeds(f *testing.F) {
	for _, name := range []string{"errors.txtar", "print.txtar"} {
		_, files := readArchive(f, filepath.Join("testdata", name))
		for _, file := range files {
			if strings.HasSuffix(file.name, ".sg") {
				f.Add(file.text)
			}
		}
	}
}

// FuzzParse: no text makes the parser, the printer or the renderer panic, and
// every span lies in the text.
func FuzzParse(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text string) {
		file, diags := Parse(source.New("fuzz.sg", text))
		for _, d := range diags {
			if s := d.Span; s.Start < 0 || s.End < s.Start || s.End > len(text) {
				t.Fatalf("%s has the span %v of %d bytes", d.Code, s, len(text))
			}
			if d.Message == "" || d.Code == "" {
				t.Fatalf("a diagnostic without code or message: %+v", d)
			}
		}
		var b bytes.Buffer
		if err := diags.Render(&b, true); err != nil {
			t.Fatal(err)
		}
		diags.JSON()
		spans(t, file)
	})
}

// spans checks that what a node holds lies within it.
func spans(t testing.TB, file *ast.File) {
	var inside []source.Span
	var check func(n ast.Node) bool
	check = func(n ast.Node) bool {
		s := n.Pos()
		outer := inside[len(inside)-1]
		if s.Start < outer.Start || s.End > outer.End || s.Start > s.End {
			t.Fatalf("%T at %v is not within %v", n, s, outer)
		}
		return true
	}
	for _, st := range file.Stmts {
		inside = append(inside[:0], source.Span{Start: 0, End: len(file.Source.Text)})
		check(st)
		inside = append(inside, st.Pos())
		ast.Inspect(st, check)
	}
}

// FuzzPrint: printing and parsing again gives the same tree, all comments, and the same print.
func FuzzPrint(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text string) {
		file, diags := Parse(source.New("fuzz.sg", text))
		if len(diags) > 0 || !utf8.ValidString(text) {
			return
		}
		printed := ast.Print(file)
		again, diags := Parse(source.New("fuzz.sg", printed))
		if len(diags) > 0 {
			t.Fatalf("the print does not parse: %s\n%q\n%s", diags[0].Message, text, printed)
		}
		if d := cmp.Diff(file, again, sameTree); d != "" {
			t.Fatalf("printing changes the tree\n%q\n%s\n%s", text, printed, d)
		}
		if len(file.Comments) != len(again.Comments) {
			t.Fatalf("%d comments become %d\n%q\n%s", len(file.Comments), len(again.Comments),
				text, printed)
		}
		if twice := ast.Print(again); twice != printed {
			t.Fatalf("printing is not settled\n%q\n%s\n%s", text, printed, twice)
		}
	})
}

// TestSpans checks that the text of a node, parsed alone, is that node.
func TestSpans(t *testing.T) {
	n := 0
	for name, text := range models(t) {
		file, _ := Parse(source.New(name, text))
		spans(t, file)
		ast.InspectFile(file, func(node ast.Node) bool {
			e, ok := node.(ast.Expr)
			if c, comp := node.(*ast.Comp); comp && !c.Bracket {
				return true
			}
			switch node.(type) {
			case *ast.Range, *ast.DistValue:
				return true
			}
			if !ok {
				return true
			}
			n++
			s := e.Pos()
			alone, diags := Parse(source.New(name, "let it = "+text[s.Start:s.End]+"\n"))
			if len(diags) > 0 || len(alone.Stmts) != 1 {
				t.Errorf("%s: the span of %T is %q", name, e, text[s.Start:s.End])
				return true
			}
			if d := cmp.Diff(e, alone.Stmts[0].(*ast.Let).Value, sameTree); d != "" {
				t.Errorf("%s: %q: %s", name, text[s.Start:s.End], d)
			}
			return true
		})
	}
	if n < 500 {
		t.Errorf("only %d expressions", n)
	}
}
