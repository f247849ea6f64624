package format

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/sgppl/sgppl/runtime/base/memory"
	"github.com/sgppl/sgppl/runtime/engine/data/problem"
)

// SourceProgram is the program that reads sources for the command.
const SourceProgram = "sgppl-sources"

// InstallSources is the line that installs it.
const InstallSources = "go install github.com/sgppl/sgppl/sources/cmd/" + SourceProgram + "@latest"

// A SourceReader writes a source as a table of typed columns, or, with head, its columns without
// rows. Errors of the source are in the table. The returned error says why the table is missing or
// incomplete.
type SourceReader func(s Source, head bool, to io.Writer) error

// readSources is the reader that was registered.
var readSources SourceReader

// RegisterSources has sources read by a program, or by a library. It is for init functions;
// a second call panics.
func RegisterSources(read SourceReader) {
	if readSources != nil {
		panic("data: a reader of sources is registered twice")
	}
	readSources = read
}

// isTable reports whether files of a format are read as tables of typed columns.
func isTable(format string) bool {
	return format == "sgtable" || format == "arrow" || format == "sqlite"
}

// Outside returns the source that a path is, or a file of a format that another program
// reads.
func Outside(path, format string) (s Source, is bool) {
	if format == "arrow" || format == "sqlite" {
		return Source{Kind: format, Address: path}, true
	}
	s, _, is = SourceOf(path)
	return s, is
}

// WriteSource writes a source as a table of typed columns. file is the name of the source in
// messages.
func WriteSource(s Source, file string, head bool, to io.Writer) *problem.Error {
	t := NewTable(file, s.Kind)
	if readSources == nil {
		e := t.Fail(0, 0, "D0163", "this program has no reader of "+s.Kind)
		e.Notes = []string{"the command sgppl has one, with the program " + SourceProgram}
		return e
	}
	if s.IsFile() {
		info, err := os.Stat(s.Address)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			e := t.Fail(0, 0, "D0101", "there is no such file")
			if file != s.Address {
				e = t.Fail(0, 0, "D0101", "there is no file "+s.Address)
			}
			return e
		case err != nil:
			return t.Fail(0, 0, "D0101", "cannot be opened: "+reason(err))
		case info.IsDir():
			return t.Fail(0, 0, "D0102", "is a directory, and a file is expected")
		case isCompressed(s.Address):
			return t.Fail(0, 0, "D0159", "is compressed as a whole: write it out first, or "+
				"compress its columns, as Arrow does")
		}
	}
	if path, is := strings.CutPrefix(s.Query, "@"); is {
		b, err := os.ReadFile(path)
		if err != nil {
			return t.Fail(0, 0, "D0101", "the file of the query cannot be read: "+err.Error())
		}
		s.Query = string(b)
	}
	out := &tableEnd{to: to}
	err := readSources(s, head, out)
	var e *problem.Error
	switch {
	case errors.As(err, &e) && e.Code == "D0164":
		return t.columnError(err)
	case out.failed != nil:
		return t.readError(0, out.failed)
	case err != nil && !out.begun:
		return t.columnError(err)
	}
	return nil // what the table says is seen when it is read
}

// A tableEnd passes a table on, and knows whether one has begun.
type tableEnd struct {
	to     io.Writer
	begun  bool
	failed error // of the writer
}

func (w *tableEnd) Write(b []byte) (int, error) {
	w.begun = w.begun || len(b) > 0
	n, err := w.to.Write(b)
	if err != nil {
		w.failed = err
	}
	return n, err
}

// A tableBuffer holds a table within the limit of memory.
type tableBuffer struct {
	bytes.Buffer
	meter memory.Meter
}

// Write implements io.Writer.
func (b *tableBuffer) Write(p []byte) (int, error) {
	if err := b.meter.Add(len(p)); err != nil {
		return 0, err
	}
	return b.Buffer.Write(p)
}

// fetch reads a source into memory.
func (c *columnTable) fetch(s Source, head bool) *problem.Error {
	b := &tableBuffer{meter: memory.Meter{What: reading}}
	if e := WriteSource(s, c.t.File, head, b); e != nil {
		if e.Code == "D0164" {
			e.Notes = append(e.Notes, "a query can read fewer columns and rows")
		}
		return e
	}
	c.all = b.Bytes()
	return nil
}

// readSource reads a source whole. Its fingerprint is that of its columns and rows.
func readSource(s Source, file string) (*Table, []*problem.Error) {
	t := NewTable(file, "sgtable")
	c := &columnTable{t: t}
	if e := c.fetch(s, false); e != nil {
		return t, []*problem.Error{e}
	}
	if errs := c.begin(); errs != nil {
		return t, errs
	}
	if s.Kind != "arrow" {
		t.Print = c.opened.(*sgTable).print(file)
	}
	return t, nil
}

// readOutside returns the reader of files of a format that another program reads.
func readOutside(kind string) func(string, io.Reader) (*Table, []*problem.Error) {
	return func(file string, _ io.Reader) (*Table, []*problem.Error) {
		return readSource(Source{Kind: kind, Address: file}, file)
	}
}

// SourcePrint is the fingerprint of the columns and rows of a table of typed columns.
func SourcePrint(file string, r io.ReaderAt, size int64) (Fingerprint, *problem.Error) {
	f, err := openTable(r, size)
	if err != nil {
		return Fingerprint{}, NewTable(file, "sgtable").columnError(err)
	}
	return f.(*sgTable).print(file), nil
}

// sourceNames are the columns of a source.
func sourceNames(s Source, file string) ([]string, *problem.Error) {
	c := &columnTable{t: NewTable(file, "sgtable")}
	if e := c.fetch(s, true); e != nil {
		return nil, e
	}
	if e := c.open(c.head); e != nil {
		return nil, e
	}
	c.offer()
	return c.t.Fields, nil
}
