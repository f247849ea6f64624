// Package diag holds diagnostics as values: what is wrong, where, and what to try.
package diag

import (
	"sort"
	"strings"

	"github.com/sgppl/sgppl/lang/source"
)

// A Code names one kind of mistake for ever, such as "E0203". The table in
// codes.go explains each and shows a program that makes it.
type Code string

// Severity orders diagnostics by weight.
type Severity int

const (
	Error Severity = iota
	Warning
)

func (s Severity) String() string {
	if s == Warning {
		return "warning"
	}
	return "error"
}

// A Note adds a sentence, and where it helps a second place.
type Note struct {
	Text string
	File *source.File // nil when the note has no place
	Span source.Span
}

// An Edit suggests replacing a span by a text.
type Edit struct {
	Span source.Span
	Text string
}

// A Diagnostic is one mistake of one file.
type Diagnostic struct {
	Code     Code
	Severity Severity
	Message  string // one sentence in the user's words, no full stop
	File     *source.File
	Span     source.Span
	Notes    []Note
	Edits    []Edit
}

// A List collects the diagnostics of a run.
type List []*Diagnostic

// Add appends a diagnostic and returns it, so that notes and edits can follow.
func (l *List) Add(d *Diagnostic) *Diagnostic {
	*l = append(*l, d)
	return d
}

// Errors reports whether the list holds an error.
func (l List) Errors() bool {
	for _, d := range l {
		if d.Severity == Error {
			return true
		}
	}
	return false
}

// Sort orders by file, place and code.
func (l List) Sort() {
	sort.SliceStable(l, func(i, j int) bool {
		a, b := l[i], l[j]
		if a.File != b.File && a.File != nil && b.File != nil {
			return a.File.Name < b.File.Name
		}
		if a.Span.Start != b.Span.Start {
			return a.Span.Start < b.Span.Start
		}
		return a.Code < b.Code
	})
}

// Note adds a sentence without a place.
func (d *Diagnostic) Note(text string) *Diagnostic {
	d.Notes = append(d.Notes, Note{Text: text})
	return d
}

// NoteAt adds a sentence about another place.
func (d *Diagnostic) NoteAt(f *source.File, span source.Span, text string) *Diagnostic {
	d.Notes = append(d.Notes, Note{Text: text, File: f, Span: span})
	return d
}

// Suggest adds an edit.
func (d *Diagnostic) Suggest(span source.Span, text string) *Diagnostic {
	d.Edits = append(d.Edits, Edit{span, text})
	return d
}

// traced is a diagnostic as people see it: that of a text which was made from another stands at the
// place in the other, and a note has the line that was made of it.
func (d *Diagnostic) traced() *Diagnostic {
	if d.File == nil || d.File.Origin == nil {
		return d
	}
	out := *d
	at, _ := d.File.Trace(d.Span)
	out.File, out.Span, out.Edits = d.File.Origin.File, at, nil
	line := strings.TrimSpace(d.File.Line(d.File.Position(d.Span.Start).Line))
	out.Notes = []Note{{Text: "which is imported as: " + line}}
	for _, n := range d.Notes {
		if n.File != nil && n.File.Origin != nil {
			at, _ := n.File.Trace(n.Span)
			n.File, n.Span = n.File.Origin.File, at
		}
		out.Notes = append(out.Notes, n)
	}
	return &out
}
