package diag

import (
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/base/printable"
)

// A JSONPlace is a span as tools count it: lines and columns from 1, columns
// in code points, the end exclusive. Line is 0 where the place is unknown.
type JSONPlace struct {
	File      string `json:"file"`
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndLine   int    `json:"endLine"`
	EndColumn int    `json:"endColumn"`
}

// A JSONNote is a note of a diagnostic; its place is absent when it has none.
type JSONNote struct {
	Message string     `json:"message"`
	Place   *JSONPlace `json:"place,omitempty"`
}

// A JSONEdit is a suggested replacement of a place by a text.
type JSONEdit struct {
	JSONPlace
	Text string `json:"text"`
}

// A JSONDiagnostic is one diagnostic as `sgppl check --json` prints it.
type JSONDiagnostic struct {
	Code     Code   `json:"code"`
	Severity string `json:"severity"`
	Message  string `json:"message"`
	JSONPlace
	Notes []JSONNote `json:"notes"`
	Edits []JSONEdit `json:"edits"`
}

// JSON returns the list in the form that encoding/json prints for tools. No
// slice in it is nil.
func (l List) JSON() []JSONDiagnostic {
	out := make([]JSONDiagnostic, 0, len(l))
	for _, d := range l {
		d = d.traced()
		j := JSONDiagnostic{Code: d.Code, Severity: d.Severity.String(),
			Message:   printable.Cut(d.Message, printable.Most),
			JSONPlace: place(d.File, d.Span), Notes: []JSONNote{}, Edits: []JSONEdit{}}
		for _, n := range d.Notes {
			note := JSONNote{Message: printable.Cut(n.Text, printable.Most)}
			if n.File != nil {
				p := place(n.File, n.Span)
				note.Place = &p
			}
			j.Notes = append(j.Notes, note)
		}
		for _, e := range d.Edits {
			j.Edits = append(j.Edits, JSONEdit{place(d.File, e.Span), e.Text})
		}
		out = append(out, j)
	}
	return out
}

func place(f *source.File, s source.Span) JSONPlace {
	if f == nil {
		return JSONPlace{}
	}
	start, end := f.Position(s.Start), f.Position(max(s.Start, s.End))
	return JSONPlace{f.Name, start.Line, start.Column, end.Line, end.Column}
}
