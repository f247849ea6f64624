package lsp

import (
	"slices"
	"strings"

	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/lang/types"
	"github.com/sgppl/sgppl/parser"
)

// Kinds of completions, as the protocol numbers them.
const (
	completeMethod   = 2
	completeFunction = 3
	completeField    = 5
	completeVariable = 6
	completeClass    = 7
	completeModule   = 9
	completeKeyword  = 14
	completeConstant = 21
	completeType     = 25
)

// complete lists what can stand at a place. The client keeps those that fit what is typed.
func (a *analysis) complete(p position, good *analysis) any {
	offset := a.lines.offset(p)
	before := a.before(offset)
	word := source.Span{Start: offset, End: offset}
	if n := len(before); n > 0 && before[n-1].End == offset && isWord(before[n-1]) {
		word.Start = before[n-1].Start
		before = before[:n-1]
	}
	out := completionList{Items: []completionItem{}}
	if t, ok := tokenAt(a.tokens, offset); ok && t.Start < offset &&
		(t.Class == parser.CommentToken || t.Class == parser.DocToken ||
			t.Class == parser.NumberToken) {
		return out
	}
	out.Items = append(out.Items, a.candidates(before, offset, good)...)
	place := a.lines.span(word)
	for i := range out.Items {
		out.Items[i].Edit = &textEdit{place, out.Items[i].Label}
	}
	return out
}

// before are the tokens that end at a place or before it, without comments.
func (a *analysis) before(offset int) []parser.Token {
	var out []parser.Token
	for _, t := range a.tokens {
		if t.End > offset {
			if isWord(t) && t.Start < offset { // the word that is being typed
				t.Text, t.End = t.Text[:offset-t.Start], offset
				out = append(out, t)
			}
			break
		}
		if t.Class != parser.CommentToken && t.Class != parser.DocToken {
			out = append(out, t)
		}
	}
	return out
}

func isWord(t parser.Token) bool {
	return t.Class == parser.NameToken || t.Class == parser.KeywordToken
}

// candidates depend on the tokens before the word.
func (a *analysis) candidates(before []parser.Token, offset int, good *analysis) []completionItem {
	last := func(i int) string {
		if i > len(before) {
			return ""
		}
		return before[len(before)-i].Text
	}
	switch {
	case last(1) == "~":
		return a.entries(distribution)
	case last(1) == "use":
		return words([]string{"nn"}, completeModule)
	case last(1) == "by":
		return words(check.ByWords(), completeKeyword)
	case last(1) == ".":
		return a.members(last(2))
	case (last(1) == ":" || last(1) == "->" || last(1) == "on" || last(1) == "sparse") &&
		a.declares(before):
		return append(typeNames(), words([]string{"sparse"}, completeKeyword)...)
	}
	items := a.values(offset, good)
	items = append(items, a.entries(function)...)
	items = append(items, words(parser.Reserved(), completeKeyword)...)
	if n := len(before); n == 0 || a.newLine(before[n-1].End, offset) {
		items = append(items, words(parser.Words(), completeKeyword)...)
	}
	if last(1) == "(" || last(1) == "=" || last(1) == "," {
		// normal.logpdf(…), and the parts of mixtures
		items = append(items, a.entries(distribution)...)
		items = append(items, a.entries(layer)...)
	}
	return items
}

// newLine says that a line begins between two places, or a block.
func (a *analysis) newLine(from, to int) bool {
	return strings.ContainsRune(a.file.Text[from:to], '\n') ||
		from > 0 && a.file.Text[from-1] == '{'
}

// declares says that a colon is one of a type: the line begins with a word that declares, or the
// bracket before is one of the arguments of a definition.
func (a *analysis) declares(before []parser.Token) bool {
	depth := 0
	for i := len(before) - 1; i >= 0; i-- {
		t := before[i]
		switch {
		case t.Text == "]":
			depth++
		case t.Text == "[" && depth == 0:
			return false // a slice, x[a:b]
		case t.Text == "[":
			depth--
		case t.Class == parser.KeywordToken && slices.Contains(parser.Words(), t.Text):
			return t.Text != "let" && t.Text != "track" && t.Text != "generate"
		}
	}
	return false
}

// values are the names in scope: those of the text as it is, and where it has syntax errors those
// of the last text without.
func (a *analysis) values(offset int, good *analysis) []completionItem {
	var out []completionItem
	seen := map[string]bool{}
	add := func(from *analysis, at int) {
		whole := source.Span{Start: -1, End: len(from.file.Text) + 1}
		for _, o := range from.index.names {
			s := o.symbol
			if seen[s.Name] || !from.own(s) || s.Kind == check.Dist || s.Span != o.Span {
				continue
			}
			if scope := from.index.scope(s, whole); at < scope.Start || scope.End < at {
				continue
			}
			seen[s.Name] = true
			out = append(out, symbolItem(s))
		}
	}
	add(a, offset)
	if a.syntax && good != nil {
		add(good, len(good.file.Text)-(len(a.file.Text)-offset))
	}
	return out
}

func symbolItem(s *check.Symbol) completionItem {
	item := completionItem{Label: s.Name, Kind: completeVariable, Sort: "0" + s.Name,
		Detail: s.Kind.String()}
	switch s.Kind {
	case check.Fn:
		item.Kind = completeFunction
	case check.LayerDef:
		item.Kind = completeClass
	case check.Dim, check.Const:
		item.Kind = completeConstant
	case check.Bound, check.Layer, check.SizeVar, check.DistArg:
	default:
		item.Detail += " " + typeText(s.Type)
	}
	if s.Doc != "" {
		item.Doc = &markup{"markdown", s.Doc}
	}
	return item
}

// entries are the functions, distributions or layers of the library and of the file.
func (a *analysis) entries(kind entryKind) []completionItem {
	var out []completionItem
	add := func(list []entry, sort string) {
		for _, e := range list {
			if e.kind == kind {
				out = append(out, completionItem{Label: e.name, Detail: e.head, Sort: sort + e.name,
					Kind: [...]int{completeFunction, completeClass, completeClass}[kind],
					Doc:  &markup{"markdown", e.doc}})
			}
		}
	}
	if kind == distribution {
		add(declared(a.model.File, nil), "0")
	}
	var names []string
	for name := range library() {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		add(library()[name], "1")
	}
	return out
}

// members are what follows a point: properties of a distribution, weights of a layer.
func (a *analysis) members(name string) []completionItem {
	if _, ok := a.entry(name, true); ok {
		return words([]string{"logpdf", "cdf", "logcdf", "logccdf", "sample"}, completeMethod)
	}
	var out []completionItem
	for _, s := range a.model.Symbols {
		if s.Name == name && s.Inst != nil && s.Inst.Def != nil {
			for _, p := range s.Inst.Def.Params {
				out = append(out,
					completionItem{Label: p.Name, Kind: completeField, Detail: typeText(p.Type)})
			}
		}
	}
	return out
}

func typeNames() []completionItem {
	var out []completionItem
	for _, k := range types.Kinds {
		if k.Name != "" {
			out = append(out, completionItem{Label: k.Name, Kind: completeType,
				Doc: &markup{"markdown", k.Doc}})
		}
	}
	return out
}

func words(list []string, kind int) []completionItem {
	var out []completionItem
	for _, w := range list {
		out = append(out, completionItem{Label: w, Kind: kind, Sort: "2" + w})
	}
	return out
}
