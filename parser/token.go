// Package parser turns the text of a model file into lang/ast. The text becomes
// tokens (scan.go), the tokens statements (split.go), each statement goes
// through one participle grammar (grammar*.go), and what that matched becomes
// syntax nodes (build*.go). One bad statement costs no other.
package parser

import "github.com/alecthomas/participle/v2/lexer"

// Kinds of token. Newline and Stop never reach the grammar: the splitter uses them up.
const (
	tEOF     = lexer.EOF
	tIdent   = lexer.TokenType(-2) // a name
	tNumber  = lexer.TokenType(-3)
	tKey     = lexer.TokenType(-4) // one of the reserved words
	tWord    = lexer.TokenType(-5) // a contextual word in its place: data, param, …
	tOp      = lexer.TokenType(-6) // an operator or a bracket
	tBlock   = lexer.TokenType(-7) // a whole { … }, cut out by the splitter
	tNewline = lexer.TokenType(-8) // the end of a statement
)

var symbols = map[string]lexer.TokenType{
	"EOF": tEOF, "Ident": tIdent, "Number": tNumber, "Key": tKey, "Word": tWord, "Op": tOp,
	"Block": tBlock, "Newline": tNewline,
}

// A token is a piece of text with its place.
type token struct {
	kind       lexer.TokenType
	text       string
	start, end int
	bad        bool // reported already: the statement around it is not parsed
	block      int  // of a tBlock, its number in the file's blocks
}

func (t token) is(op string) bool { return t.text == op && (t.kind == tOp || t.kind == tKey) }

// reserved words mean the same everywhere.
var reserved = map[string]bool{
	"for": true, "in": true, "if": true, "then": true, "else": true, "and": true, "or": true,
	"not":  true,
	"true": true, "false": true, "inf": true, "scan": true, "factor": true,
}

// words are words only at the start of a statement and before a name.
var words = map[string]bool{
	"dim": true, "const": true, "data": true, "param": true, "local": true, "let": true,
	"track": true, "generate": true,
	"fn": true, "layer": true, "dist": true, "use": true, "check": true,
	"require": true,
}

// operators, longest first.
var operators = []string{
	"->", "==", "!=", "<=", ">=",
	"(", ")", "[", "]", "{", "}", ",", ":", "=", "~", "^", "*", "/", "%", "@", "+", "-", "<", ">",
	".", "?",
}

// continues says that a statement cannot end after this token, so a newline there does not count.
func (t token) continues() bool {
	switch t.kind {
	case tOp:
		return t.text != ")" && t.text != "]" && t.text != "}" && t.text != "?"
	case tKey:
		return t.text != "true" && t.text != "false" && t.text != "inf"
	}
	return false
}
