package lsp

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/builtin"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/infer/initial"
)

// words reads semantic tokens back: each text with its type and modifiers.
func (a *analysis) words() []string {
	data := a.semantic(nil).Data
	var out []string
	at := position{}
	for i := 0; i+4 < len(data); i += 5 {
		if data[i] > 0 {
			at.Character = 0
		}
		at = position{at.Line + data[i], at.Character + data[i+1]}
		start := a.lines.offset(at)
		end := a.lines.offset(position{at.Line, at.Character + data[i+2]})
		text := a.lines.text[start:end] + " " + tokenTypes[data[i+3]]
		for bit, name := range tokenModifiers {
			if data[i+4]&(1<<bit) != 0 {
				text += " " + name
			}
		}
		out = append(out, text)
	}
	return out
}

func TestSemanticTokens(t *testing.T) {
	a := analyse("m.sg", "/// 𝛼 doc\ndim N\ndata 𝛼[N] : real\nlet b = 2 * sum(𝛼)   // end\n"+
		"for n in N { 𝛼[n] ~ normal(b, 1) }", utf16Units, false)
	want := []string{"/// 𝛼 doc comment documentation", "dim keyword",
		"N enumMember declaration readonly",
		"data keyword", "𝛼 property declaration readonly", "N enumMember readonly",
		"real type defaultLibrary",
		"let keyword", "b variable declaration", "= operator", "2 number", "* operator",
		"sum function defaultLibrary",
		"𝛼 property readonly", "// end comment", "for keyword", "n parameter declaration",
		"in keyword",
		"N enumMember readonly", "𝛼 property readonly", "n parameter", "~ operator",
		"normal class defaultLibrary",
		"b variable", "1 number"}
	if got := a.words(); !slices.Equal(got, want) {
		t.Errorf("%s\nwanted\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestEveryKindHasToken: a kind of name without a type of token would be coloured as nothing.
func TestEveryKindHasToken(t *testing.T) {
	for k := check.Dim; k <= check.Dist; k++ {
		if !slices.Contains(tokenTypes, symbolTokens[k]) {
			t.Errorf("%v has no type of token", k)
		}
	}
}

var distLines = []string{"logpdf", "cdf", "logcdf", "logccdf", "sample", "mean"}

// TestEveryName: in every model without errors each name of the tree is in the index, so that
// hover, references and rename miss none.
func TestEveryName(t *testing.T) {
	files := models(t)
	checked := 0
	for _, path := range slices.Sorted(maps.Keys(files)) {
		if !strings.Contains(path, "examples") {
			continue
		}
		a := analyse("m.sg", files[path], utf16Units, false)
		if a.model.Diags.Errors() {
			continue
		}
		checked++
		ast.InspectFile(a.model.File, func(n ast.Node) bool {
			var id source.Span
			switch n := n.(type) {
			case *ast.Name:
				id = n.Span
				_, function := builtin.Lookup(n.Name)
				_, law := initial.Lookup(n.Name) // to start from
				if function || law || len(library()[n.Name]) > 0 || slices.Contains(distLines, n.Name) {
					return true // what the library has, and lines of distributions
				}
			case *ast.Var:
				id = n.Name.Span
			default:
				return true
			}
			if o, ok := a.index.at(id.Start); !ok || o.Span != id {
				t.Errorf("%s: %s at %v is not in the index", path, a.textOf(id),
					a.file.Position(id.Start))
			}
			return true
		})
	}
	if checked < 10 {
		t.Errorf("only %d models", checked)
	}
}
