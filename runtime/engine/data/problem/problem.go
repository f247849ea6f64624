// Package problem has the errors of data, each with its place and a suggestion, and the table of
// their codes, which `sgppl explain` prints.
package problem

import (
	"strings"

	"github.com/sgppl/sgppl/runtime/base/printable"
)

// An Error is one thing wrong with the data. Its code explains itself in
// [Codes].
type Error struct {
	Code    string // "D01xx"; see Codes
	Message string // one sentence, no full stop
	Name    string // the input or dim it is about, where there is one
	File    string // the file it is in; empty for a program's own arrays
	Line    int    // 1-based; 0 when the format has no lines
	Column  int    // 1-based, in code points; 0 when unknown
	Decl    string // file:line of the declaration it breaks; may be empty
	Notes   []string
}

// Error renders the error on several lines: place, message, then notes. Text from files is made fit
// for a terminal, and cut if it is long.
func (e *Error) Error() string {
	var b strings.Builder
	if e.File != "" {
		b.WriteString(printable.Line(place(e.File, e.Line, e.Column)) + ": ")
	}
	b.WriteString("error[" + e.Code + "]: " + printable.Line(e.Message))
	if e.Decl != "" {
		b.WriteString("\n  declared at " + printable.Line(e.Decl))
	}
	for _, n := range e.Notes {
		b.WriteString("\n  note: " + printable.Line(n))
	}
	return b.String()
}

// Printable says that Error escapes names, as printable.Error asks.
func (e *Error) Printable() {}
