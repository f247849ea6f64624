package stream

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/data/format"
	"github.com/sgppl/sgppl/runtime/engine/data/problem"
)

// spool stores the content of a file next to the run, once, if reading cannot start at any row of
// the file: the text of a compressed file, the numeric columns of a Parquet file row by row.
func (f *File) spool(rows *data.RowFile, o Options, number int) *problem.Error {
	dir := o.Spool
	open, packed := format.Unpacked(f.Path)
	columns := format.ByRows(f.Format).FromColumns()
	if !packed && !columns {
		return nil
	}
	if packed && columns {
		return f.fail(0, "D0159", "is compressed as a whole; Parquet files compress their pages")
	}
	if dir == "" {
		return f.fail(0, "D0159",
			"must be stored to be read by rows, and there is no place for that")
	}
	if s, is := format.Outside(f.Path, f.Format); is {
		return f.spoolSource(s, rows, o, number)
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
	cannot := func(err error) *problem.Error {
		return &problem.Error{Code: "D0161",
			Message: fmt.Sprintf("what %s holds cannot be stored: %v", f.Path, err)}
	}
	on := disk.Or(o.Disk)
	if err := disk.MkdirAll(on, dir, 0o777); err != nil {
		return cannot(err)
	}
	f.Stored = absolute(filepath.Join(dir, fmt.Sprintf("%d.text", number)))
	out, err := create(on, f.Stored)
	if err != nil {
		return cannot(err)
	}
	sum := newSum(in)
	if columns {
		err = f.cells(rows, in, info.Size(), o.Fits, out)
	} else {
		err = inflate(open, sum, out)
	}
	err = errors.Join(err, out.Close())
	var own *problem.Error
	switch {
	case errors.As(err, &own):
	case errors.Is(err, errPacked):
		own = f.fail(0, "D0104",
			"the file ends before its data do, or is damaged: "+
				strings.TrimPrefix(err.Error(), errPacked.Error()+": "))
	case err != nil:
		own = cannot(err)
	default:
		if _, err := io.Copy(io.Discard, sum); err != nil {
			own = f.fail(0, "D0104", "cannot be read to its end: "+err.Error())
		}
	}
	if own != nil {
		on.Remove(f.Stored)
		return own
	}
	f.Modified, f.Print = info.ModTime().UnixNano(), sum.print(f.Path)
	return nil
}

// create makes an empty file to write to.
func create(on disk.FS, path string) (disk.File, error) {
	return on.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
}

// errPacked marks what is wrong with a compressed text.
var errPacked = errors.New("compressed")

// inflate undoes a compression.
func inflate(open func(io.Reader) (io.Reader, error), in io.Reader, out io.Writer) error {
	r, err := open(bufio.NewReaderSize(in, 1<<16))
	if err != nil {
		return fmt.Errorf("%w: %w", errPacked, err)
	}
	room := make([]byte, 1<<16)
	for {
		n, err := r.Read(room)
		if _, failed := out.Write(room[:n]); failed != nil {
			return failed
		}
		switch {
		case err == io.EOF:
			return nil
		case errors.Is(err, gzip.ErrChecksum), err != nil:
			return fmt.Errorf("%w: %w", errPacked, err)
		}
	}
}

// cells stores columns of a Parquet file: those of the fields that the model may
// take.
func (f *File) cells(
	rows *data.RowFile, in io.ReaderAt, size int64, fits func(bytes float64, what string) error,
	out io.Writer,
) error {
	w, e := rows.Cells(in, size)
	if e != nil {
		return e
	}
	if w.Rows() == 0 {
		return f.fail(0, "D0103", "holds no rows")
	}
	if w.Width() == 0 {
		if e := w.Problem(); e != nil {
			return e
		}
		return f.fail(0, "D0103", "holds no rows of numbers")
	}
	if fits != nil {
		if err := fits(float64(w.Rows())*float64(w.Width()),
			"the columns of "+f.Path+", as they are stored beside the run,"); err != nil {
			return f.fail(0, "D0161", err.Error())
		}
	}
	if err := w.Write(out); err != nil {
		return err
	}
	f.RowText, f.All, f.width = w.Text(), w.Rows(), w.Width()
	return nil
}

// cache stores the rows of tables as numbers: of those that are compressed, and
// of all if that is asked for.
func (p *Plan) cache(s *data.Schema, b *data.RowBinder, o Options) []*problem.Error {
	for i := range p.Files {
		f := &p.Files[i]
		if table := format.ByRows(f.Format).Tabular(); !table || f.Stored == "" && !o.Cache {
			continue
		}
		if o.Spool == "" {
			return []*problem.Error{f.fail(0, "D0159",
				"there is no place for what is stored of it")}
		}
		src := &Source{Plan: p, schema: s, binder: b}
		if errs := src.open(); errs != nil {
			return errs
		}
		text := f.Stored
		errs := src.store(i, filepath.Join(o.Spool, fmt.Sprintf("%d.cells", i)))
		src.Close()
		if errs != nil {
			return errs
		}
		if text != "" {
			p.disk().Remove(text)
		}
	}
	return nil
}

// store writes the selected rows of a table, and makes what was written the file
// that is read.
func (s *Source) store(file int, name string) []*problem.Error {
	f, l := &s.Plan.Files[file], s.Plan.Layout
	cannot := func(err error) []*problem.Error {
		return []*problem.Error{{Code: "D0161",
			Message: fmt.Sprintf("what %s holds cannot be stored: %v", f.Path, err)}}
	}
	on := s.Plan.disk()
	if err := disk.MkdirAll(on, filepath.Dir(name), 0o777); err != nil {
		return cannot(err)
	}
	out, err := create(on, name)
	if err != nil {
		return cannot(err)
	}
	defer out.Close()
	cells := File{Path: f.Path, At: f.At, Stored: absolute(name), Modified: f.Modified,
		Print: f.Print, All: f.Rows, Rows: f.Rows, Picked: true, notes: f.notes}
	if l.Rows = f.Rows; l.Rows == 0 {
		return nil
	}
	var room []byte
	for k := 0; k < l.Blocks(); k += DefaultWindow {
		var some []int
		for i := k; i < min(k+DefaultWindow, l.Blocks()); i++ {
			some = append(some, i)
		}
		rows, errs := s.rowsOf(file, &l, some)
		if errs != nil {
			on.Remove(name)
			return errs
		}
		if k == 0 {
			cells.RowText, _ = rows.Cells()
		}
		room = rows.AppendCells(room[:0], &cells.RowText)
		width := cells.Width()
		for lo := 0; lo < rows.Len(); lo += l.Block { // the last block may be two of the index
			n := min(l.Block, rows.Len()-lo)
			part := room[lo*width : (lo+n)*width]
			first := 0
			if last := len(cells.Blocks) - 1; last >= 0 {
				first = cells.Blocks[last].First + cells.Blocks[last].All
			}
			cells.Blocks = append(cells.Blocks,
				Block{Offset: cells.Size, Size: int64(len(part)), CRC: crcOf(part), First: first,
					All: n, Rows: n})
			cells.Size += int64(len(part))
		}
		if _, err := out.Write(room); err != nil {
			on.Remove(name)
			return cannot(err)
		}
	}
	if err := out.Close(); err != nil {
		on.Remove(name)
		return cannot(err)
	}
	*f = cells
	return nil
}

// scanCells makes the index of stored columns, whose rows are equally long.
func (f *File) scanCells(rows *data.RowFile, block int) *problem.Error {
	in, err := disk.OpenRegular(f.text())
	if err != nil {
		return f.openError(err)
	}
	defer in.Close()
	r := bufio.NewReaderSize(in, roomOfLines)
	s := &scanner{f: f, rows: rows, block: block}
	line := make([]byte, f.width)
	for n := range f.All {
		if _, err := io.ReadFull(r, line); err != nil {
			return f.fail(0, "D0104", "what is stored of it cannot be read: "+err.Error())
		}
		s.begin(n + 1)
		s.take(line)
	}
	s.close()
	f.Size, f.Rows = s.at, s.some
	return rows.Check(f.All, f.Rows)
}

// crcOf is the check sum of a text.
func crcOf(text []byte) uint32 { return crc32.Checksum(text, castagnoli) }
