package parser

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/diag"
	"github.com/sgppl/sgppl/lang/source"
)

// maxNesting bounds brackets within brackets: no model has more, and the
// recursion over the tree should not depend on the text.
const maxNesting = 200

// mostErrors bounds the mistakes of single characters: a binary file has
// one in every byte.
const mostErrors = 200

// A scanner cuts a text into tokens. Newlines inside ( ) and [ ], after a token that cannot end a
// statement, and next to braces are dropped; comments are kept aside.
type scanner struct {
	file     *source.File
	text     string
	pos      int
	tokens   []token
	comments []ast.Comment
	open     []int // the open brackets, as indices of tokens
	diags    diag.List
}

func (s *scanner) scan() {
	if strings.HasPrefix(s.text, "\ufeff") {
		s.pos = len("\ufeff")
	}
	for s.pos < len(s.text) {
		if len(s.diags) >= mostErrors {
			s.add("E0102", s.here(0), "too many errors: what follows is not read; is this a model?")
			s.pos = len(s.text)
			break
		}
		s.next()
	}
	s.unclosed(s.open)
	s.open = nil
	s.newline()
	s.tokens = append(s.tokens, token{kind: tEOF, start: len(s.text), end: len(s.text)})
}

func (s *scanner) next() {
	rest := s.text[s.pos:]
	r, size := utf8.DecodeRuneInString(rest)
	switch {
	case r == '\n':
		s.lineEnd()
		s.pos++
	case r == ' ' || r == '\t' || r == '\r':
		s.pos++
	case strings.HasPrefix(rest, "//"):
		s.comment(2)
	case r == '_' || unicode.IsLetter(r) && r != utf8.RuneError:
		s.name()
	case r >= '0' && r <= '9' || r == '.' && len(rest) > 1 && isDigit(rest[1]) && !s.afterValue():
		s.number()
	case s.foreign(rest):
	default:
		for _, op := range operators {
			if strings.HasPrefix(rest, op) {
				s.operator(op)
				return
			}
		}
		s.unknown(r, size)
	}
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

func (s *scanner) emit(kind tokenKind, size int) *token {
	s.tokens = append(s.tokens,
		token{kind: kind, text: s.text[s.pos : s.pos+size], start: s.pos, end: s.pos + size})
	s.pos += size
	return &s.tokens[len(s.tokens)-1]
}

func (s *scanner) last() token {
	if len(s.tokens) == 0 {
		return token{kind: tNewline}
	}
	return s.tokens[len(s.tokens)-1]
}

// afterValue says that the last token, touching this place, ends a value: then .5 is not a number.
func (s *scanner) afterValue() bool {
	t := s.last()
	return t.end == s.pos && t.kind != tNewline && !t.continues()
}

// comment takes a comment of the given opener's length up to the line's end.
func (s *scanner) comment(opener int) {
	end := strings.IndexByte(s.text[s.pos:], '\n')
	if end < 0 {
		end = len(s.text) - s.pos
	}
	text := strings.TrimRight(s.text[s.pos:s.pos+end], " \t\r")
	if opener == 1 { // a foreign #
		s.comments = append(s.comments,
			ast.Comment{Span: source.Span{Start: s.pos, End: s.pos + len(text)},
				Text: "//" + text[1:]})
	} else {
		s.comments = append(s.comments,
			ast.Comment{Span: source.Span{Start: s.pos, End: s.pos + len(text)}, Text: text})
	}
	s.pos += end
}

func (s *scanner) name() {
	n := 0
	for n < len(s.text)-s.pos {
		r, size := utf8.DecodeRuneInString(s.text[s.pos+n:])
		if r == utf8.RuneError ||
			r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) {
			break
		}
		n += size
	}
	kind := tIdent
	if reserved[s.text[s.pos:s.pos+n]] {
		kind = tKey
	}
	s.emit(kind, n)
}

// operator takes an operator and keeps the account of brackets.
func (s *scanner) operator(op string) {
	switch op {
	case "(", "[", "{":
		t := s.emit(tOp, 1)
		if len(s.open) == maxNesting {
			s.add("E0117", source.Span{Start: t.start, End: t.end},
				fmt.Sprintf("brackets are nested more than %d deep here", maxNesting)).
				Note("name the inner parts with `let`")
		}
		if len(s.open) >= maxNesting {
			t.bad = true
		}
		s.open = append(s.open, len(s.tokens)-1)
	case ")", "]", "}":
		s.close(op)
	default:
		s.emit(tOp, len(op))
	}
}

var closers = map[string]string{"(": ")", "[": "]", "{": "}"}

// close takes a closing bracket. One that closes an outer bracket leaves the
// inner ones reported; one that closes nothing is itself reported.
func (s *scanner) close(op string) {
	match := -1
	for i := len(s.open) - 1; i >= 0; i-- {
		opener := s.tokens[s.open[i]].text
		if closers[opener] == op {
			match = i
			break
		}
		if opener == "{" { // a ) never closes past a brace
			break
		}
	}
	if match < 0 {
		here := source.Span{Start: s.pos, End: s.pos + 1}
		if n := len(s.open); n > 0 && op != "}" && s.tokens[s.open[n-1]].text != "{" {
			o := s.tokens[s.open[n-1]]
			s.add("E0103", here, fmt.Sprintf("`%s` does not close `%s`", op, o.text)).
				NoteAt(s.file, source.Span{Start: o.start, End: o.end},
					fmt.Sprintf("this `%s` is open and needs a `%s`", o.text, closers[o.text]))
			s.open = s.open[:n-1]
		} else {
			s.add("E0103", here, fmt.Sprintf("`%s` closes nothing", op))
		}
		if op == "}" {
			s.newline()
			s.pos++
			return
		}
		s.emit(tOp, 1).bad = true
		return
	}
	s.unclosed(s.open[match+1:])
	s.open = s.open[:match]
	s.emit(tOp, 1)
}

// unclosed reports opening brackets without their ends, which are given from the
// outermost to the innermost: one diagnostic for each brace, up to a number, and one
// for the brackets of a statement. An unclosed brace still makes a block, of all
// that follows.
func (s *scanner) unclosed(open []int) {
	const most = 8 // braces that are reported
	for braces := 0; len(open) > 0; {
		t := &s.tokens[open[0]]
		if t.text == "{" {
			if braces++; braces <= most {
				s.unclosedGroup(open[:1])
			} else {
				t.bad = true
			}
			open = open[1:]
			continue
		}
		n := 1
		for n < len(open) && s.tokens[open[n]].text != "{" {
			n++
		}
		if braces < most {
			s.unclosedGroup(open[:n])
		}
		for _, i := range open[:n] {
			s.tokens[i].bad = true
		}
		open = open[n:]
	}
}

// unclosedGroup reports a brace or the brackets of one statement.
func (s *scanner) unclosedGroup(open []int) {
	first, last := s.tokens[open[0]], s.tokens[open[len(open)-1]]
	span := source.Span{Start: first.start, End: first.end}
	if len(open) == 1 {
		s.add("E0103", span, fmt.Sprintf("`%s` is never closed: a `%s` is missing", first.text,
			closers[first.text]))
		return
	}
	const shown = 20
	var missing strings.Builder
	for k := len(open) - 1; k >= max(0, len(open)-shown); k-- {
		missing.WriteString(closers[s.tokens[open[k]].text])
	}
	what := fmt.Sprintf(": `%s` is missing", missing.String())
	if len(open) > shown {
		what = ""
	}
	s.add("E0103", span, fmt.Sprintf("%d brackets are never closed, and this is the first%s",
		len(open), what)).
		NoteAt(s.file, source.Span{Start: last.start, End: last.end},
			"this is the innermost of them")
}

// newline ends a statement.
func (s *scanner) newline() {
	if k := s.last(); k.kind != tNewline {
		s.tokens = append(s.tokens, token{kind: tNewline, start: s.pos, end: s.pos})
	}
}

// lineEnd decides what the end of a line means.
func (s *scanner) lineEnd() {
	inner := len(s.open) > 0 && s.tokens[s.open[len(s.open)-1]].text != "{"
	switch {
	case s.statementFollows():
		// A declaration cannot stand inside ( or after an operator, so something is missing before
		// it.
		n := len(s.open)
		for n > 0 && s.tokens[s.open[n-1]].text != "{" {
			n--
		}
		s.unclosed(s.open[n:])
		s.open = s.open[:n]
		s.newline()
	case inner:
	case s.last().continues():
	default:
		s.newline()
	}
}

// statementFollows looks at the next line for a contextual word before a name, or factor.
func (s *scanner) statementFollows() bool {
	rest := strings.TrimLeft(s.text[s.pos:], " \t\r\n")
	word := leadingName(rest)
	if word == "factor" {
		return true
	}
	if !words[word] || word == "check" {
		return false
	}
	after := strings.TrimLeft(rest[len(word):], " \t")
	return len(after) < len(rest)-len(word) && leadingName(after) != "" &&
		!reserved[leadingName(after)]
}

func leadingName(text string) string {
	for i, r := range text {
		if r != '_' && !unicode.IsLetter(r) && !(i > 0 && unicode.IsDigit(r)) {
			return text[:i]
		}
	}
	return text
}

func (s *scanner) add(code diag.Code, span source.Span, message string) *diag.Diagnostic {
	return s.diags.Add(&diag.Diagnostic{Code: code, Message: message, File: s.file, Span: span})
}
