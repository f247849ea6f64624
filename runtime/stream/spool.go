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

	"github.com/sgppl/sgppl/runtime/data"
)

// spool stores what a file holds beside the run, once, where its rows cannot be
// entered in the middle: the text of one that is compressed, the columns of
// numbers of Parquet row by row.
func (f *File) spool(dir string, number int) *data.Error {
	open, packed := data.Compressed(f.Path)
	columns := f.Format == "parquet"
	if !packed && !columns {
		return nil
	}
	if packed && columns {
		return f.fail(0, "D0159", "is compressed as a whole; Parquet files compress their pages")
	}
	if dir == "" {
		return f.fail(0, "D0159", "is compressed, and there is no place for its text")
	}
	in, err := os.Open(f.At)
	if err != nil {
		return f.openError(err)
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return f.openError(err)
	}
	cannot := func(err error) *data.Error {
		return &data.Error{Code: "D0161", Message: fmt.Sprintf("what %s holds cannot be stored: %v", f.Path, err)}
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return cannot(err)
	}
	f.Stored = absolute(filepath.Join(dir, fmt.Sprintf("%d.text", number)))
	out, err := os.Create(f.Stored)
	if err != nil {
		return cannot(err)
	}
	sum := newSum(in)
	if columns {
		err = f.cells(in, info.Size(), out)
	} else {
		err = inflate(open, sum, out)
	}
	err = errors.Join(err, out.Close())
	var own *data.Error
	switch {
	case errors.As(err, &own):
	case errors.Is(err, errPacked):
		own = f.fail(0, "D0104", "the file ends before its data do, or is damaged: "+strings.TrimPrefix(err.Error(), errPacked.Error()+": "))
	case err != nil:
		own = cannot(err)
	default:
		if _, err := io.Copy(io.Discard, sum); err != nil {
			own = f.fail(0, "D0104", "cannot be read to its end: "+err.Error())
		}
	}
	if own != nil {
		os.Remove(f.Stored)
		return own
	}
	f.Modified, f.Print = info.ModTime().UnixNano(), sum.print(f.Path)
	return nil
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

// cells stores the columns of a Parquet file.
func (f *File) cells(in io.ReaderAt, size int64, out io.Writer) error {
	w, e := data.NewCellsWriter(f.Path, in, size)
	if e != nil {
		return e
	}
	if w.Rows() == 0 || w.Width() == 0 {
		return f.fail(0, "D0103", "holds no rows of numbers")
	}
	f.RowText, f.All, f.width = w.Text(f.Path), w.Rows(), w.Width()
	return w.Write(f.Path, out)
}

// scanCells makes the index of stored columns, whose rows are equally long.
func (f *File) scanCells(rows *data.RowFile, block int) *data.Error {
	in, err := os.Open(f.text())
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
