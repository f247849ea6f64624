// Package table writes tables of typed columns, as docs/internals/table.md of sgppl describes
// them: the names of the columns, rows in frames of 4096, notes, and an end with a check sum.
package table

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"hash/crc32"
	"io"
	"math"
	"strconv"
)

// RowsOfFrame is how many rows every frame but the last has.
const RowsOfFrame = 4096

const magic = "SGTABLE1"

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// A Failure is why a table ends before its end. It is an error.
type Failure struct {
	Message string   `json:"message"`
	Notes   []string `json:"notes,omitempty"`
	Unknown string   `json:"unknown,omitempty"` // a name that is not there
	Known   []string `json:"known,omitempty"`   // the names that are
}

func (f *Failure) Error() string { return f.Message }

// A Writer writes a table. The first error of the writer below stays, and End returns it.
type Writer struct {
	to      *bufio.Writer
	sum     uint32
	columns []column
	rows    int // in the columns
	all     int
	body    []byte
	err     error
}

// NewWriter returns a writer of a table that begins with so many columns.
func NewWriter(to io.Writer) *Writer {
	w := &Writer{to: bufio.NewWriterSize(to, 1<<16)}
	w.raw([]byte(magic))
	return w
}

func (w *Writer) raw(b []byte) {
	w.sum = crc32.Update(w.sum, castagnoli, b)
	if _, err := w.to.Write(b); err != nil && w.err == nil {
		w.err = err
	}
}

func (w *Writer) frame(kind byte, body []byte) {
	w.raw(binary.AppendUvarint([]byte{kind}, uint64(len(body))))
	w.raw(body)
}

// Columns names the columns. It is called once, before the first row.
func (w *Writer) Columns(names []string) {
	body := binary.AppendUvarint(nil, uint64(len(names)))
	for _, name := range names {
		body = binary.AppendUvarint(body, uint64(len(name)))
		body = append(body, name...)
	}
	w.columns = make([]column, len(names))
	w.frame('C', body)
}

// Note tells the user something.
func (w *Writer) Note(text string) { w.frame('N', []byte(text)) }

// Fail ends the table with the reason why it has no more rows.
func (w *Writer) Fail(f *Failure) error {
	body, err := json.Marshal(f)
	if err != nil {
		return err
	}
	w.frame('X', body)
	return w.flush()
}

// Row ends a row, in which every column has got an entry. It returns the error of the writer
// below.
func (w *Writer) Row() error {
	if w.rows++; w.rows == RowsOfFrame {
		w.flushRows()
	}
	return w.err
}

// Column is a column, to which an entry of each row is added.
func (w *Writer) Column(i int) *column { return &w.columns[i] }

func (w *Writer) flushRows() {
	if w.rows == 0 {
		return
	}
	w.body = binary.AppendUvarint(w.body[:0], uint64(w.rows))
	for i := range w.columns {
		w.body = w.columns[i].append(w.body)
	}
	w.frame('R', w.body)
	w.all += w.rows
	w.rows = 0
}

// End writes the rest of the rows, and the end of the table.
func (w *Writer) End() error {
	w.flushRows()
	w.frame('E', binary.AppendUvarint(nil, uint64(w.all)))
	w.raw(binary.LittleEndian.AppendUint32(nil, w.sum))
	return w.flush()
}

func (w *Writer) flush() error {
	if err := w.to.Flush(); w.err == nil {
		w.err = err
	}
	return w.err
}

// The kinds of cells.
const (
	missing = iota
	double
	whole
	text
)

type cell struct {
	kind int
	bits uint64
	text string
}

// A column has the entries of a frame.
type column struct {
	cells   []cell
	refused string
}

// Missing adds an entry that is missing.
func (c *column) Missing() { c.cells = append(c.cells, cell{}) }

// Double adds a number; NaN is missing.
func (c *column) Double(x float64) {
	c.cells = append(c.cells, cell{kind: double, bits: math.Float64bits(x)})
}

// Int adds a whole number.
func (c *column) Int(n int64) { c.cells = append(c.cells, cell{kind: whole, bits: uint64(n)}) }

// Text adds a text.
func (c *column) Text(s string) { c.cells = append(c.cells, cell{kind: text, text: s}) }

// Refuse says why the column cannot be read; values that are added to it are ignored.
func (c *column) Refuse(reason string) {
	if c.refused == "" {
		c.refused = reason
	}
	c.Missing()
}

// kind is the one that holds all cells: of whole numbers and others doubles, where these have
// all digits, and of numbers and texts texts.
func (c *column) kind() int {
	kind, large := missing, false
	for i := range c.cells {
		x := &c.cells[i]
		large = large || x.kind == whole && (int64(x.bits) > 1<<53 || int64(x.bits) < -1<<53)
		switch {
		case x.kind == missing || x.kind == kind:
		case kind == missing:
			kind = x.kind
		case x.kind == text || kind == text:
			kind = text
		default:
			kind = double
		}
	}
	if kind == double && large {
		return text
	}
	return kind
}

// append writes the column of a frame, and empties it.
func (c *column) append(body []byte) []byte {
	kind, payload := c.payload()
	body = append(body, kind)
	body = binary.AppendUvarint(body, uint64(len(payload)))
	c.cells = c.cells[:0]
	return append(body, payload...)
}

func (c *column) payload() (kind byte, b []byte) {
	if c.refused != "" {
		return 'x', []byte(c.refused)
	}
	switch c.kind() {
	case double:
		for _, x := range c.cells {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x.number()))
		}
		return 'd', b
	case whole:
		b = make([]byte, (len(c.cells)+7)/8, (len(c.cells)+7)/8+8*len(c.cells))
		for i, x := range c.cells {
			if x.kind == missing {
				b[i/8] |= 1 << (i % 8)
			}
			b = binary.LittleEndian.AppendUint64(b, x.bits)
		}
		return 'i', b
	case text:
		for _, x := range c.cells {
			if x.kind == missing {
				b = append(b, 0)
				continue
			}
			s := x.written()
			b = binary.AppendUvarint(b, uint64(len(s))+1)
			b = append(b, s...)
		}
		return 't', b
	}
	return 'm', nil
}

func (x *cell) number() float64 {
	switch x.kind {
	case double:
		return math.Float64frombits(x.bits)
	case whole:
		return float64(int64(x.bits))
	}
	return math.NaN()
}

// written is a cell as a text.
func (x *cell) written() string {
	switch x.kind {
	case double:
		return strconv.FormatFloat(x.number(), 'g', -1, 64)
	case whole:
		return strconv.FormatInt(int64(x.bits), 10)
	}
	return x.text
}
