package lsp

import (
	"sort"
	"unicode/utf8"

	"github.com/sgppl/sgppl/lang/source"
)

// An encoding says what the protocol counts in a line: bytes, or units of UTF-16.
type encoding string

const (
	utf16Units encoding = "utf-16"
	utf8Bytes  encoding = "utf-8"
)

// A lineTable finds places of a text by line and column. Lines end with \n, \r\n or \r.
type lineTable struct {
	text   string
	starts []int
	units  encoding
}

func newLineTable(text string, units encoding) *lineTable {
	t := &lineTable{text: text, starts: []int{0}, units: units}
	for i := 0; i < len(text); i++ {
		if text[i] == '\n' || text[i] == '\r' && (i+1 == len(text) || text[i+1] != '\n') {
			t.starts = append(t.starts, i+1)
		}
	}
	return t
}

// lineEnd is the offset of the end of a line, before what ends it.
func (t *lineTable) lineEnd(line int) int {
	end := len(t.text)
	if line+1 < len(t.starts) {
		end = t.starts[line+1]
	}
	for end > t.starts[line] && (t.text[end-1] == '\n' || t.text[end-1] == '\r') {
		end--
	}
	return end
}

// offset is the byte of a position. Positions outside the text are moved to the nearest in it.
func (t *lineTable) offset(p position) int {
	if p.Line < 0 {
		return 0
	}
	if p.Line >= len(t.starts) {
		return len(t.text)
	}
	at, end := t.starts[p.Line], t.lineEnd(p.Line)
	for column := 0; at < end; {
		r, size := utf8.DecodeRuneInString(t.text[at:])
		column += t.width(r, size)
		if column > p.Character {
			break
		}
		at += size
	}
	return at
}

// width counts the columns of a character.
func (t *lineTable) width(r rune, size int) int {
	switch {
	case t.units == utf8Bytes:
		return size
	case r > 0xffff:
		return 2
	}
	return 1
}

// position is the line and column of a byte.
func (t *lineTable) position(offset int) position {
	offset = max(0, min(offset, len(t.text)))
	line := sort.SearchInts(t.starts, offset+1) - 1
	offset = min(offset, t.lineEnd(line))
	column := 0
	for at := t.starts[line]; at < offset; {
		r, size := utf8.DecodeRuneInString(t.text[at:])
		column += t.width(r, size)
		at += size
	}
	return position{line, column}
}

func (t *lineTable) span(s source.Span) textRange {
	return textRange{t.position(s.Start), t.position(max(s.Start, s.End))}
}
