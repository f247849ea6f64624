package parser

import (
	"io"
	"unicode"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/sgppl/sgppl/lang/source"
)

type tokenKind = lexer.TokenType

func isGraphic(r rune) bool { return unicode.IsGraphic(r) && !unicode.IsSpace(r) }

// definition is the lexer as participle knows it. Parse feeds statements one
// by one; Lex serves whole texts.
type definition struct{ symbols map[string]lexer.TokenType }

func (d definition) Symbols() map[string]lexer.TokenType { return d.symbols }

func (definition) Lex(name string, r io.Reader) (lexer.Lexer, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	s := &scanner{file: source.New(name, string(text)), text: string(text)}
	s.scan()
	return &feed{tokens: s.tokens}, nil
}

// A feed hands tokens to participle. Only the offset of a position is used.
type feed struct {
	tokens []token
	next   int
}

func (f *feed) Next() (lexer.Token, error) {
	if f.next >= len(f.tokens) {
		end := 0
		if n := len(f.tokens); n > 0 {
			end = f.tokens[n-1].end
		}
		// One past the last token, so that it differs from every token's start.
		return lexer.EOFToken(lexer.Position{Offset: end + 1, Line: 1, Column: 1}), nil
	}
	t := f.tokens[f.next]
	f.next++
	return lexer.Token{Type: t.kind, Value: t.text,
		Pos: lexer.Position{Offset: t.start, Line: 1, Column: 1}}, nil
}
