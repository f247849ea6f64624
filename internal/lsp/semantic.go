package lsp

import (
	"slices"
	"strings"

	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/types"
	"github.com/sgppl/sgppl/parser"
)

// tokenTypes and tokenModifiers are the legend of semantic tokens; their order is their number.
var (
	tokenTypes = []string{"keyword", "number", "operator", "comment", "variable", "parameter",
		"property",
		"function", "class", "type", "enumMember", "method"}
	tokenModifiers = []string{"declaration", "readonly", "defaultLibrary", "documentation"}
)

func tokenType(name string) int { return slices.Index(tokenTypes, name) }

const (
	declarationBit   = 1 << 0
	readonlyBit      = 1 << 1
	libraryBit       = 1 << 2
	documentationBit = 1 << 3
)

// semantic are the tokens of the text with what they stand for, as numbers: for each the lines and
// columns from the one before, its length, its type and its modifiers.
func (a *analysis) semantic(part *textRange) tokenData {
	out := tokenData{Data: []int{}}
	last := position{}
	for i, t := range a.tokens {
		kind, bits := a.tokenKind(i)
		if kind < 0 || strings.ContainsAny(t.Text, "\r\n") {
			continue
		}
		r := a.lines.span(t.Span)
		if r.Start.Line != r.End.Line ||
			part != nil && (r.Start.Line < part.Start.Line || r.Start.Line > part.End.Line) {
			continue
		}
		if r.Start.Line != last.Line {
			last.Character = 0
		}
		out.Data = append(out.Data, r.Start.Line-last.Line, r.Start.Character-last.Character,
			r.End.Character-r.Start.Character, kind, bits)
		last = r.Start
	}
	return out
}

func (a *analysis) tokenKind(i int) (kind, bits int) {
	t := a.tokens[i]
	switch t.Class {
	case parser.KeywordToken:
		return tokenType("keyword"), 0
	case parser.NumberToken:
		return tokenType("number"), 0
	case parser.CommentToken:
		return tokenType("comment"), 0
	case parser.DocToken:
		return tokenType("comment"), documentationBit
	case parser.NameToken:
		return a.nameKind(i)
	}
	if strings.ContainsAny(t.Text, "()[]{},:.") {
		return -1, 0
	}
	return tokenType("operator"), 0
}

func (a *analysis) nameKind(i int) (kind, bits int) {
	t := a.tokens[i]
	if o, ok := a.index.at(t.Start); ok && o.Span == t.Span {
		if !a.own(o.symbol) {
			bits = libraryBit
		} else if o.symbol.Span == t.Span {
			bits = declarationBit
		}
		return tokenType(symbolTokens[o.symbol.Kind]), bits | constant(o.symbol)
	}
	if _, ok := types.KindNamed(t.Text); ok || t.Text == "sparse" {
		return tokenType("type"), libraryBit
	}
	switch {
	case slices.Contains([]string{"by", "init", "on", "from", "truncated", "censored"}, t.Text):
		return tokenType("keyword"), 0
	case i > 0 && a.tokens[i-1].Text == ".":
		return tokenType("method"), 0
	}
	if e := library()[t.Text]; len(e) > 0 {
		if e[0].kind == function {
			return tokenType("function"), libraryBit
		}
		return tokenType("class"), libraryBit
	}
	return tokenType("variable"), 0
}

func constant(s *check.Symbol) int {
	if s.Kind == check.Data || s.Kind == check.Dim || s.Kind == check.Const {
		return readonlyBit
	}
	return 0
}

// symbolTokens is the type of token of each kind of name.
var symbolTokens = map[check.Kind]string{
	check.Dim: "enumMember", check.Const: "enumMember", check.SizeVar: "enumMember",
	check.Data: "property", check.Param: "variable", check.LocalVar: "variable",
	check.Let: "variable", check.Track: "variable", check.Generated: "variable",
	check.Bound: "parameter", check.Carry: "parameter", check.FnArg: "parameter",
	check.DistArg: "parameter",
	check.Fn:      "function", check.Layer: "function", check.LayerDef: "class",
	check.Dist: "class", check.LayerParam: "property",
}
