// Package source holds model texts and the places in them.
package source

import (
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"
)

// A File is the text of one model or library file.
type File struct {
	Name string // as the user wrote it, or "stdlib/normal.sg"
	Text string

	// Origin says which text of another language it was made from; nil for one that was written.
	Origin *Origin

	lines []int // byte offset of each line's start
}

// An Origin is the text that a File was made from, with the place in it of each line of the File. A
// line that stands for no place has an empty span.
type Origin struct {
	File  *File
	Lines []Span
}

// Trace finds the place in the text of origin that a span was made from; false where there is none.
func (f *File) Trace(s Span) (Span, bool) {
	if f.Origin == nil {
		return Span{}, false
	}
	for line := f.Position(s.Start).Line; line >= 1; line-- {
		if line > len(f.Origin.Lines) {
			continue
		}
		if at := f.Origin.Lines[line-1]; at.End > at.Start {
			return at, true
		}
	}
	return Span{}, true
}

// New returns a File for the text, with its line table.
func New(name, text string) *File {
	f := &File{Name: name, Text: text, lines: []int{0}}
	for i := range len(text) {
		if text[i] == '\n' {
			f.lines = append(f.lines, i+1)
		}
	}
	return f
}

// A Span is a half-open range of byte offsets of one file.
type Span struct{ Start, End int }

// To returns the smallest span that covers both.
func (s Span) To(t Span) Span {
	return Span{min(s.Start, t.Start), max(s.End, t.End)}
}

// Pos makes every node that embeds a Span answer for its place.
func (s Span) Pos() Span { return s }

// A Position is a place as people count it: lines and columns from 1,
// columns in code points.
type Position struct{ Line, Column int }

func (p Position) String() string { return fmt.Sprintf("%d:%d", p.Line, p.Column) }

// Position finds the line and column of a byte offset.
func (f *File) Position(offset int) Position {
	offset = max(0, min(offset, len(f.Text)))
	line := sort.SearchInts(f.lines, offset+1) - 1
	return Position{line + 1, utf8.RuneCountInString(f.Text[f.lines[line]:offset]) + 1}
}

// Seen is the place of an offset as messages show it, with the name of the file: in a text that was
// made from another it is the place there.
func (f *File) Seen(offset int) (name string, at Position) {
	if place, made := f.Trace(Span{offset, offset}); made {
		return f.Origin.File.Name, f.Origin.File.Position(place.Start)
	}
	return f.Name, f.Position(offset)
}

// Place is the line of an offset as messages show it: file.sg:3.
func (f *File) Place(offset int) string {
	name, at := f.Seen(offset)
	return fmt.Sprintf("%s:%d", name, at.Line)
}

// Line returns the text of a line, counted from 1, without its end.
func (f *File) Line(n int) string {
	if n < 1 || n > len(f.lines) {
		return ""
	}
	text := f.Text[f.lines[n-1]:]
	if end := strings.IndexByte(text, '\n'); end >= 0 {
		text = text[:end]
	}
	return strings.TrimSuffix(text, "\r")
}

// Lines counts the lines of the file.
func (f *File) Lines() int { return len(f.lines) }
