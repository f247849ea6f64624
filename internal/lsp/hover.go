package lsp

import (
	"fmt"
	"strings"

	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/lang/types"
	"github.com/sgppl/sgppl/parser"
)

// hover says what stands at a place: a name with its type and doc, a function or distribution with
// its derivatives, or the type of an expression.
func (a *analysis) hover(p position) any {
	offset := a.lines.offset(p)
	text, span := a.hoverText(offset)
	if text == "" {
		return nil
	}
	return hoverResult{markup{"markdown", text}, a.lines.span(span)}
}

func (a *analysis) hoverText(offset int) (string, source.Span) {
	for _, d := range a.index.dists {
		if within(d.Name.Span, offset) {
			if e, ok := a.entry(d.Name.Name, true); ok {
				return e.page(), d.Name.Span
			}
		}
	}
	t, ok := tokenAt(a.tokens, offset)
	if ok && t.Class == parser.NameToken {
		if text := a.hoverName(t); text != "" {
			return text, t.Span
		}
	}
	if ok && t.Text == "~" {
		for _, term := range a.index.tildes {
			if term.Left.Pos().End <= t.Start && t.End <= term.Dist.Start {
				if lines := a.termDerivatives(term); len(lines) > 0 {
					return fence(strings.Join(lines, "\n")), t.Span
				}
			}
		}
	}
	if e := a.index.expr(offset); e != nil {
		if s := a.model.Types[e].String(); s != "invalid" && inline(a.textOf(e.Pos())) {
			return fence(a.textOf(e.Pos()) + " : " + s), e.Pos()
		}
	}
	return "", source.Span{}
}

func (a *analysis) hoverName(t parser.Token) string {
	o, found := a.index.at(t.Start)
	if found && a.own(o.symbol) && o.Span == t.Span {
		return a.describe(o.symbol)
	}
	if e, ok := a.entry(t.Text, false); ok {
		return e.page()
	}
	if e, ok := a.entry(t.Text, true); ok { // normal.logpdf(…)
		return e.page()
	}
	if found {
		return a.describe(o.symbol)
	}
	return kindDoc(t.Text)
}

// describe is the declaration of a name, when its value is known, and its doc.
func (a *analysis) describe(s *check.Symbol) string {
	head := s.Kind.String() + " " + s.Name
	switch s.Kind {
	case check.Fn, check.LayerDef, check.Dist:
		if e, ok := a.entry(s.Name, s.Kind == check.Dist); ok && a.own(s) {
			return e.page()
		}
		return fence(head) + paragraph(s.Doc)
	case check.Dim, check.Const:
		if s.HasValue {
			head += fmt.Sprintf(" = %v", s.Value)
		}
	case check.Layer, check.DistArg:
		if s.Inst != nil && s.Inst.Decl != nil && inline(a.textOf(s.Inst.Decl.Span)) {
			head = "layer " + a.textOf(s.Inst.Decl.Span)
		}
	case check.Bound:
		if s.Range != nil {
			head += fmt.Sprintf(" in %v:%v", s.Range.Lo, s.Range.Hi())
		}
	default:
		head += " : " + typeText(s.Type)
		if s.Group != nil && s.Group.Prior != nil && inline(a.textOf(s.Group.Prior.Span)) &&
			a.own(s) {
			head += " ~ " + a.textOf(s.Group.Prior.Span)
		}
	}
	return fence(head) + paragraph(s.Doc) + paragraph(a.known(s))
}

// known says when the value of a name is known.
func (a *analysis) known(s *check.Symbol) string {
	switch s.Kind {
	case check.Let, check.Track, check.Generated:
		return [...]string{"known when the model is compiled", "known once the data is read",
			"changes with the unknowns"}[s.Level.Stage]
	case check.Param, check.LocalVar:
		for _, l := range a.model.Locals {
			if l.Symbol == s {
				return "dealt with by " + l.Strategy
			}
		}
	}
	return ""
}

func typeText(t types.Type) string {
	if t.Kind == types.Invalid {
		return "?"
	}
	return t.String()
}

// page is the declaration and the doc of an entry, and its derivatives.
func (e entry) page() string {
	text := fence(e.head) + paragraph(e.doc)
	if lines := e.derivatives(); len(lines) > 0 {
		text += fence(strings.Join(lines, "\n"))
	}
	return text
}

func fence(code string) string { return "```sgppl\n" + code + "\n```\n" }

func paragraph(text string) string {
	if text = strings.TrimSpace(text); text == "" {
		return ""
	}
	return "\n" + strings.ReplaceAll(text, "\n", "  \n") + "\n"
}

func within(s source.Span, offset int) bool { return s.Start <= offset && offset <= s.End }

// tokenAt is the token around a place, or else the one that ends there.
func tokenAt(tokens []parser.Token, offset int) (parser.Token, bool) {
	var out parser.Token
	found := false
	for _, t := range tokens {
		if t.Start > offset {
			break
		}
		if within(t.Span, offset) {
			out, found = t, true
		}
	}
	return out, found
}
