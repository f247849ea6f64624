// Package stream reads the rows of a model from files as they are needed, so
// that data may be larger than memory.
//
// An index of each file says where its blocks of rows lie, and has a check sum of each; it is made
// once, before the first row is used, and is part of the run. Package batch says in which order
// blocks are taken: a page of a few of them is in memory, and the next two are read and bound
// meanwhile. Package data binds the rows, as it binds whole files, so a row has the same bits and a
// mistake the same message.
package stream

import (
	"fmt"

	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/data/format"
	"github.com/sgppl/sgppl/runtime/engine/data/problem"
)

// A Block is where some rows of a file lie.
type Block struct {
	Offset int64
	Size   int64  // in bytes
	CRC    uint32 // Castagnoli's, of these
	Line   int    // number of the first line
	First  int    // number in the file of the first row
	All    int    // rows of the file
	Rows   int    // those of them that are selected
}

// A File is a file with its index.
type File struct {
	format.RowText
	Path     string // as it is named in messages
	At       string // where it is, whatever the working directory
	Stored   string // of a file that is compressed: where the text is; else At is
	Size     int64  // of the text, as far as it is indexed
	Lines    int    // of it
	Modified int64  // ns since 1970, of Path
	Print    format.Fingerprint
	All      int // rows of the file
	Rows     int // that are selected
	Blocks   []Block
	Picked   bool        // the rows that are stored are those that are selected
	Gone     data.RowSet // rows of the file that are left out since entries are missing
	width    int         // bytes a row, of columns that are stored next to the run
	notes    []string    // of how the text is read
}

// text is where the text is.
func (f *File) text() string {
	if f.Stored != "" {
		return f.Stored
	}
	return f.At
}

func (f *File) fail(line int, code, message string, notes ...string) *problem.Error {
	return &problem.Error{Code: code, Message: message, File: f.Path, Line: line, Notes: notes}
}

// place says which rows of a file a block has.
func (b *Block) place() string { return fmt.Sprintf("rows %d to %d", b.First, b.First+b.All-1) }
