package lsp

import (
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/parser"
)

// format is what `sgppl fmt` prints, as an edit of the lines that change. A file with syntax errors
// stays as it is.
func (a *analysis) format() (any, error) {
	tree, diags := parser.Parse(a.file)
	if diags.Errors() || len(a.lines.text) != len(a.file.Text) {
		return nil, failf(requestFailed, "a file with syntax errors is not formatted")
	}
	old, text := a.file.Text, ast.Print(tree)
	if old == text {
		return []textEdit{}, nil
	}
	start := 0
	for i := 0; i < len(old) && i < len(text) && old[i] == text[i]; i++ {
		if old[i] == '\n' {
			start = i + 1
		}
	}
	end := 0 // how much is the same at the end, whole lines
	for i := 1; i <= len(old)-start && i <= len(text)-start &&
		old[len(old)-i] == text[len(text)-i]; i++ {
		if i < len(old)-start && old[len(old)-i-1] == '\n' && i < len(text)-start &&
			text[len(text)-i-1] == '\n' {
			end = i
		}
	}
	// A \r ends a line in the protocol: an edit between \r and \n would be none.
	part := source.Span{Start: start, End: len(old) - end}
	return []textEdit{{a.lines.span(part), text[start : len(text)-end]}}, nil
}
