package format

import (
	"bufio"
	"bytes"
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/sgppl/sgppl/runtime/engine/data/problem"
)

// tableRows says how tables of text are read by rows: lines outside of quotes, behind a
// header.
var tableRows = &Rowwise{table: true, fields: tableFields, line: tableLine, head: tableHead,
	read: readTableRows}

func tableFields(t *Table, in *bufio.Reader) []*problem.Error {
	c := (&RowText{File: t.File, Format: t.Format}).csv()
	c.in = newLineReader(in)
	if errs := c.head(); errs != nil {
		return errs
	}
	for _, f := range c.fields {
		t.Fields = append(t.Fields, f.name)
	}
	return nil
}

func tableHead(s *RowScanner, head []byte) *problem.Error {
	s.begun = !s.open && len(bytes.TrimSpace(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")))) > 0
	if !s.begun {
		return nil
	}
	c := s.Text.csv()
	c.in = linesOf(head, 1)
	if errs := c.head(); errs != nil {
		return errs[0]
	}
	s.columns = len(c.header)
	s.told.semicolons, s.told.latin = c.comma == ';', c.latin
	return nil
}

func tableLine(s *RowScanner, line []byte, _ int) *problem.Error {
	if s.begun {
		s.told.look(line)
	}
	odd := bytes.IndexByte(line, '"') >= 0 && bytes.Count(line, []byte(`"`))%2 == 1
	switch {
	case s.open:
		s.open = !odd
	case !s.begun:
		s.open = odd
	case (len(line) == 0 || line[0] <= ' ') && len(bytes.TrimSpace(line)) == 0 && s.columns > 1:
	default:
		s.Rows++
		s.open = odd
	}
	return nil
}

// look finds what there is to tell of a line of rows.
func (n *textNotes) look(line []byte) {
	n.latin = n.latin || !utf8.Valid(line)
	if !n.semicolons || n.commas || bytes.IndexByte(line, ',') < 0 {
		return
	}
	for cell := range bytes.SplitSeq(line, []byte(";")) {
		_, is := pointed(bytes.Trim(bytes.TrimSpace(cell), `"`))
		n.commas = n.commas || is
	}
}

// csv is a reader of the text's rows.
func (t *RowText) csv() *csvReader {
	comma := byte(',')
	if t.Format == "tsv" {
		comma = '\t'
	}
	return &csvReader{t: NewTable(t.File, t.Format), comma: comma}
}

func readTableRows(t *RowText, in *lineReader, p Piece) (rowData, []*problem.Error) {
	c := t.csv()
	c.in = linesOf(t.Head, 1)
	if errs := c.head(); errs != nil {
		return nil, errs
	}
	for _, f := range c.fields {
		f.data = make([]float64, 0, p.Rows*f.width)
	}
	c.in = in
	if err := c.body(); err != nil {
		return nil, []*problem.Error{err}
	}
	return c, nil
}

func (c *csvReader) problems() *problem.List { return &c.wrong }
func (c *csvReader) size() int               { return c.rows.rows }
func (c *csvReader) stored() int             { return 0 }

func (c *csvReader) grow(rows, _ int) {
	for _, f := range c.fields {
		f.data = slices.Grow(f.data, rows*f.width)
	}
}

func (c *csvReader) join(others rowData) {
	o := others.(*csvReader)
	for i, f := range c.fields {
		f.far = f.far || o.fields[i].far
		f.data = f.words.join(f.data, o.fields[i].data, &o.fields[i].words)
		f.wrong.Join(&o.fields[i].wrong)
	}
	if c.t.Format == CellsFormat { // without lines
		c.rows.rows += o.rows.rows
	} else {
		c.rows.join(&o.rows)
	}
}

func (c *csvReader) take(keep []int) rowData {
	out := *c
	out.fields, out.place = nil, slices.Clone(c.place)
	if c.t.Format == CellsFormat {
		out.rows.rows = len(keep)
	} else {
		out.rows = c.rows.take(keep)
	}
	for _, f := range c.fields {
		g := *f
		g.data = make([]float64, 0, len(keep)*f.width)
		for _, k := range keep {
			g.data = append(g.data, f.data[k*f.width:(k+1)*f.width]...)
		}
		out.fields = append(out.fields, &g)
		for i := range out.place {
			if out.place[i].field == f {
				out.place[i].field = &g
			}
		}
	}
	return &out
}

func (c *csvReader) table(t *RowText, _ []int) (*Table, []*problem.Error) {
	out := *c
	out.t = NewTable(t.File, t.Format)
	out.finish()
	for _, field := range slices.Sorted(maps.Keys(t.Wrong)) {
		if make := out.t.lazy[field]; make != nil && len(t.Words[field]) > 0 {
			out.t.values[field] = make()
		} else if out.t.values[field] == nil { // nothing of it is stored
			out.t.Fields = append(out.t.Fields, field)
		}
		out.t.errs[field] = append(out.t.errs[field], t.Wrong[field])
	}
	return out.t, nil
}
