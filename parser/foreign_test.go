package parser

import (
	"sort"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/foreign"
	"github.com/sgppl/sgppl/lang/source"
)

// apply makes the edits of diagnostics in a text; of two that overlap the first counts.
func apply(text string, list diag.List) string {
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

// TestForms walks the statements of other languages: each is one mistake, in its
// own line, and where there is an edit it makes a text that can be read.
func TestForms(t *testing.T) {
	for _, f := range forms {
		if len(f.examples) == 0 {
			t.Errorf("%s has no example", f.name)
		}
		for _, example := range f.examples {
			text := "dim N\n" + example + "\nparam last : real\n"
			file, diags := Parse(source.New("m.sg", text))
			if len(diags) != 1 || file.Source.Position(diags[0].Span.Start).Line != 2 {
				t.Errorf("%s: %q makes %d diagnostics: %v", f.name, example, len(diags),
					messages(diags))
				continue
			}
			if d := diags[0]; d.Span.End <= d.Span.Start ||
				len(d.Edits) == 0 && len(d.Notes) == 0 && !strings.Contains(d.Message, "there") &&
					!strings.Contains(d.Message, "nothing") {
				t.Errorf("%s: %q is told without advice: %s", f.name, example, d.Message)
			}
			if len(diags[0].Edits) > 0 {
				if _, again := Parse(source.New("m.sg", apply(text, diags))); len(again) > 0 {
					t.Errorf("%s: the edit of %q makes %q: %s", f.name, example, apply(text, diags),
						again[0].Message)
				}
			}
			if n := len(file.Stmts); n < 2 {
				t.Errorf("%s: %q costs the statements around it", f.name, example)
			}
		}
	}
}

func messages(l diag.List) (out []string) {
	for _, d := range l {
		out = append(out, string(d.Code)+" "+d.Message)
	}
	return out
}

// TestSpellings walks the signs of other languages, each between two names.
func TestSpellings(t *testing.T) {
	for _, sp := range foreign.Signs {
		text := "let a = b " + sp.Theirs + " c\n"
		_, diags := Parse(source.New("m.sg", text))
		told := 0
		for _, d := range diags {
			if d.Code == "E0106" && strings.Contains(d.Message, sp.Say) {
				told++
			}
		}
		if told != 1 {
			t.Errorf("%s is told %d times: %v", sp.Theirs, told, messages(diags))
		}
		if sp.Ours == "" && len(diags) != 1 {
			t.Errorf("%s makes %d diagnostics: %v", sp.Theirs, len(diags), messages(diags))
		}
	}
}

// TestWords: the words of the tables are no words of ours, and what they suggest is.
func TestWords(t *testing.T) {
	for theirs, ours := range foreign.Words {
		if words[theirs] || reserved[theirs] || !words[ours] && !reserved[ours] {
			t.Errorf("%s → %s", theirs, ours)
		}
	}
	for word := range foreign.ScriptWords {
		if words[word] || reserved[word] {
			t.Errorf("%s is a word of ours", word)
		}
	}
	for name := range foreign.Sections {
		_, diags := Parse(source.New("m.sg", name+" {\n}\n"))
		if len(diags) != 1 || !strings.Contains(diags[0].Message, "sections") {
			t.Errorf("%s: %v", name, messages(diags))
		}
	}
}

// TestLost: the names of what could not be read are known, and no others.
func TestLost(t *testing.T) {
	f, _ := Parse(source.New("m.sg",
		"param a : real\nparam b real ~ normal(c, 1)\nfor n in N {\n  let d = 1 2\n}\n"+
			"fn g(x : real) -> real {\n  let e = x +* 1\n  e\n}\nq = 3\n"))
	want := "b c d e normal q real x"
	if got := strings.Join(f.Lost, " "); got != want {
		t.Errorf("lost are %q, want %q", got, want)
	}
	if f, diags := Parse(source.New("m.sg",
		"param a : real\nfor (n in 3) { factor a ** 2 };\n")); len(f.Lost) > 0 || len(diags) != 3 {
		t.Errorf("lost are %v with %v", f.Lost, messages(diags))
	}
}
