package parser

import (
	"fmt"
	"strings"

	"github.com/sgppl/sgppl/lang/foreign"
	"github.com/sgppl/sgppl/lang/source"
)

// foreign deals with what other languages write. It reports whether it took anything.
func (s *scanner) foreign(rest string) bool {
	switch {
	case rest[0] == ';':
		s.semicolon()
	case rest[0] == '#':
		s.add("E0106", s.here(1), "a comment begins with `//`").Suggest(s.here(1), "//")
		s.comment(1)
	case strings.HasPrefix(rest, "/*"):
		s.blockComment(rest)
	case strings.HasPrefix(rest, "“"), strings.HasPrefix(rest, "‘"), strings.HasPrefix(rest, "”"):
		s.curlyLiteral(rest)
	case rest[0] == '"', rest[0] == '\'' && !s.afterValue(), rest[0] == '`':
		s.stringLiteral(rest)
	case rest[0] == '\'':
		d := s.add("E0106", s.here(1),
			"there is no `'`; a transpose is `transpose(a)`").Note("often none is needed: `a @ " +
			"b` sums the last axis of a with the first of b")
		if t := s.last(); t.kind == tIdent {
			d.Suggest(source.Span{Start: t.start, End: s.pos + 1}, "transpose("+t.text+")")
		}
		s.emit(tOp, 1).bad = true
	case rest[0] == '|' && !strings.HasPrefix(rest, "||") && s.inCall():
		s.bar()
	case rest[0] == '|' && !strings.HasPrefix(rest, "||") && s.absolute(rest) > 0:
		span := s.here(s.absolute(rest))
		s.add("E0106", span, "an absolute value is written `abs(x)`").Suggest(span,
			"abs("+rest[1:span.End-span.Start-1]+")")
		s.emit(tOp, span.End-span.Start).bad = true
	case strings.HasPrefix(rest, "²"), strings.HasPrefix(rest, "³"):
		span, power := s.here(2), "^2"
		if strings.HasPrefix(rest, "³") {
			power = "^3"
		}
		s.add("E0106", span, "a power is written `^`").Suggest(span, power)
		s.emit(tOp, 2).text = "^"
		s.tokens = append(s.tokens,
			token{kind: tNumber, text: power[1:], start: span.Start, end: span.End})
	case rest[0] == '!' && !strings.HasPrefix(rest, "!="):
		s.add("E0106", s.here(1), "`!` is written `not`").Suggest(s.here(1), "not ")
		s.emit(tKey, 1).text = "not"
	default:
		for _, sp := range foreign.Signs {
			if strings.HasPrefix(rest, sp.Theirs) {
				s.spelling(sp)
				return true
			}
		}
		return false
	}
	return true
}

// absolute is the length of |x| at the start of a text, 0 where there is none on the line.
func (s *scanner) absolute(rest string) int {
	end := strings.IndexAny(rest[1:], "|\n")
	if end < 1 || rest[1+end] != '|' || strings.HasPrefix(rest[1+end:], "||") {
		return 0
	}
	return end + 2
}

// inCall says that the innermost open bracket is ( behind a name.
func (s *scanner) inCall() bool {
	if len(s.open) == 0 {
		return false
	}
	i := s.open[len(s.open)-1]
	return s.tokens[i].text == "(" && i > 0 && s.tokens[i-1].kind == tIdent
}

// bar reads the | of normal_lpdf(y | mu, sigma) as a comma. The name with its
// ending is the same mistake, and read as normal.logpdf.
func (s *scanner) bar() {
	span := s.here(1)
	open := s.open[len(s.open)-1]
	name := s.tokens[open-1]
	for ending, line := range foreign.Barred {
		base, found := strings.CutSuffix(name.text, ending)
		if !found || base == "" {
			continue
		}
		at := source.Span{Start: name.start, End: name.end}
		s.add("E0106", at, "a distribution's functions are its parts: "+base+"."+line+
			"(y, …)").Suggest(at, base+"."+line).Suggest(s.joined(span), ",")
		parts := []token{{kind: tIdent, text: base, start: at.Start, end: at.End},
			{kind: tOp, text: ".", start: at.Start, end: at.End},
			{kind: tIdent, text: line, start: at.Start, end: at.End}}
		rest := append(parts, s.tokens[open:]...)
		s.tokens = append(s.tokens[:open-1:open-1], rest...)
		s.open[len(s.open)-1] += 2
		s.emit(tOp, 1).text = ","
		return
	}
	s.add("E0106", span, "parameters follow after a comma, not after `|`").Suggest(s.joined(span),
		",")
	s.emit(tOp, 1).text = ","
}

// joined widens a place by the blanks before it.
func (s *scanner) joined(span source.Span) source.Span {
	for span.Start > 0 && s.text[span.Start-1] == ' ' {
		span.Start--
	}
	return span
}

func (s *scanner) here(size int) source.Span { return source.Span{Start: s.pos, End: s.pos + size} }

func (s *scanner) spelling(sp foreign.Sign) {
	span := s.here(len(sp.Theirs))
	kind := tOp
	if sp.Word {
		kind = tKey
	}
	d := s.add("E0106", span, sp.Say)
	t := s.emit(kind, len(sp.Theirs))
	if sp.Ours == "" {
		t.bad = true
		return
	}
	t.text = sp.Ours
	d.Suggest(span, sp.Ours)
}

// semicolon is a newline; the first one is reported with an edit for each.
func (s *scanner) semicolon() {
	for _, d := range s.diags {
		if d.Code == "E0106" && strings.HasPrefix(d.Message, semicolonMessage) {
			d.Suggest(s.here(1), s.semicolonEdit())
			s.newline()
			s.pos++
			return
		}
	}
	s.add("E0106", s.here(1), semicolonMessage+"; the end of the line ends it").Suggest(s.here(1),
		s.semicolonEdit())
	s.newline()
	s.pos++
}

const semicolonMessage = "no `;` ends a statement"

// semicolonEdit is nothing at a line's end, and a line's end between two statements.
func (s *scanner) semicolonEdit() string {
	rest := strings.TrimLeft(s.text[s.pos+1:], " \t\r")
	if rest == "" || rest[0] == '\n' || rest[0] == '}' || strings.HasPrefix(rest, "//") {
		return ""
	}
	return "\n"
}

func (s *scanner) blockComment(rest string) {
	end := strings.Index(rest[2:], "*/")
	size := len(rest)
	if end >= 0 {
		size = end + 4
	}
	d := s.add("E0106", s.here(2), "a comment begins with `//` and ends with its line")
	if !strings.Contains(rest[:size], "\n") && end >= 0 {
		text := strings.TrimSpace(rest[2 : size-2])
		after := strings.TrimLeft(rest[size:], " \t\r")
		if after == "" || after[0] == '\n' {
			d.Suggest(s.here(size), "// "+text)
		}
	}
	s.pos += size
}

func (s *scanner) stringLiteral(rest string) {
	quote, end := rest[0], 1
	for end < len(rest) && rest[end] != quote && rest[end] != '\n' {
		end++
	}
	if end < len(rest) && rest[end] == quote {
		end++
	}
	s.add("E0107", s.here(end),
		"there are no strings in a model").Note("files are named on the command line, categories " +
		"are `index[K]`")
	s.emit(tOp, end).bad = true
}

// curlyLiteral is a text between typographic quotes.
func (s *scanner) curlyLiteral(rest string) {
	size := len("“")
	if end := strings.IndexAny(rest[size:], "”’\n"); end >= 0 && rest[size+end] != '\n' {
		size += end + len("”")
	}
	s.add("E0107", s.here(size),
		"there are no strings in a model").Note("files are named on the command line, categories " +
		"are `index[K]`")
	s.emit(tOp, size).bad = true
}

// unknown reports a character that means nothing.
func (s *scanner) unknown(r rune, size int) {
	span := s.here(size)
	d := s.add("E0102", span, fmt.Sprintf("the character %s means nothing here",
		quoteRune(r, s.text[s.pos:s.pos+size])))
	switch r {
	case '|':
		d.Note("one of two conditions is `a or b`; parameters follow after a comma: " +
			"normal.logpdf(y, mu, sigma)")
	case '₀', '₁', '₂', '₃', '₄', '₅', '₆', '₇', '₈', '₉':
		d.Note("in names, digits are plain ones: β1").Suggest(span, string('0'+r-'₀'))
	case '$':
		d.Note("a part is named with a point: hid.W")
	case '\u00a0', '\u2009', '\u202f', '\u3000':
		d.Note("it looks like a space; type a plain one").Suggest(span, " ")
		s.pos += size
		return
	}
	s.emit(tOp, size).bad = true
}

func quoteRune(r rune, raw string) string {
	switch {
	case r == 0xfffd && len(raw) == 1:
		return fmt.Sprintf("with byte 0x%02x (the text is not UTF-8)", raw[0])
	case r < 0x20 || r == 0x7f || r >= 0x80 && !isGraphic(r):
		return fmt.Sprintf("U+%04X", r)
	}
	return "`" + string(r) + "`"
}
