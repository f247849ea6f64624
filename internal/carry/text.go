package carry

import (
	"fmt"
	"strings"

	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/source"
)

// text is the model with the new priors.
func (n *nextModel) text() string {
	var b strings.Builder
	fmt.Fprintf(&b,
		"// The priors are the posterior of a run, as `sgppl prior` has written them.\n")
	for _, note := range n.kept {
		fmt.Fprintf(&b, "// Kept: %s.\n", strings.ReplaceAll(note, "\n", " "))
	}
	at := 0
	cut := func(s source.Span, text string) {
		b.WriteString(n.src.Text[at:s.Start])
		b.WriteString(text)
		at = s.End
	}
	for _, s := range n.file.Stmts {
		if d, is := s.(*ast.ParamDecl); is {
			whole, doc := n.documented(d)
			cut(whole, n.declaration(d, doc))
		}
		for _, gone := range n.drop {
			if s.Pos() == gone {
				cut(gone, "// "+strings.ReplaceAll(n.src.Text[gone.Start:gone.End], "\n", " "))
			}
		}
	}
	b.WriteString(n.src.Text[at:])
	return b.String()
}

// documented is the span of a declaration with the lines of its documentation, and these.
func (n *nextModel) documented(d *ast.ParamDecl) (source.Span, string) {
	start := d.Start
	for start > 0 {
		line := strings.LastIndexByte(n.src.Text[:start-1], '\n') + 1
		if !strings.HasPrefix(strings.TrimSpace(n.src.Text[line:start-1]), "///") {
			break
		}
		start = line
	}
	return source.Span{Start: start, End: d.End}, n.src.Text[start:d.Start]
}

// declaration writes a declaration with a line for each param, and its documentation.
func (n *nextModel) declaration(d *ast.ParamDecl, doc string) string {
	var lines []string
	for _, g := range d.Groups {
		typ := n.src.Text[g.Type.Start:g.Type.End]
		for _, v := range g.Vars {
			prior, replaced := n.priors.Of[v.Name.Name]
			line := doc + "param " + n.src.Text[v.Name.Start:v.End] + " : " + typ
			switch {
			case replaced:
				line = prior.Data + line + " " + prior.Text
			case g.Prior != nil:
				line += " ~ " + n.src.Text[g.Prior.Start:g.Prior.End]
			}
			if g.By != nil {
				line += " by " + g.By.Name
			}
			if g.Init != nil {
				line += " init " + n.src.Text[g.Init.Pos().Start:g.Init.Pos().End]
			}
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}
