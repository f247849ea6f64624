package format

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/sgppl/sgppl/runtime/base/memory"
	"github.com/sgppl/sgppl/runtime/base/printable"
	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data/problem"
)

// A csvReader splits lines itself, and leaves records with a quote to
// encoding/csv. Numbers go straight into the columns of their field.
type csvReader struct {
	t      *Table
	in     *lineReader
	comma  byte
	header []string
	fields []*csvField
	place  []cell // where the column of a cell goes
	rows   rowLines
	wrong  problem.List // of rows
	meter  memory.Meter
	texts  memory.Meter // of the words of columns
	// of the meter, once there are too many mistakes in cells
	full   error
	finite bool                               // all numbers are
	latin  bool                               // a name of a column is not UTF-8
	commas bool                               // a number has a decimal comma
	so     struct{ line, offset, points int } // code points of a line that were counted
}

// A csvField is a column, or several that form a vector or matrix.
type csvField struct {
	name  string
	shape []int // own axes of a row
	width int
	data  []float64
	next  []int // rows that each of the columns has, where they come one by one
	wrong problem.List
	words wordTable // cells that are not numbers
	far   bool      // a number is beyond the range of float64
}

type cell struct {
	field *csvField
	at    int // place within the row's own entries
}

func readCSV(file string, r io.Reader) (*Table, []*problem.Error) {
	return readDelimited(file, "csv", ',', r)
}
func readTSV(file string, r io.Reader) (*Table, []*problem.Error) {
	return readDelimited(file, "tsv", '\t', r)
}

func readDelimited(file, format string, comma byte, r io.Reader) (*Table, []*problem.Error) {
	c := &csvReader{t: NewTable(file, format), in: newLineReader(r), comma: comma,
		meter: memory.Meter{What: reading}}
	if errs := c.head(); errs != nil {
		return c.t, errs
	}
	if err := c.body(); err != nil {
		return c.t, []*problem.Error{err}
	}
	if c.wrong.Count > 0 {
		return c.t, c.wrong.Done("rows")
	}
	c.finish()
	c.tell()
	return c.t, nil
}

// tell notes how a text was read, where there are other ways.
func (c *csvReader) tell() {
	for _, f := range c.fields {
		c.latin = c.latin || f.words.latin
	}
	c.t.Notes = append(c.t.Notes, notesOfText(c.t.File, c.commas, c.latin)...)
}

// notesOfText tell how a text was read: with decimal commas, and as Latin-1.
func notesOfText(file string, commas, latin bool) (notes []string) {
	if commas {
		notes = append(notes, file+": cells are separated by semicolons, and 1,5 is read as 1.5")
	}
	if latin {
		notes = append(notes,
			file+": text that is not UTF-8 is read as Windows-1252, which has Latin-1")
	}
	return notes
}

// body reads rows to the end of the text.
func (c *csvReader) body() *problem.Error {
	for {
		line, err := c.in.next()
		if err == io.EOF && c.full != nil {
			err = c.full
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return c.t.readError(c.in.line, err)
		}
		first := c.in.line
		if c.full != nil {
			return c.t.readError(c.in.line, c.full)
		}
		if bytes.IndexByte(line, '"') >= 0 {
			cells, err := c.record(line)
			if err != nil {
				return err
			}
			c.start(first)
			c.slow(cells, first)
			continue
		}
		if len(bytes.TrimSpace(line)) == 0 && len(c.header) > 1 {
			continue
		}
		c.start(first)
		c.fast(line)
	}
}

// columnBytes is about how much memory a column takes in addition to its numbers: its name, its
// field, and its places in tables.
const columnBytes = 600

// head reads the header and lays out the fields. A line of commas alone is a header of
// as many columns as it has bytes, so they are counted before anything is made of them.
func (c *csvReader) head() []*problem.Error {
	line, err := c.in.next()
	for err == nil && len(bytes.TrimSpace(line)) == 0 {
		line, err = c.in.next()
	}
	if err == io.EOF {
		return []*problem.Error{c.t.Fail(0, 0, "D0103", "holds no header and no rows")}
	}
	if err != nil {
		return []*problem.Error{c.t.readError(c.in.line, err)}
	}
	number := c.in.line
	if c.comma == ',' {
		c.comma = separator(line)
	}
	if err := memory.FitsNow(columnBytes*float64(1+bytes.Count(line, []byte{c.comma})),
		reading); err != nil {
		return []*problem.Error{c.t.readError(number, err)}
	}
	if bytes.IndexByte(line, '"') >= 0 {
		var e *problem.Error
		if c.header, e = c.record(line); e != nil {
			return []*problem.Error{e}
		}
	} else {
		c.header = strings.Split(string(line), string(rune(c.comma)))
	}
	numbers := 0
	for i, name := range c.header {
		if !utf8.ValidString(name) {
			name, c.latin = string(fromLatin([]byte(name))), true
		}
		c.header[i] = strings.TrimSpace(name)
		if _, n := Decimal([]byte(c.header[i])); n > 0 && n == len(c.header[i]) {
			numbers++
		}
	}
	if numbers == len(c.header) {
		return []*problem.Error{c.t.Fail(number, 1, "D0119",
			"the first line holds numbers where the header with the names of the columns should be")}
	}
	c.fields, c.place = layout(c.header)
	return nil
}

// record completes a record that holds a quote, which may span lines.
func (c *csvReader) record(line []byte) ([]string, *problem.Error) {
	// The reader's line is gone once the next is read.
	text, first := bytes.Clone(line), c.in.line
	for open := bytes.Count(line, []byte(`"`))%2 == 1; open; {
		more, err := c.in.next()
		if err == io.EOF {
			line, _, _ := bytes.Cut(text, []byte("\n"))
			return nil, c.t.Fail(first, columnOf(line, bytes.IndexByte(line, '"')), "D0109",
				"a quote is not closed")
		}
		if err != nil {
			return nil, c.t.readError(c.in.line, err)
		}
		open = bytes.Count(more, []byte(`"`))%2 == 0
		text = append(append(text, '\n'), more...)
	}
	r := csv.NewReader(bytes.NewReader(text))
	r.Comma, r.FieldsPerRecord = rune(c.comma), -1
	cells, err := r.Read()
	if err != nil {
		column := 0
		if p, ok := err.(*csv.ParseError); ok {
			lines := bytes.Split(text, []byte("\n"))
			column, err = columnOf(lines[p.Line-1], p.Column-1), p.Err
			first += p.Line - 1
		}
		return nil, c.t.Fail(first, column, "D0109", "a quoted field is malformed: "+err.Error())
	}
	return cells, nil
}

// start makes space for a row.
func (c *csvReader) start(line int) {
	c.rows.add(line)
	for _, f := range c.fields {
		for range f.width {
			f.data = append(f.data, math.NaN())
		}
	}
}

// fast reads the cells of a line without quotes.
func (c *csvReader) fast(line []byte) {
	k, i := 0, 0
	for ; ; k++ {
		v, n := Decimal(line[i:])
		end := i + n
		plain := n > 0 && (end == len(line) || line[end] == c.comma) && !math.IsInf(v, 0)
		if !plain {
			if d := bytes.IndexByte(line[i:], c.comma); d >= 0 {
				end = i + d
			} else {
				end = len(line)
			}
		}
		if k < len(c.place) {
			p := &c.place[k]
			if plain {
				p.field.data[len(p.field.data)-p.field.width+p.at] = v
			} else {
				c.other(k, line[:end], i, c.in.line)
			}
		}
		if i = end + 1; end >= len(line) {
			break
		}
	}
	c.count(k+1, c.in.line)
}

// slow reads the cells of a record that encoding/csv has split.
func (c *csvReader) slow(cells []string, line int) {
	for k := range min(len(cells), len(c.place)) {
		c.other(k, []byte(cells[k]), -1, line)
	}
	c.count(len(cells), line)
}

func (c *csvReader) count(cells, line int) {
	if cells != len(c.header) {
		c.wrong.Add(func() *problem.Error {
			return c.t.Fail(line, 0, "D0107",
				fmt.Sprintf("the row has %s, but the header %s", problem.Counted(cells, "cell"),
					problem.Counted(len(c.header), "column")))
		})
	}
}

// other reads the k-th cell of a row, which is not a plain number: the text from start on, or all
// of it if start is −1 and the column is unknown. Empty cells and NA are missing. A word is kept,
// and is a mistake of the field unless it is true or false. Callers that want numbers report these
// mistakes; callers that want words ignore them.
func (c *csvReader) other(k int, text []byte, start, line int) {
	p := &c.place[k]
	to := &p.field.data[len(p.field.data)-p.field.width+p.at]
	b, column := text, 0
	if start >= 0 {
		b, column = text[start:], c.columnOf(text, start, line)
	}
	if c.comma == ';' {
		if number, is := pointed(bytes.TrimSpace(b)); is {
			b, c.commas = number, true
		}
	}
	x, wrong := p.field.read(b, &c.texts)
	*to = x
	switch {
	case wrong == "":
	case wrong == tooFar:
		c.mistake(p.field, line, column, quoted(bytes.TrimSpace(b))+" "+wrong)
	case p.field.wrong.Count < problem.PerInput:
		c.mistake(p.field, line, column,
			fmt.Sprintf("%s %s (column %s)", quoted(bytes.TrimSpace(b)), wrong,
				printable.Cut(c.header[k], 100)))
	default:
		p.field.wrong.Count++
	}
}

// tooFar is what is wrong with 1e400.
const tooFar = "is beyond the range of float64"

// read reads a cell that is not a plain number. It returns its number, NaN if it is missing, or the
// code of its word. wrong says why the cell is not a number.
func (f *csvField) read(b []byte, meter *memory.Meter) (x float64, wrong string) {
	b = bytes.TrimSpace(b)
	if v, n := Decimal(b); n > 0 && n == len(b) {
		if math.IsInf(v, 0) {
			f.far, wrong = true, tooFar
		}
		return v, wrong
	}
	if v, ok := Word(b); ok {
		return v, ""
	}
	small := lower(b)
	if small == "na" || len(b) == 0 {
		return math.NaN(), ""
	}
	if small == "true" || small == "false" {
		return array.Word(f.words.numberOf(small)), ""
	}
	return f.words.entry(b, meter), "is no number"
}

// columnOf is columnOf of a cell in a line. It counts on from the cell before.
func (c *csvReader) columnOf(text []byte, start, line int) int {
	if s := &c.so; s.line != line || s.offset > start {
		s.line, s.offset, s.points = line, 0, 0
	}
	c.so.points += utf8.RuneCount(text[c.so.offset:start])
	c.so.offset = start
	return c.so.points + 1
}

// mistake keeps an error of a cell until its field is used, if it is. The memory of
// all of them is watched: there may be as many fields as the file has bytes.
func (c *csvReader) mistake(f *csvField, line, column int, message string) {
	f.wrong.Add(func() *problem.Error {
		if err := c.meter.Add(mistakeBytes + len(message)); err != nil {
			c.full = err
		}
		return c.t.Fail(line, column, "D0106", message)
	})
}

// mistakeBytes is about how much memory an error takes in addition to its message.
const mistakeBytes = 250

// finish turns the columns into fields, and offers single columns of vectors
// by their header too.
func (c *csvReader) finish() {
	n := c.rows.rows
	origin := func(field string) *array.Origin {
		return &array.Origin{File: c.t.File, Field: field, First: c.rows.first, Lines: c.rows.lines}
	}
	for _, f := range c.fields {
		c.t.offer(f.name, f.wrong.Done("cells"), func() *array.Value {
			v := &array.Value{Shape: append([]int{n}, f.shape...), F64: f.data, Words: f.texts(),
				Origin: origin(f.name)}
			if c.finite {
				v.NoteFinite()
			}
			return v
		})
	}
	for k, p := range c.place {
		if p.field.shape == nil {
			continue
		}
		c.t.lazy[c.header[k]] = func() *array.Value {
			one := make([]float64, n)
			for i := range one {
				one[i] = p.field.data[i*p.field.width+p.at]
			}
			return &array.Value{Shape: []int{n}, F64: one, Words: p.field.texts(),
				Origin: origin(c.header[k])}
		}
	}
	c.t.even = true
	c.t.matrix = func() (*array.Value, []*problem.Error) {
		var errs []*problem.Error
		for _, f := range c.fields {
			errs = append(errs, f.wrong.Errs...)
		}
		w := len(c.place)
		all := make([]float64, n*w)
		for k, p := range c.place {
			for i := range n {
				all[i*w+k] = p.field.words.number(p.field.data[i*p.field.width+p.at])
			}
		}
		return &array.Value{Shape: []int{n, w}, F64: all, Origin: origin("")}, errs
	}
}
