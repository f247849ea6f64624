package formula

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A token is a name, a number, an operator or the end of the text.
type token struct {
	kind byte // 'n' name, '0' number, 'o' operator, 'e' end
	text string
	at   Span
}

// operators has longer operators before those that they begin with.
var operators = []string{
	"||", "<=", ">=", "==", "!=", "%in%",
	"~", "+", "-", "*", "/", "^", ":", "(", ")", "|", ",", "=", "<", ">",
}

// lex cuts a formula into tokens, the last of which is its end.
func lex(text string) ([]token, error) {
	var out []token
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case unicode.IsSpace(r):
			i += size
		case r == '`':
			end := strings.IndexByte(text[i+1:], '`')
			if end < 1 {
				return nil, &Error{Formula: text, At: Span{i, len(text)},
					Message: "expected a name between two backticks, found no second backtick"}
			}
			out = append(out, token{'n', text[i+1 : i+1+end], Span{i, i + end + 2}})
			i += end + 2
		case unicode.IsLetter(r) || r == '_':
			end := i + strings.IndexFunc(text[i:]+" ", func(r rune) bool { return !inName(r) })
			out = append(out, token{'n', text[i:end], Span{i, end}})
			i = end
		case unicode.IsDigit(r) || r == '.':
			end := numberEnd(text, i)
			out = append(out, token{'0', text[i:end], Span{i, end}})
			i = end
		default:
			op := operatorAt(text[i:])
			if op == "" {
				return nil, &Error{Formula: text, At: Span{i, i + size},
					Message: fmt.Sprintf("expected a name, a number or an operator, found %q", r),
					Suggest: "write the name of a column that has other signs between backticks"}
			}
			out = append(out, token{'o', op, Span{i, i + len(op)}})
			i += len(op)
		}
	}
	return append(out, token{'e', "the end", Span{len(text), len(text)}}), nil
}

// inName reports whether a name of R may go on with r.
func inName(r rune) bool {
	return r == '_' || r == '.' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

// operatorAt is the operator that the text begins with, or "".
func operatorAt(text string) string {
	for _, op := range operators {
		if strings.HasPrefix(text, op) {
			return op
		}
	}
	return ""
}

// numberEnd is where the number that begins at i ends, with its exponent.
func numberEnd(text string, i int) int {
	digits := func() {
		for i < len(text) && (text[i] >= '0' && text[i] <= '9' || text[i] == '.') {
			i++
		}
	}
	start := i
	digits()
	if i < len(text) && (text[i] == 'e' || text[i] == 'E') {
		mark := i
		if i++; i < len(text) && (text[i] == '+' || text[i] == '-') {
			i++
		}
		first := i
		if digits(); i == first {
			i = mark
		}
	}
	if i == start {
		_, size := utf8.DecodeRuneInString(text[i:])
		i += size
	}
	return i
}
