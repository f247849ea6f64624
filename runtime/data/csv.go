package data

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strings"
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
	wrong  mistakes // of rows
}

// A csvField is a column, or several that form a vector or matrix.
type csvField struct {
	name  string
	shape []int // own axes of a row
	width int
	data  []float64
	next  []int // rows that each of the columns has, where they come one by one
	wrong mistakes
}

type cell struct {
	field *csvField
	at    int // place within the row's own entries
}

func readCSV(file string, r io.Reader) (*Table, []*Error) { return readDelimited(file, "csv", ',', r) }
func readTSV(file string, r io.Reader) (*Table, []*Error) { return readDelimited(file, "tsv", '\t', r) }

func readDelimited(file, format string, comma byte, r io.Reader) (*Table, []*Error) {
	c := &csvReader{t: newTable(file, format), in: newLineReader(r), comma: comma}
	if errs := c.head(); errs != nil {
		return c.t, errs
	}
	if err := c.body(); err != nil {
		return c.t, []*Error{err}
	}
	if c.wrong.count > 0 {
		return c.t, c.wrong.done("rows")
	}
	c.finish()
	return c.t, nil
}

// body reads rows to the end of the text.
func (c *csvReader) body() *Error {
	for {
		line, err := c.in.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return c.t.readError(c.in.line, err)
		}
		first := c.in.line
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

// head reads the header and lays out the fields.
func (c *csvReader) head() []*Error {
	line, err := c.in.next()
	for err == nil && len(bytes.TrimSpace(line)) == 0 {
		line, err = c.in.next()
	}
	if err == io.EOF {
		return []*Error{c.t.fail(0, 0, "D0103", "holds no header and no rows")}
	}
	if err != nil {
		return []*Error{c.t.readError(c.in.line, err)}
	}
	number := c.in.line
	if bytes.IndexByte(line, '"') >= 0 {
		var e *Error
		if c.header, e = c.record(line); e != nil {
			return []*Error{e}
		}
	} else {
		c.header = strings.Split(string(line), string(rune(c.comma)))
	}
	numbers := 0
	for i, name := range c.header {
		c.header[i] = strings.TrimSpace(name)
		if _, n := decimal([]byte(c.header[i])); n > 0 && n == len(c.header[i]) {
			numbers++
		}
	}
	if numbers == len(c.header) {
		return []*Error{c.t.fail(number, 1, "D0119", "the first line holds numbers where the header with the names of the columns should be")}
	}
	c.fields, c.place = layout(c.header)
	return nil
}

// record completes a record that holds a quote, which may span lines.
func (c *csvReader) record(line []byte) ([]string, *Error) {
	// The reader's line is gone once the next is read.
	text, first := bytes.Clone(line), c.in.line
	for open := bytes.Count(line, []byte(`"`))%2 == 1; open; {
		more, err := c.in.next()
		if err == io.EOF {
			line, _, _ := bytes.Cut(text, []byte("\n"))
			return nil, c.t.fail(first, columnOf(line, bytes.IndexByte(line, '"')), "D0109", "a quote is not closed")
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
		return nil, c.t.fail(first, column, "D0109", "a quoted field is malformed: "+err.Error())
	}
	return cells, nil
}

// start makes room for a row.
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
		v, n := decimal(line[i:])
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
				c.other(p, line[:end], i, c.in.line)
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
		c.other(&c.place[k], []byte(cells[k]), -1, line)
	}
	c.count(len(cells), line)
}

func (c *csvReader) count(cells, line int) {
	if cells != len(c.header) {
		c.wrong.add(func() *Error {
			return c.t.fail(line, 0, "D0107", fmt.Sprintf("the row has %s, but the header %s", counted(cells, "cell"), counted(len(c.header), "column")))
		})
	}
}

// other reads a cell that is no plain number: what follows start in text, or
// all of it when start is −1 and its column unknown. Empty cells and NA are
// missing.
func (c *csvReader) other(p *cell, text []byte, start, line int) {
	to := &p.field.data[len(p.field.data)-p.field.width+p.at]
	b, column := text, 0
	if start >= 0 {
		b, column = text[start:], columnOf(text, start)
	}
	b = bytes.TrimSpace(b)
	if v, n := decimal(b); n > 0 && n == len(b) {
		*to = v
		if math.IsInf(v, 0) {
			p.field.wrong.add(func() *Error {
				return c.t.fail(line, column, "D0106", quoted(b)+" is beyond the range of float64")
			})
		}
		return
	}
	if v, ok := word(b); ok {
		*to = v
		return
	}
	switch lower(b) {
	case "na", "":
		if len(b) <= 2 {
			return // NaN already
		}
	case "true":
		*to = 1
		return
	case "false":
		*to = 0
		return
	}
	p.field.wrong.add(func() *Error {
		return c.t.fail(line, column, "D0106", fmt.Sprintf("%s is no number (column %s)", quoted(b), c.header[c.index(p)]))
	})
}

func (c *csvReader) index(p *cell) int {
	for k := range c.place {
		if &c.place[k] == p {
			return k
		}
	}
	return 0
}

// finish turns the columns into fields, and offers single columns of vectors
// by their header too.
func (c *csvReader) finish() {
	n := c.rows.rows
	origin := func(field string) *Origin {
		return &Origin{File: c.t.File, Field: field, First: c.rows.first, Lines: c.rows.lines}
	}
	for _, f := range c.fields {
		c.t.add(f.name, &Value{Shape: append([]int{n}, f.shape...), F64: f.data, Origin: origin(f.name)})
		c.t.errs[f.name] = append(c.t.errs[f.name], f.wrong.done("cells")...)
	}
	for k, p := range c.place {
		if p.field.shape == nil {
			continue
		}
		c.t.lazy[c.header[k]] = func() *Value {
			one := make([]float64, n)
			for i := range one {
				one[i] = p.field.data[i*p.field.width+p.at]
			}
			return &Value{Shape: []int{n}, F64: one, Origin: origin(c.header[k])}
		}
	}
	c.t.even = true
	c.t.matrix = func() (*Value, []*Error) {
		var errs []*Error
		for _, f := range c.fields {
			errs = append(errs, f.wrong.errs...)
		}
		w := len(c.place)
		all := make([]float64, n*w)
		for k, p := range c.place {
			for i := range n {
				all[i*w+k] = p.field.data[i*p.field.width+p.at]
			}
		}
		return &Value{Shape: []int{n, w}, F64: all, Origin: origin("")}, errs
	}
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	if stem, y := strings.CutSuffix(what, "y"); y {
		return fmt.Sprintf("%d %sies", n, stem)
	}
	return fmt.Sprintf("%d %ss", n, what)
}
