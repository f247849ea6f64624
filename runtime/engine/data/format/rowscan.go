package format

import (
	"bufio"
	"bytes"

	"github.com/sgppl/sgppl/runtime/engine/data/problem"
)

// A Rowwise says how files of a format are read by rows.
type Rowwise struct {
	counted bool
	table   bool
	columns bool

	fields func(t *Table, in *bufio.Reader) []*problem.Error // finds the names of fields
	// For texts: line handles a line after the head, and may be nil if every line with text is a row;
	// head handles lines of the head, and is nil for formats without one; end handles the end.
	line func(s *RowScanner, line []byte, number int) *problem.Error
	head func(s *RowScanner, text []byte) *problem.Error
	end  func(s *RowScanner) *problem.Error
	read func(t *RowText, in *lineReader, p Piece) (rowData, []*problem.Error)
}

// ByRows returns how files of a format are read by rows; nil of formats that are not.
func ByRows(format string) *Rowwise {
	for i := range Formats {
		if Formats[i].Name == format {
			return Formats[i].Rows
		}
	}
	return nil
}

// Counted reports whether the head says how many rows there are, so that none can be
// appended, and rows have no lines that could be read alone.
func (r *Rowwise) Counted() bool { return r != nil && r.counted }

// Tabular reports whether rows are numbers in columns, which may be stored as cells.
func (r *Rowwise) Tabular() bool { return r != nil && r.table }

// FromColumns reports whether rows are stored as cells before they are read.
func (r *Rowwise) FromColumns() bool { return r != nil && r.columns }

// RowFormats are the formats that can be read by rows.
func RowFormats() []string {
	var out []string
	for _, f := range Formats {
		if f.Rows != nil {
			out = append(out, f.Name)
		}
	}
	return out
}

// A RowScanner finds where rows begin. It takes the lines of a text one after
// the other. A copy goes on by itself.
type RowScanner struct {
	Text RowText
	// Rows is how many have begun by the line taken last.
	Rows int

	by      *Rowwise
	begun   bool // the head is behind
	open    bool // a quote of csv
	columns int
	entries int64
	doc     docword
	blank   int // line of a blank line of LDA-C
	keys    *jsonLines
	told    textNotes
}

// NewRowScanner scans a file in one of the RowFormats.
func NewRowScanner(file, format string) *RowScanner {
	by := ByRows(format)
	if by == nil {
		by = &Rowwise{} // of cells, which have no lines
	}
	return &RowScanner{Text: RowText{File: file, Format: format, Base: -1}, by: by,
		begun: by.head == nil && by.read != nil}
}

// ContinueRowScanner goes on behind so many rows of a text.
func ContinueRowScanner(t RowText, rows int) *RowScanner {
	s := NewRowScanner(t.File, t.Format)
	if len(t.Head) > 0 {
		s.HeadEnds(t.Head)
	}
	s.Text, s.Rows, s.begun = t, rows, true
	return s
}

// A textNotes is what notes tell of a table of text.
type textNotes struct {
	semicolons    bool // separate cells
	commas, latin bool
}

// Notes tell how the text that was scanned is read, where there are other ways.
func (s *RowScanner) Notes() []string {
	return notesOfText(s.Text.File, s.told.commas, s.told.latin)
}

// InHead reports whether the line taken last is one of the head.
func (s *RowScanner) InHead() bool { return !s.begun }

// Open reports whether a row goes on in the next line.
func (s *RowScanner) Open() bool { return s.open }

// Line takes a line without its end, the number-th of the file.
func (s *RowScanner) Line(line []byte, number int) *problem.Error {
	if n := len(line); n > 0 && line[n-1] == '\r' {
		line = line[:n-1]
	}
	if s.by.line != nil {
		return s.by.line(s, line, number)
	}
	if i := skipBlank(line, 0); i < len(line) && line[i] != '#' {
		s.Rows++
	}
	return nil
}

// HeadEnds is called behind every line of the head with its whole text so far;
// from when it says so, lines are rows.
func (s *RowScanner) HeadEnds(head []byte) (bool, *problem.Error) {
	if s.by.head == nil {
		s.begun = true
	} else if e := s.by.head(s, head); e != nil {
		return false, e
	}
	if s.begun {
		s.Text.Head = bytes.Clone(head)
	}
	return s.begun, nil
}

// End is called behind the last line.
func (s *RowScanner) End(line int) *problem.Error {
	t := NewTable(s.Text.File, s.Text.Format)
	if s.open {
		return t.Fail(line, 0, "D0109", "a quote is not closed")
	}
	if s.by.end != nil {
		if e := s.by.end(s); e != nil {
			return e
		}
	}
	switch {
	case !s.begun:
		return t.Fail(0, 0, "D0103", "holds no header and no rows")
	case s.Rows == 0:
		return t.Fail(0, 0, "D0103", "holds no rows")
	}
	return nil
}
