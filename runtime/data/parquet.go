package data

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"io"
	"math"

	"github.com/sgppl/sgppl/runtime/parquet"
)

// readParquet reads the columns of a Parquet file. As in tables of text, columns
// name.0, name.1, … are one vector.
func readParquet(file string, r io.Reader) (*Table, []*Error) {
	t := newTable(file, "parquet")
	b, err := io.ReadAll(r)
	if err != nil {
		return t, []*Error{t.readError(0, err)}
	}
	f, err := parquet.Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return t, []*Error{t.fail(0, 0, "D0162", err.Error())}
	}
	names, columns, problems := numericColumns(f)
	c := newCells(t, names, f.Rows())
	for g := range f.Groups {
		for k, column := range columns {
			x, err := f.Read(g, column)
			if err != nil {
				return t, []*Error{t.fail(0, 0, "D0162", err.Error())}
			}
			c.column(k, x)
		}
	}
	c.rows.rows = f.Rows()
	if c.rows.rows == 0 {
		return t, []*Error{t.fail(0, 0, "D0103", "holds no rows")}
	}
	c.finish()
	for name, what := range problems {
		t.Fields = append(t.Fields, name)
		t.errs[name] = []*Error{t.fail(0, 0, "D0162", "column "+name+" "+what)}
	}
	if len(problems) > 0 {
		all := t.matrix
		t.matrix = func() (*Value, []*Error) {
			v, errs := all()
			for _, name := range sortedKeys(problems) {
				errs = append(errs, t.errs[name]...)
			}
			return v, errs
		}
	}
	return t, nil
}

// numericColumns are the columns of numbers, with their places in the file, and
// what is wrong with the others.
func numericColumns(f *parquet.File) (names []string, columns []int, problems map[string]string) {
	problems = map[string]string{}
	for i, c := range f.Columns {
		if c.Problem != "" {
			problems[c.Name] = c.Problem
			continue
		}
		names, columns = append(names, c.Name), append(columns, i)
	}
	return names, columns, problems
}

// newCells makes a reader of columns that come as numbers.
func newCells(t *Table, names []string, rows int) *csvReader {
	c := &csvReader{t: t, header: names}
	c.fields, c.place = layout(names)
	for _, f := range c.fields {
		f.data = make([]float64, 0, min(rows, 1<<20)*f.width)
	}
	return c
}

// column appends a part of column k; those of one field come one after the other.
func (c *csvReader) column(k int, x []float64) {
	p := &c.place[k]
	f := p.field
	if f.next == nil {
		f.next = make([]int, f.width)
	}
	from := f.next[p.at]
	f.next[p.at] += len(x)
	if need := f.next[p.at] * f.width; need > len(f.data) {
		f.data = append(f.data, make([]float64, need-len(f.data))...)
	}
	for i, v := range x {
		f.data[(from+i)*f.width+p.at] = v
	}
}

// CellsFormat is that of texts which hold rows of numbers, eight bytes each, as
// files of other formats are stored beside a run. The head has the names of the
// columns.
const CellsFormat = "cells"

// A CellsWriter turns a Parquet file into such a text.
type CellsWriter struct {
	f       *parquet.File
	names   []string
	columns []int
}

// NewCellsWriter opens a Parquet file of size bytes.
func NewCellsWriter(file string, r io.ReaderAt, size int64) (*CellsWriter, *Error) {
	f, err := parquet.Open(r, size)
	if err != nil {
		return nil, newTable(file, "parquet").fail(0, 0, "D0162", err.Error())
	}
	w := &CellsWriter{f: f}
	w.names, w.columns, _ = numericColumns(f)
	return w, nil
}

// Text is that of the rows that Write writes.
func (w *CellsWriter) Text(file string) RowText {
	head, err := json.Marshal(w.names)
	if err != nil {
		panic("data: names of columns: " + err.Error())
	}
	return RowText{File: file, Format: CellsFormat, Head: head, Base: -1}
}

// Rows is how many rows there are, Width how many bytes each takes.
func (w *CellsWriter) Rows() int { return w.f.Rows() }

// Width is how many bytes a row takes.
func (w *CellsWriter) Width() int { return 8 * len(w.names) }

// Write writes the rows, one row group after the other.
func (w *CellsWriter) Write(file string, to io.Writer) error {
	var b []byte
	for g, rows := range w.f.Groups {
		list := make([][]float64, len(w.columns))
		for k, column := range w.columns {
			var err error
			if list[k], err = w.f.Read(g, column); err != nil {
				return newTable(file, "parquet").fail(0, 0, "D0162", err.Error())
			}
		}
		for i := range rows {
			for _, x := range list {
				b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x[i]))
			}
			if len(b) >= 1<<16 || i == rows-1 {
				if _, err := to.Write(b); err != nil {
					return err
				}
				b = b[:0]
			}
		}
	}
	return nil
}

// cells reads rows of numbers.
func (t *RowText) cells(p Piece) (*csvReader, *Error) {
	var names []string
	table := newTable(t.File, t.Format)
	if err := json.Unmarshal(t.Head, &names); err != nil || len(names) == 0 || len(p.Text) != 8*len(names)*p.Rows {
		return nil, table.fail(0, 0, "D0160", "the stored rows are damaged")
	}
	c := newCells(table, names, 0)
	n := len(names)
	for k := range names {
		f, at := c.place[k].field, c.place[k].at
		if f.data = f.data[:cap(f.data)]; len(f.data) < p.Rows*f.width {
			f.data = make([]float64, p.Rows*f.width)
		}
		for i := range p.Rows {
			f.data[i*f.width+at] = math.Float64frombits(binary.LittleEndian.Uint64(p.Text[8*(i*n+k):]))
		}
	}
	c.rows.rows = p.Rows
	return c, nil
}
