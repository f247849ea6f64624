package parser

import (
	"slices"

	"github.com/sgppl/sgppl/lang/source"
)

// A TokenClass says what a token is to an editor.
type TokenClass int

const (
	NameToken TokenClass = iota
	NumberToken
	KeywordToken // a reserved word, or a contextual word in its place
	OperatorToken
	CommentToken
	DocToken // a comment with three slashes
)

// A Token is a piece of a text, as editors colour it.
type Token struct {
	source.Span
	Class TokenClass
	Text  string
}

// Tokens cuts a text into tokens, comments among them, in the order of the text. It reads
// broken texts too.
func Tokens(f *source.File) []Token {
	s := &scanner{file: f, text: f.Text}
	s.scan()
	var out []Token
	for i, t := range s.tokens {
		class := OperatorToken
		switch {
		case t.kind == tEOF || t.kind == tNewline || t.start == t.end:
			continue
		case t.kind == tKey, startsStatement(s.tokens, i):
			class = KeywordToken
		case t.kind == tNumber:
			class = NumberToken
		case t.kind == tIdent:
			class = NameToken
		}
		out = append(out, Token{source.Span{Start: t.start, End: t.end}, class,
			f.Text[t.start:t.end]})
	}
	for _, c := range s.comments {
		class := CommentToken
		if len(c.Text) > 2 && c.Text[2] == '/' {
			class = DocToken
		}
		out = append(out, Token{c.Span, class, c.Text})
	}
	slices.SortStableFunc(out, func(a, b Token) int { return a.Start - b.Start })
	return out
}

// startsStatement says that a token is a contextual word at the start of a statement.
func startsStatement(tokens []token, i int) bool {
	if tokens[i].kind != tIdent || i+1 >= len(tokens) {
		return false
	}
	if i > 0 && tokens[i-1].kind != tNewline && !tokens[i-1].is("{") {
		return false
	}
	return markWord(slices.Clone(tokens[i : i+2]))[0].kind == tWord
}

// Reserved lists the words that mean the same everywhere, in alphabetical order.
func Reserved() []string { return sortedKeys(reserved) }

// Words lists the words that begin statements, in alphabetical order; elsewhere they are names.
func Words() []string { return sortedKeys(words) }

// Operators lists the operators and brackets, longest first.
func Operators() []string { return slices.Clone(operators) }

func sortedKeys(set map[string]bool) []string {
	var out []string
	for word := range set {
		out = append(out, word)
	}
	slices.Sort(out)
	return out
}
