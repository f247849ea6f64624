package check_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/parser"
)

// declaredIn lists the names that a program declares, of every kind but the
// arguments of a dist and what a distribution's or layer's lines must be called.
func declaredIn(f *ast.File) map[string]bool {
	names := map[string]bool{}
	ident := func(id ast.Ident) {
		if id.Name != "" && id.Name != "apply" {
			names[id.Name] = true
		}
	}
	ast.InspectFile(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Dim:
			for i := range n.Items {
				ident(n.Items[i].Name)
			}
		case *ast.Const:
			for i := range n.Items {
				ident(n.Items[i].Name)
			}
		case *ast.Data:
			groupNames(n.Groups, ident)
		case *ast.ParamDecl:
			groupNames(n.Groups, ident)
		case *ast.Local:
			groupNames(n.Groups, ident)
		case *ast.Let:
			for _, id := range n.Names {
				ident(id)
			}
		case *ast.Fn:
			ident(n.Name)
		case *ast.Dist:
			ident(n.Name)
		case *ast.LayerDef:
			ident(n.Name)
		case *ast.LayerUse:
			for i := range n.Items {
				ident(n.Items[i].Name)
			}
		}
		return true
	})
	return names
}

func groupNames(groups []ast.Group, ident func(ast.Ident)) {
	for _, g := range groups {
		for _, v := range g.Vars {
			ident(v.Name)
		}
	}
}

var word = regexp.MustCompile(`[\p{L}_][\p{L}\p{N}_]*`)

// renamed gives every declared name of a program an ending, so that programs
// can stand in one file.
func renamed(text, ending string) string {
	f, _ := parser.Parse(source.New("m.sg", text))
	names := declaredIn(f)
	// A name that is not declared is told once in a file.
	_, diags := bothPhases("m.sg", text)
	for _, d := range diags {
		if at := text[d.Span.Start:d.Span.End]; d.Code == check.NoSuchValue &&
			word.FindString(at) == at {
			names[at] = true
		}
	}
	return word.ReplaceAllStringFunc(text, func(w string) string {
		if names[w] {
			return w + ending
		}
		return w
	})
}

// TestTogether puts the wrong programs into one file: a run tells every mistake
// of each, at its line, and nothing that follows from another.
func TestTogether(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	want := map[int][]string{} // codes by line
	line, count := 0, 0
	for i, path := range errorFiles(t) {
		name := filepath.Base(path)
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		program := strings.TrimSuffix(string(raw), "\n")
		f, diags := parser.Parse(source.New(name, program))
		_, alone := bothPhases(name, program)
		switch {
		case diags.Errors(), len(f.Lost) > 0:
			continue // names in what cannot be read are silent in the whole file
		case strings.Contains(program, "by "), strings.Contains(program, "use "):
			// strategies are looked at in models that are right except for them; use reaches to the file's
			// end
			continue
		}
		together := renamed(program, fmt.Sprintf("_%d", i))
		_, now := bothPhases(name, together+"\n")
		if codesAt(now) != codesAt(alone) {
			continue // the mistake is in a name
		}
		for _, d := range alone {
			at := line + d.File.Position(d.Span.Start).Line
			want[at] = append(want[at], string(d.Code))
		}
		text.WriteString(together + "\n")
		line += strings.Count(together, "\n") + 1
		count++
	}
	if count < 150 {
		t.Errorf("only %d programs stand together", count)
	}
	_, diags := bothPhases("together.sg", text.String())
	got := map[int][]string{}
	f := source.New("together.sg", text.String())
	for _, d := range diags {
		at := f.Position(d.Span.Start).Line
		got[at] = append(got[at], string(d.Code))
	}
	for at := 1; at <= line; at++ {
		sort.Strings(want[at])
		sort.Strings(got[at])
		if strings.Join(want[at], " ") != strings.Join(got[at], " ") {
			t.Errorf("line %d: %v, and %v alone: %s", at, got[at], want[at], f.Line(at))
		}
	}
}

// codesAt is what a list says, by line and code.
func codesAt(l diag.List) string {
	var parts []string
	for _, d := range l {
		parts = append(parts, fmt.Sprint(d.File.Position(d.Span.Start).Line, d.Code))
	}
	sort.Strings(parts)
	return strings.Join(parts, " ")
}
