package format

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data/problem"
)

// A RowText is a text whose rows can be read apart from one another: lines of
// them behind a head that every part needs.
type RowText struct {
	File, Format string
	Head         []byte // the lines before the first row
	// Base is what the ids of libsvm count from, −1 where each part finds it.
	Base int
	// Totals are the numbers that the head of a docword file says: documents,
	// words and entries; zeros elsewhere.
	Totals [3]int64
	// Wrong are the mistakes of fields whose rows are stored as cells.
	Wrong map[string]*problem.Error
}

// RowFormats are the formats that can be read by rows.
var RowFormats = []string{"csv", "tsv", "ldac", "docword", "libsvm", "parquet"}

// A RowScanner finds where rows begin. It takes the lines of a text one after
// the other.
type RowScanner struct {
	Text RowText
	// Rows is how many have begun by the line taken last.
	Rows int

	begun   bool // the head is behind
	open    bool // a quote of csv
	columns int
	entries int64
	doc     docword
	blank   int // line of a blank line of LDA-C
}

// NewRowScanner scans a file in one of the RowFormats.
func NewRowScanner(file, format string) *RowScanner {
	return &RowScanner{Text: RowText{File: file, Format: format, Base: -1}, begun: format == "ldac" || format == "libsvm"}
}

// ContinueRowScanner goes on behind so many rows of a text.
func ContinueRowScanner(t RowText, rows int) *RowScanner {
	s := NewRowScanner(t.File, t.Format)
	if len(t.Head) > 0 {
		s.HeadEnds(t.Head)
	}
	s.Text, s.Rows, s.begun = t, rows, true
	return s
}

// InHead says whether the line taken last is one of the head.
func (s *RowScanner) InHead() bool { return !s.begun }

// Open says whether a row goes on in the next line.
func (s *RowScanner) Open() bool { return s.open }

// Line takes a line without its end, the number-th of the file.
func (s *RowScanner) Line(line []byte, number int) *problem.Error {
	if n := len(line); n > 0 && line[n-1] == '\r' {
		line = line[:n-1]
	}
	switch s.Text.Format {
	case "csv", "tsv":
		s.table(line)
	case "docword":
		return s.words(line, number)
	case "ldac":
		if skipBlank(line, 0) == len(line) {
			s.blank = number
			return nil
		}
		if s.Rows++; s.blank > 0 {
			e := NewTable(s.Text.File, s.Text.Format).Fail(s.blank, 0, "D0151", "is blank, and documents follow")
			e.Notes = []string{"a document without words is written 0"}
			return e
		}
	default:
		if i := skipBlank(line, 0); i < len(line) && line[i] != '#' {
			s.Rows++
		}
	}
	return nil
}

// HeadEnds is called behind every line of the head with its whole text so far;
// from when it says so, lines are rows.
func (s *RowScanner) HeadEnds(head []byte) (bool, *problem.Error) {
	switch s.Text.Format {
	case "docword":
		s.begun = len(s.doc.head) == 3
		if s.begun {
			s.Text.Totals = [3]int64(s.doc.head)
		}
	default:
		s.begun = !s.open && len(bytes.TrimSpace(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")))) > 0
		if s.begun {
			c := s.Text.csv()
			c.in = linesOf(head, 1)
			if errs := c.head(); errs != nil {
				return false, errs[0]
			}
			s.columns = len(c.header)
		}
	}
	if s.begun {
		s.Text.Head = bytes.Clone(head)
	}
	return s.begun, nil
}

func (s *RowScanner) table(line []byte) {
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
}

// words takes a line of a docword file, whose documents must come in order.
func (s *RowScanner) words(line []byte, number int) *problem.Error {
	i := skipBlank(line, 0)
	if i == len(line) {
		return nil
	}
	if !s.begun {
		if s.doc.t == nil {
			s.doc = *newDocword(s.Text.File)
		}
		if s.doc.line(line, number); s.doc.wrong.Count > 0 {
			return s.doc.wrong.Errs[0]
		}
		return nil
	}
	s.entries++
	d, end := wholeAt(line, i)
	switch {
	case end == i || d < 1 || d > s.Text.Totals[0]:
		s.doc.entries = s.entries
		s.doc.line(line, number)
		if s.doc.wrong.Count > 0 {
			return s.doc.wrong.Errs[0]
		}
	case int(d) < s.Rows:
		e := s.doc.t.Fail(number, 0, "D0157", fmt.Sprintf("document %d comes behind document %d: by blocks a docword file is read in the order of its documents", d, s.Rows))
		e.Notes = []string{"sort it by document, or read it without --stream"}
		return e
	}
	s.Rows = max(s.Rows, int(d))
	return nil
}

// End is called behind the last line.
func (s *RowScanner) End(line int) *problem.Error {
	t := NewTable(s.Text.File, s.Text.Format)
	switch {
	case s.open:
		return t.Fail(line, 0, "D0109", "a quote is not closed")
	case !s.begun && s.Text.Format == "docword":
		return t.Fail(0, 0, "D0104", fmt.Sprintf("ends before the number of %s in line %d", docwordHead[len(s.doc.head)], len(s.doc.head)+1))
	case !s.begun:
		return t.Fail(0, 0, "D0103", "holds no header and no rows")
	case s.Text.Format == "docword":
		if n := s.Text.Totals; s.entries != n[2] {
			code, what := "D0152", "the header is not this file's"
			if s.entries < n[2] {
				code, what = "D0104", "it is cut off"
			}
			return t.Fail(3, 0, code, fmt.Sprintf("announces %d entries, and the file has %d: %s", n[2], s.entries, what))
		}
		s.Rows = int(s.Text.Totals[0])
	}
	if s.Rows == 0 {
		return t.Fail(0, 0, "D0103", "holds no rows")
	}
	return nil
}

// csv is a reader of the text's rows.
func (t *RowText) csv() *csvReader {
	comma := byte(',')
	if t.Format == "tsv" {
		comma = '\t'
	}
	return &csvReader{t: NewTable(t.File, t.Format), comma: comma}
}

// A Piece is some rows of a text, one behind the other.
type Piece struct {
	Text  []byte
	Line  int // number of its first line
	First int // number of its first row in the file
	Rows  int
}

// A Rows is rows that were read, before anybody asks what they are for.
type Rows struct {
	of     *RowText
	csv    *csvReader
	ldac   *ldac
	doc    *docword
	svm    *libsvm
	number []int // of each row in the file
}

// Read reads a piece. Mistakes inside of fields come up where these are bound.
func (t *RowText) Read(p Piece) (*Rows, []*problem.Error) {
	r := &Rows{of: t, number: make([]int, p.Rows)}
	for i := range r.number {
		r.number[i] = p.First + i
	}
	in := linesOf(p.Text, p.Line)
	var err *problem.Error
	var wrong *problem.List
	rows := 0
	switch t.Format {
	case "csv", "tsv":
		c := t.csv()
		c.in = linesOf(t.Head, 1)
		if errs := c.head(); errs != nil {
			return nil, errs
		}
		for _, f := range c.fields {
			f.data = make([]float64, 0, p.Rows*f.width)
		}
		c.in = in
		err = c.body()
		r.csv, wrong, rows = c, &c.wrong, c.rows.rows
	case CellsFormat:
		room, e := t.Room(p.Rows)
		if e == nil {
			e = room.Fill(0, p)
		}
		if e != nil {
			return nil, []*problem.Error{e}
		}
		return room, nil
	case "ldac":
		l := newLDAC(t.File)
		err = l.body(in)
		r.ldac, wrong, rows = l, &l.wrong, l.rows.rows
	case "libsvm":
		s := newLibsvm(t.File)
		s.base = t.Base
		err = s.body(in)
		if s.base == 1 && s.smallest == 0 {
			s.wrong.Add(func() *problem.Error {
				e := s.t.Fail(p.Line, 0, "D0110", "the rows from this line on have an id 0, so ids do not count from 1")
				e.Notes = []string{"bind the field features0, whose ids count from 0"}
				return e
			})
		}
		r.svm, wrong, rows = s, &s.wrong, s.rows.rows
	case "docword":
		d := newDocword(t.File)
		d.first, d.head = p.First, t.Totals[:]
		err = d.some(in, p)
		r.doc, wrong, rows = d, &d.wrong, p.Rows
	}
	switch {
	case err != nil:
		return nil, []*problem.Error{err}
	case wrong.Count > 0:
		return nil, wrong.Done("mistakes")
	case rows != p.Rows:
		return nil, []*problem.Error{NewTable(t.File, t.Format).Fail(p.Line, 0, "D0158", fmt.Sprintf("there are %d rows from this line on where %d were", rows, p.Rows))}
	}
	return r, nil
}

// some reads the entries of some documents.
func (p *docword) some(in *lineReader, piece Piece) *problem.Error {
	last := piece.Line
	for {
		line, err := in.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return p.t.readError(in.line, err)
		}
		last = in.line
		if d, _ := wholeAt(line, skipBlank(line, 0)); skipBlank(line, 0) < len(line) && (d <= int64(p.first) || d > int64(p.first+piece.Rows)) {
			return p.t.Fail(in.line, 0, "D0158", fmt.Sprintf("an entry of document %d stands among those of documents %d to %d", d, p.first+1, p.first+piece.Rows))
		}
		p.line(line, in.line)
	}
	p.close(piece.Rows, last)
	return nil
}

// Renumber says which numbers the rows have in the file, where they were read alone.
func (r *Rows) Renumber(number []int) { r.number = number }

// Number returns the number of the i-th row in the file.
func (r *Rows) Number(i int) int { return r.number[i] }

// AsCells reports whether the rows were stored as cells.
func (r *Rows) AsCells() bool { return r.of.Format == CellsFormat }

// Len is the number of rows.
func (r *Rows) Len() int { return len(r.number) }

// Smallest is the smallest id of libsvm; false of other formats and without one.
func (r *Rows) Smallest() (int, bool) {
	if r.svm == nil || len(r.svm.m.Index) == 0 {
		return 0, false
	}
	return int(r.svm.smallest), true
}

// Join appends the rows of others of the same text.
func (r *Rows) Join(others ...*Rows) {
	r.grow(others)
	for _, o := range others {
		r.number = append(r.number, o.number...)
		switch {
		case r.csv != nil:
			for i, f := range r.csv.fields {
				f.data = append(f.data, o.csv.fields[i].data...)
				f.wrong.Join(&o.csv.fields[i].wrong)
			}
			if r.of.Format == CellsFormat { // without lines
				r.csv.rows.rows += o.csv.rows.rows
			} else {
				r.csv.rows.join(&o.csv.rows)
			}
		case r.ldac != nil:
			r.ldac.largest = max(r.ldac.largest, o.ldac.largest)
			r.ldac.corpus.join(&o.ldac.corpus)
		case r.doc != nil:
			r.doc.corpus.join(&o.doc.corpus)
		default:
			r.svm.labels = append(r.svm.labels, o.svm.labels...)
			r.svm.smallest, r.svm.largest = min(r.svm.smallest, o.svm.smallest), max(r.svm.largest, o.svm.largest)
			r.svm.m.Join(o.svm.m)
			r.svm.rows.join(&o.svm.rows)
		}
	}
}

// grow makes room for the rows of others, once.
func (r *Rows) grow(others []*Rows) {
	rows, entries := 0, 0
	for _, o := range others {
		rows += len(o.number)
		if m := o.matrix(); m != nil {
			entries += len(m.Index)
		}
	}
	r.number = slices.Grow(r.number, rows)
	if r.csv != nil {
		for _, f := range r.csv.fields {
			f.data = slices.Grow(f.data, rows*f.width)
		}
		return
	}
	m := r.matrix()
	m.Index, m.Indptr = slices.Grow(m.Index, entries), slices.Grow(m.Indptr, rows)
	if m.Value != nil {
		m.Value = slices.Grow(m.Value, entries)
	}
}

// matrix are the entries of sparse rows; nil of tables.
func (r *Rows) matrix() *array.CSR {
	switch {
	case r.ldac != nil:
		return r.ldac.m
	case r.doc != nil:
		return r.doc.m
	case r.svm != nil:
		return r.svm.m
	}
	return nil
}

// Take is some of the rows, in the order of the list.
func (r *Rows) Take(keep []int) *Rows {
	out := &Rows{of: r.of, number: make([]int, len(keep))}
	for i, k := range keep {
		out.number[i] = r.number[k]
	}
	switch {
	case r.csv != nil:
		c := *r.csv
		c.fields, c.place = nil, slices.Clone(c.place)
		if r.of.Format == CellsFormat {
			c.rows.rows = len(keep)
		} else {
			c.rows = c.rows.take(keep)
		}
		for _, f := range r.csv.fields {
			g := *f
			g.data = make([]float64, 0, len(keep)*f.width)
			for _, k := range keep {
				g.data = append(g.data, f.data[k*f.width:(k+1)*f.width]...)
			}
			c.fields = append(c.fields, &g)
			for i := range c.place {
				if c.place[i].field == f {
					c.place[i].field = &g
				}
			}
		}
		out.csv = &c
	case r.ldac != nil:
		l := *r.ldac
		l.corpus.only(keep)
		out.ldac = &l
	case r.doc != nil:
		d := *r.doc
		d.corpus.only(keep)
		out.doc = &d
	default:
		s := *r.svm
		s.labels = make([]float64, len(keep))
		for i, k := range keep {
			s.labels[i] = r.svm.labels[k]
		}
		s.m, s.rows = s.m.Take(keep, 1), s.rows.take(keep)
		out.svm = &s
	}
	return out
}

// Table returns the rows as a file of them alone would be.
func (r *Rows) Table() (*Table, []*problem.Error) {
	switch {
	case r.csv != nil:
		c := *r.csv
		c.t = NewTable(r.of.File, r.of.Format)
		c.finish()
		for _, field := range slices.Sorted(maps.Keys(r.of.Wrong)) {
			if c.t.values[field] == nil { // nothing of it is stored
				c.t.Fields = append(c.t.Fields, field)
			}
			c.t.errs[field] = append(c.t.errs[field], r.of.Wrong[field])
		}
		return c.t, nil
	case r.ldac != nil:
		l := *r.ldac
		l.t, l.number = NewTable(r.of.File, r.of.Format), r.number
		return l.end()
	case r.doc != nil:
		d := *r.doc
		d.t, d.number = NewTable(r.of.File, r.of.Format), r.number
		d.words = d.m.Cols
		d.fields()
		return d.t, nil
	}
	s := *r.svm
	s.t = NewTable(r.of.File, r.of.Format)
	m := *s.m
	m.Index = slices.Clone(m.Index) // they are moved to count from 0
	s.m = &m
	return s.end()
}

// join appends the lines of other rows.
func (r *rowLines) join(o *rowLines) {
	for i := range o.rows {
		if o.lines != nil {
			r.add(int(o.lines[i]))
		} else {
			r.add(o.first + i)
		}
	}
}

func (r *rowLines) take(keep []int) rowLines {
	var out rowLines
	for _, k := range keep {
		if r.lines != nil {
			out.add(int(r.lines[k]))
		} else {
			out.add(r.first + k)
		}
	}
	return out
}

// join appends the documents of another corpus of the same file.
func (c *corpus) join(o *corpus) {
	c.m.Join(o.m)
	if c.rows.rows > 0 && o.rows.rows > 0 {
		c.rows.join(&o.rows)
	}
}

// only keeps some documents.
func (c *corpus) only(keep []int) {
	c.m = c.m.Take(keep, 1)
	if c.rows.rows > 0 {
		c.rows = c.rows.take(keep)
	}
}
