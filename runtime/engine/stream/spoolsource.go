package stream

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/data/format"
	"github.com/sgppl/sgppl/runtime/engine/data/problem"
)

// spoolSource stores the columns of a source next to the run: first the table that another program
// writes, then, row by row, those of its columns that are needed.
func (f *File) spoolSource(
	s format.Source, rows *data.RowFile, o Options, number int,
) *problem.Error {
	cannot := func(err error) *problem.Error {
		return &problem.Error{Code: "D0161",
			Message: fmt.Sprintf("what %s holds cannot be stored: %v", f.Path, err)}
	}
	on := disk.Or(o.Disk)
	if err := disk.MkdirAll(on, o.Spool, 0o777); err != nil {
		return cannot(err)
	}
	table := absolute(filepath.Join(o.Spool, fmt.Sprintf("%d.table", number)))
	defer on.Remove(table)
	out, err := create(on, table)
	if err != nil {
		return cannot(err)
	}
	size := &counted{to: out}
	wrong := format.WriteSource(s, f.Path, false, size)
	if err := out.Close(); err != nil && wrong == nil {
		wrong = cannot(err)
	}
	if size.failed != nil {
		wrong = cannot(size.failed)
	}
	if wrong != nil {
		return wrong
	}
	in, err := disk.Open(on, table)
	if err != nil {
		return cannot(err)
	}
	defer in.Close()
	if wrong := f.printSource(s, in, size.n); wrong != nil {
		return wrong
	}
	f.Stored = absolute(filepath.Join(o.Spool, fmt.Sprintf("%d.text", number)))
	cells, err := create(on, f.Stored)
	if err != nil {
		return cannot(err)
	}
	err = f.cells(rows, in, size.n, o.Fits, cells)
	err = errors.Join(err, cells.Close())
	if err == nil {
		return nil
	}
	on.Remove(f.Stored)
	f.Stored = ""
	var own *problem.Error
	if !errors.As(err, &own) {
		own = cannot(err)
	}
	return own
}

// printSource takes the fingerprint: of a file its bytes, of a database the rows.
func (f *File) printSource(s format.Source, table io.ReaderAt, size int64) (wrong *problem.Error) {
	if s.Kind != "arrow" {
		f.At = "" // what is stored is all that is read of it
		f.Print, wrong = format.SourcePrint(f.Path, table, size)
		return wrong
	}
	in, err := disk.OpenRegular(f.At)
	if err != nil {
		return f.openError(err)
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return f.openError(err)
	}
	sum := newSum(in)
	if _, err := io.Copy(io.Discard, sum); err != nil {
		return f.fail(0, "D0104", "cannot be read to its end: "+err.Error())
	}
	f.Modified, f.Print = info.ModTime().UnixNano(), sum.print(f.Path)
	return nil
}

// counted counts what is written, and keeps why that failed.
type counted struct {
	to     io.Writer
	n      int64
	failed error
}

func (c *counted) Write(b []byte) (int, error) {
	n, err := c.to.Write(b)
	c.n += int64(n)
	if err != nil {
		c.failed = err
	}
	return n, err
}
