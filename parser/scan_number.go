package parser

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sgppl/sgppl/lang/source"
)

// number takes 3, 0.5 or 1e-6, and says what is wrong with .5, 1., 1e and 1_000.
func (s *scanner) number() {
	text := s.text[s.pos:]
	n := digits(text)
	problem, better := "", ""
	if n == 0 {
		problem = "a number needs a digit before its point"
	}
	if n < len(text) && text[n] == '.' &&
		!(n+1 < len(text) && (startsName(text[n+1:]) || text[n+1] == '.')) {
		d := digits(text[n+1:])
		n += 1 + d
		if d == 0 {
			problem, better = "a number needs a digit after its point", text[:n]+"0"
		}
	}
	if n < len(text) && (text[n] == 'e' || text[n] == 'E') {
		m := n + 1
		if m < len(text) && (text[m] == '+' || text[m] == '-') {
			m++
		}
		if d := digits(text[m:]); d > 0 {
			n = m + d
		}
	}
	if problem == "a number needs a digit before its point" {
		better = "0" + text[:n]
	}
	t := s.emit(tNumber, n)
	span := source.Span{Start: t.start, End: t.end}
	if _, err := strconv.ParseFloat(t.text, 64); problem == "" && err != nil {
		s.add("E0104", span,
			fmt.Sprintf("`%s` is too large for a number (the largest is about 1.8e308)",
				t.text)).Note("`inf` is a number of its own")
		t.bad = true
	}
	if problem != "" {
		s.add("E0104", span, problem).Suggest(span, better)
		t.text = better
		if _, err := strconv.ParseFloat(better, 64); err != nil {
			t.bad = true
		}
	}
	if tail := nameLength(s.text[s.pos:]); tail > 0 && startsName(s.text[s.pos:]) {
		t.bad = true
		s.badTail(t, tail)
	}
}

// badTail reports a name that touches a number: 2x, 1_000, 1e.
func (s *scanner) badTail(t *token, tail int) {
	number, name := t.text, s.text[s.pos:s.pos+tail]
	span := source.Span{Start: t.start, End: s.pos + tail}
	d := s.add("E0104", span, fmt.Sprintf("`%s%s` is neither a number nor a name", number, name))
	switch plain := strings.ReplaceAll(name, "_", ""); {
	case name[0] == '_' && digits(plain) == len(plain) && plain != "":
		d.Suggest(span, number+plain)
	case name == "e" || name == "E":
		d.Note("an exponent needs digits: 1e-6")
	case name == "L" || name == "f" || name == "i":
		d.Note("numbers have no suffix letters")
	case number == "0" && strings.ContainsRune("xXbBoO", rune(name[0])):
		d.Note("numbers are decimal")
	default:
		d.Note("a product is written with `*`").Suggest(span, number+" * "+name)
	}
	s.pos += tail
	t.end = s.pos
}

func digits(text string) int {
	n := 0
	for n < len(text) && isDigit(text[n]) {
		n++
	}
	return n
}

func startsName(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return r != utf8.RuneError && (r == '_' || unicode.IsLetter(r))
}

func nameLength(text string) int {
	for i, r := range text {
		if r == utf8.RuneError ||
			r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) {
			return i
		}
	}
	return len(text)
}
