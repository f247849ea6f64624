package check_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/parser"
)

// rightPrograms are accepted texts: those of this package, and the models of the
// reference material where it is at hand.
func rightPrograms(t *testing.T) map[string]string {
	out := map[string]string{}
	for i, text := range accepted {
		out[fmt.Sprintf("accepted %d", i)] = text
	}
	for _, name := range []string{"fnn_deep", "gru", "lda", "ark", "sam", "hmm_example", "survival",
		"wells_dae"} {
		if text, err := os.ReadFile(filepath.Join(sharedModels(), name+".sg")); err == nil {
			out[name] = string(text)
		}
	}
	for name, text := range out {
		if _, diags := bothPhases(name, text); diags.Errors() {
			delete(out, name)
		}
	}
	if len(out) < 5 {
		t.Fatalf("only %d right programs", len(out))
	}
	return out
}

func onlyErrors(l diag.List) (out diag.List) {
	for _, d := range l {
		if d.Severity == diag.Error {
			out = append(out, d)
		}
	}
	return out
}

// TestMisspelt changes one use of a name in a right program: one error says so,
// and suggests the name.
func TestMisspelt(t *testing.T) {
	t.Parallel()
	tried, suggested := 0, 0
	for name, text := range rightPrograms(t) {
		f, _ := parser.Parse(source.New(name, text))
		m := check.Check(f, check.Options{})
		seen := map[string]bool{}
		ast.InspectFile(f, func(n ast.Node) bool {
			e, ok := n.(*ast.Name)
			if !ok || m.Uses[e] == nil || seen[e.Name] || m.Uses[e].Kind == check.SizeVar {
				return true
			}
			seen[e.Name] = true // one use of each name is enough
			last, _ := utf8.DecodeLastRuneInString(e.Name)
			wrong := e.Name + string(last)
			_, diags := bothPhases(name, text[:e.Span.Start]+wrong+text[e.Span.End:])
			errs := onlyErrors(diags)
			tried++
			if len(errs) != 1 || errs[0].Span.Start != e.Span.Start {
				t.Errorf("%s: %s for %s makes\n%s", name, wrong, e.Name, show(errs))
			} else if len(errs[0].Edits) == 1 && errs[0].Edits[0].Text == e.Name {
				suggested++
			} else {
				t.Logf("%s: %s is not suggested for %s", name, e.Name, wrong)
			}
			return true
		})
	}
	if tried < 60 || suggested*20 < tried*19 {
		t.Errorf("%d names are tried, %d are suggested", tried, suggested)
	}
}

// TestBroken makes one statement of a right program unreadable: that is one error.
func TestBroken(t *testing.T) {
	t.Parallel()
	tried := 0
	for name, text := range rightPrograms(t) {
		f, _ := parser.Parse(source.New(name, text))
		for _, s := range f.Stmts {
			at := s.Pos().End
			if strings.HasSuffix(text[:at], "}") {
				continue
			}
			tried++
			_, diags := bothPhases(name, text[:at]+" 1 2"+text[at:])
			if errs := onlyErrors(diags); len(errs) != 1 {
				t.Errorf("%s: a broken %q makes\n%s", name, text[s.Pos().Start:at], show(errs))
			}
		}
	}
	if tried < 60 {
		t.Errorf("only %d statements are tried", tried)
	}
}
