package formula

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// A Span is a part of the text of a formula, in bytes.
type Span struct{ Start, End int }

// An Error is a mistake in a formula, or a column that does not fit it.
type Error struct {
	Formula string // the whole text
	At      Span
	Message string // what was expected and what was found
	Suggest string // what to do; may be empty
	OfData  bool   // the formula is right and the column is not
}

// Error shows the message, the place in the formula and the suggestion.
func (e *Error) Error() string {
	start := min(e.At.Start, len(e.Formula))
	end := min(max(e.At.End, start), len(e.Formula))
	column := utf8.RuneCountInString(e.Formula[:start])
	width := max(1, utf8.RuneCountInString(e.Formula[start:end]))
	var b strings.Builder
	fmt.Fprintf(&b, "formula, column %d: %s\n", column+1, e.Message)
	fmt.Fprintf(&b, "  %s\n  %s%s", strings.Map(oneLine, e.Formula), strings.Repeat(" ", column),
		strings.Repeat("^", width))
	if e.Suggest != "" {
		fmt.Fprintf(&b, "\nsuggestion: %s", e.Suggest)
	}
	return b.String()
}

// oneLine keeps the text of a formula on one line, so that the marks stand below it.
func oneLine(r rune) rune {
	if r == '\n' || r == '\t' || r == '\r' {
		return ' '
	}
	return r
}
