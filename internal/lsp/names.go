package lsp

import (
	"slices"
	"strings"

	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/parser"
)

// own says that a symbol is declared in this file; others are the library's.
func (a *analysis) own(s *check.Symbol) bool {
	return s.File == a.file && s.Span.End > s.Span.Start
}

// definition finds where a name is declared. The library's declarations have no place in a file
// that an editor could open: hover shows them.
func (a *analysis) definition(uri string, p position) any {
	o, ok := a.index.at(a.lines.offset(p))
	if !ok || !a.own(o.symbol) {
		return nil
	}
	return location{uri, a.lines.span(o.symbol.Span)}
}

// places are all occurrences of a symbol.
func (a *analysis) places(s *check.Symbol) []source.Span {
	var out []source.Span
	for _, o := range a.index.names {
		if o.symbol == s || sameDeclaration(o.symbol, s) {
			out = append(out, o.Span)
		}
	}
	return out
}

// sameDeclaration: bodies that are checked more than once have a symbol each time.
func sameDeclaration(a, b *check.Symbol) bool {
	return a.File == b.File && a.Span == b.Span && a.Name == b.Name && a.Span.End > a.Span.Start
}

func (a *analysis) references(uri string, p position, declaration bool) any {
	out := []location{}
	o, ok := a.index.at(a.lines.offset(p))
	if !ok {
		return out
	}
	for _, span := range a.places(o.symbol) {
		if declaration || !a.own(o.symbol) || span != o.symbol.Span {
			out = append(out, location{uri, a.lines.span(span)})
		}
	}
	return out
}

func (a *analysis) prepareRename(p position) any {
	o, ok := a.index.at(a.lines.offset(p))
	if !ok || !a.own(o.symbol) {
		return nil
	}
	return a.lines.span(o.Span)
}

// rename gives a name of the file another one. It reads the file as it would be: every name has to
// stand for what it stood for, and no error may be new.
func (a *analysis) rename(uri string, p position, to string) (any, error) {
	o, ok := a.index.at(a.lines.offset(p))
	switch {
	case a.syntax:
		return nil, failf(requestFailed,
			"the file has syntax errors: some places of the name may not be seen")
	case !ok:
		return nil, failf(requestFailed, "there is no name here")
	case !a.own(o.symbol):
		return nil, failf(requestFailed, "%s is declared in the library", o.symbol.Name)
	case !isName(to):
		return nil, failf(requestFailed, "%q cannot be a name", to)
	}
	spans := a.places(o.symbol)
	var b strings.Builder
	from := 0
	for _, s := range spans {
		b.WriteString(a.file.Text[from:s.Start] + to)
		from = s.End
	}
	b.WriteString(a.file.Text[from:])
	after := analyse(a.file.Name, b.String(), a.lines.units, false)
	if why := a.collision(after, spans, len(to)); why != "" {
		return nil, failf(requestFailed, "%s cannot be called %s: %s", o.symbol.Name, to, why)
	}
	edits := make([]textEdit, len(spans))
	for i, s := range spans {
		edits[i] = textEdit{a.lines.span(s), to}
	}
	return workspaceEdit{map[string][]textEdit{uri: edits}}, nil
}

// isName says that a text is one name, and no word of the language.
func isName(text string) bool {
	tokens := parser.Tokens(source.New("", text))
	return len(tokens) == 1 && tokens[0].Class == parser.NameToken && tokens[0].Text == text &&
		!slices.Contains(parser.Words(), text)
}

// collision says why a file with a name changed means something else; empty where it does not.
func (a *analysis) collision(after *analysis, spans []source.Span, length int) string {
	if d := newError(a.model.Diags, after.model.Diags); d != nil {
		return d.Message
	}
	moved := func(s source.Span) source.Span {
		shift := 0
		for _, at := range spans {
			if at.End <= s.Start {
				shift += length - (at.End - at.Start)
			}
		}
		out := source.Span{Start: s.Start + shift, End: s.End + shift}
		if slices.Contains(spans, s) {
			out.End = out.Start + length
		}
		return out
	}
	const why = "a name would then stand for something else"
	if len(a.index.names) != len(after.index.names) {
		return why
	}
	for i, o := range a.index.names {
		n := after.index.names[i]
		if n.Span != moved(o.Span) || a.own(o.symbol) != after.own(n.symbol) ||
			a.own(o.symbol) && n.symbol.Span != moved(o.symbol.Span) {
			return why
		}
	}
	return ""
}

// newError finds an error that the first list has fewer of.
func newError(before, after diag.List) *diag.Diagnostic {
	count := map[diag.Code]int{}
	for _, d := range before {
		count[d.Code]++
	}
	for _, d := range after {
		if count[d.Code]--; count[d.Code] < 0 {
			return d
		}
	}
	return nil
}
