package format

import (
	"encoding/binary"
	"encoding/json"
	"io"
	"maps"
	"math"
	"slices"

	"github.com/sgppl/sgppl/runtime/base/memory"
	"github.com/sgppl/sgppl/runtime/engine/data/problem"
)

// CellsFormat is the format of rows of numbers, eight bytes each, in which the rows of other
// formats are stored next to a run. The head has the names of the columns.
const CellsFormat = "cells"

// A CellsWriter turns fields of a file of columns into such a text.
type CellsWriter struct {
	f       ColumnFile
	t       *Table
	names   []string
	columns []int
	wrong   map[string]*problem.Error
	words   map[string][]string
}

// NewCellsWriter opens a file of columns, of size bytes, to store some of its fields;
// nil stands for all.
func NewCellsWriter(
	path, format string, fields map[string]bool, r io.ReaderAt, size int64,
) (*CellsWriter, *problem.Error) {
	f, e := openColumns(path, format, r, size)
	if e != nil {
		return nil, e
	}
	w := &CellsWriter{f: f, t: NewTable(path, format)}
	c := &columnTable{t: w.t}
	c.head(f)
	w.columns, w.names, w.wrong = c.needed(fields)
	return w, nil
}

// Text returns where the rows that Write has written lie: their file and format.
func (w *CellsWriter) Text() RowText {
	head, err := json.Marshal(w.names)
	if err != nil {
		panic("data: names of columns: " + err.Error())
	}
	return RowText{File: w.t.File, Format: CellsFormat, Head: head, Base: -1, Wrong: w.wrong,
		Words: w.words}
}

// Rows is how many rows there are.
func (w *CellsWriter) Rows() int { return w.f.Rows() }

// Width is how many bytes a row takes.
func (w *CellsWriter) Width() int { return 8 * len(w.names) }

// Problem is that of a field without numbers, where no other is stored.
func (w *CellsWriter) Problem() *problem.Error {
	for _, name := range slices.Sorted(maps.Keys(w.wrong)) {
		return w.wrong[name]
	}
	return nil
}

// Write writes the rows.
func (w *CellsWriter) Write(to io.Writer) error {
	var b []byte
	rows := 0
	var failed error
	fields, place := layout(w.names)
	cells := &textCells{t: w.t, of: w.f.Columns(), columns: w.columns,
		fields: make([]*csvField, len(place))}
	for k, p := range place {
		cells.fields[k] = p.field
	}
	err := cells.read(w.f, func(x [][]float64) error {
		b = b[:0]
		for i := range x[0] {
			for _, list := range x {
				b = binary.LittleEndian.AppendUint64(b, math.Float64bits(list[i]))
			}
		}
		rows += len(x[0])
		_, failed = to.Write(b)
		return failed
	})
	switch {
	case failed != nil:
		return failed
	case err != nil:
		return w.t.columnError(err)
	case rows != w.f.Rows():
		return w.t.Fail(0, 0, "D0162", "has not as many rows as its head says")
	}
	w.words = map[string][]string{}
	for _, f := range fields {
		if list := f.texts(); len(list) > 0 {
			w.words[f.name] = list
		}
		if wrong := f.wrong.Done("cells"); len(wrong) > 0 {
			w.wrong[f.name] = wrong[0]
		}
	}
	return nil
}

// newCells makes a reader of columns that come as entries.
func newCells(t *Table, names []string) *csvReader {
	c := &csvReader{t: t, header: names, meter: memory.Meter{What: reading}}
	c.fields, c.place = layout(names)
	return c
}

// Cells says how the rows of a table are stored as cells: the text that they
// make. false of other formats. Mistakes in single cells are the fields', and are
// reported where these are bound.
func (r *Rows) Cells() (RowText, bool) {
	c, is := r.data.(*csvReader)
	if !is {
		return RowText{}, false
	}
	head, err := json.Marshal(c.header)
	if err != nil {
		panic("data: names of columns: " + err.Error())
	}
	return RowText{File: r.of.File, Format: CellsFormat, Head: head, Base: -1,
		Wrong: map[string]*problem.Error{}, Words: map[string][]string{}}, true
}

// AppendCells appends the rows of a table as cells, and adds its mistakes to
// those of the text that Cells gave.
func (r *Rows) AppendCells(b []byte, to *RowText) []byte {
	c := r.data.(*csvReader)
	// with the numbers that words have in the text
	entries := make(map[*csvField][]float64, len(c.fields))
	for _, f := range c.fields {
		words := newWordTable(to.Words[f.name])
		if entries[f] = f.data; len(f.words.list) > 0 {
			entries[f] = words.join(nil, f.data, &f.words)
		}
		if f.texts() == nil && len(f.wrong.Errs) > 0 {
			to.Words[f.name] = nil
			continue
		}
		if list, is := to.Words[f.name]; len(words.list) > 0 && (!is || len(list) > 0) {
			to.Words[f.name] = words.list
		}
	}
	for i := range r.number {
		for k := range c.place {
			p := &c.place[k]
			b = binary.LittleEndian.AppendUint64(b,
				math.Float64bits(entries[p.field][i*p.field.width+p.at]))
		}
	}
	for _, f := range c.fields {
		if len(f.wrong.Errs) > 0 && to.Wrong[f.name] == nil {
			to.Wrong[f.name] = f.wrong.Errs[0]
		}
	}
	return b
}

// Width is how many bytes a row of cells takes.
func (t *RowText) Width() int {
	var names []string
	if t.Format != CellsFormat || json.Unmarshal(t.Head, &names) != nil {
		return 0
	}
	return 8 * len(names)
}
