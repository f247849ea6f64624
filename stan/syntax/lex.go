package syntax

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
)

type kind int

const (
	eof kind = iota
	name
	integer
	real
	text
	sign
)

// A token is a word, number, text or sign of a program.
type token struct {
	source.Span
	kind kind
	text string
}

// signs by length, the longest first.
var signs = []string{
	"%/%", "<-", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", ".*=", "./=", "*=", "/=", ".*", "./",
	".^", "(", ")", "[", "]", "{", "}", ",", ";", ":", "?", "|", "~", "=", "<", ">", "+", "-", "*",
	"/", "\\", "%", "^", "!", "'", ".",
}

func init() {
	// ".*=" before ".*": the longest match wins.
	for i := range signs {
		for j := i + 1; j < len(signs); j++ {
			if len(signs[j]) > len(signs[i]) {
				signs[i], signs[j] = signs[j], signs[i]
			}
		}
	}
}

// A lexer cuts a text into tokens and keeps the comments.
type lexer struct {
	src      *source.File
	at       int
	comments []Comment
	diags    *diag.List
	strange  int // characters that are no part of Stan
}

// mostStrange is how many characters that are no part of Stan are told one by one.
const mostStrange = 10

// isText reports whether the file is text: without a byte 0, and with few bytes that are not UTF-8,
// as comments of other encodings may have. What is not gets one error.
func (l *lexer) isText() bool {
	s := l.src.Text
	first, wrong := -1, 0
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == 0 || r == utf8.RuneError && n == 1 {
			if wrong++; first < 0 || r == 0 && s[first] != 0 {
				first = i
			}
		}
		i += n
	}
	wide := strings.HasPrefix(s, "\xff\xfe") || strings.HasPrefix(s, "\xfe\xff")
	if first < 0 || !wide && s[first] != 0 && wrong*20 < len(s) {
		return true
	}
	d := l.diags.Add(&diag.Diagnostic{Code: NotStan, File: l.src,
		Span: source.Span{Start: first, End: first + 1}, Message: fmt.Sprintf(
			"the file is no text: a byte %#02x stands here, where a program of Stan is expected", s[first])})
	if wide {
		d.Note("it seems to be in UTF-16: save it as UTF-8")
	} else {
		d.Note("a program is text in UTF-8")
	}
	return false
}

func (l *lexer) tokens() []token {
	var out []token
	if strings.HasPrefix(l.src.Text, "\ufeff") { // a mark of the encoding that some editors write
		l.at = len("\ufeff")
	}
	if !l.isText() {
		l.at = len(l.src.Text)
	}
	for {
		l.skip()
		if l.at >= len(l.src.Text) {
			return append(out, token{source.Span{Start: len(l.src.Text), End: len(l.src.Text)}, eof, ""})
		}
		if t, ok := l.token(); ok {
			out = append(out, t)
		}
	}
}

// skip passes over spaces and comments.
func (l *lexer) skip() {
	s := l.src.Text
	for l.at < len(s) {
		c := s[l.at]
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			l.at++
		case strings.HasPrefix(s[l.at:], "//") || c == '#' && !strings.HasPrefix(s[l.at:], "#include"):
			end := strings.IndexByte(s[l.at:], '\n')
			if end < 0 {
				end = len(s) - l.at
			}
			l.comment(l.at, l.at+end, strings.TrimLeft(s[l.at:l.at+end], "/#"))
			l.at += end
		case strings.HasPrefix(s[l.at:], "/*"):
			end := strings.Index(s[l.at+2:], "*/")
			if end < 0 {
				l.diags.Add(&diag.Diagnostic{Code: NotStan, File: l.src,
					Span: source.Span{Start: l.at, End: l.at + 2}, Message: "this comment has no */"})
				l.at = len(s)
				return
			}
			l.comment(l.at, l.at+end+4, strings.Trim(s[l.at+2:l.at+2+end], "*"))
			l.at += end + 4
		default:
			return
		}
	}
}

func (l *lexer) comment(start, end int, body string) {
	var lines []string
	for _, line := range strings.Split(body, "\n") {
		line = strings.TrimSpace(line)
		lines = append(lines, strings.TrimSpace(strings.TrimPrefix(line, "*")))
	}
	before := l.src.Text[:start]
	before = before[strings.LastIndexByte(before, '\n')+1:]
	l.comments = append(l.comments, Comment{source.Span{Start: start, End: end},
		strings.TrimSpace(strings.Join(lines, "\n")), strings.TrimSpace(before) == ""})
}

// token reads one token; false where a character is none.
func (l *lexer) token() (token, bool) {
	s, start := l.src.Text, l.at
	c := s[start]
	cut := func(k kind) (token, bool) {
		return token{source.Span{Start: start, End: l.at}, k, s[start:l.at]}, true
	}
	switch {
	case isLetter(c):
		for l.at < len(s) && (isLetter(s[l.at]) || isDigit(s[l.at])) {
			l.at++
		}
		return cut(name)
	case isDigit(c) || c == '.' && start+1 < len(s) && isDigit(s[start+1]):
		return cut(l.number())
	case c == '"':
		end := strings.IndexAny(s[start+1:], "\"\n")
		if end < 0 || s[start+1+end] == '\n' {
			l.at = len(s)
			if end >= 0 {
				l.at = start + 1 + end
			}
			l.diags.Add(&diag.Diagnostic{Code: NotStan, File: l.src,
				Span: source.Span{Start: start, End: l.at}, Message: "this text has no closing quote"})
			return cut(text)
		}
		l.at = start + end + 2
		return cut(text)
	}
	for _, sg := range signs {
		if strings.HasPrefix(s[start:], sg) {
			l.at += len(sg)
			return cut(sign)
		}
	}
	r, n := utf8.DecodeRuneInString(s[start:])
	l.at += n
	if l.strange++; l.strange > mostStrange && !strings.HasPrefix(s[start:], "#include") {
		return token{}, false
	}
	d := l.diags.Add(&diag.Diagnostic{Code: NotStan, File: l.src,
		Span: source.Span{Start: start, End: l.at}, Message: "this character is no part of Stan"})
	if strings.HasPrefix(s[start:], "#include") {
		d.Code, d.Message = IncludeCode, "a file that is included is not read"
		d.Note("put its text in the place of the line")
		if end := strings.IndexByte(s[start:], '\n'); end >= 0 {
			l.at = start + end
		} else {
			l.at = len(s)
		}
	} else if unicode.IsLetter(r) {
		d.Note("names have letters without accents, digits and _")
	}
	return token{}, false
}

// number reads a number, and says which kind it is.
func (l *lexer) number() kind {
	s, k := l.src.Text, integer
	digits := func() {
		for l.at < len(s) && (isDigit(s[l.at]) || s[l.at] == '_') {
			l.at++
		}
	}
	digits()
	// 1.*x is 1 .* x
	if l.at < len(s) && s[l.at] == '.' && !(l.at+1 < len(s) && strings.IndexByte("*/^'",
		s[l.at+1]) >= 0) {
		k = real
		l.at++
		digits()
	}
	if l.at < len(s) && (s[l.at] == 'e' || s[l.at] == 'E') {
		end := l.at + 1
		if end < len(s) && (s[end] == '+' || s[end] == '-') {
			end++
		}
		if end < len(s) && isDigit(s[end]) {
			k, l.at = real, end
			digits()
		}
	}
	return k
}

func isLetter(c byte) bool { return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
