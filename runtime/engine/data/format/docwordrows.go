package format

import (
	"fmt"
	"io"

	"github.com/sgppl/sgppl/runtime/base/setting"
	"github.com/sgppl/sgppl/runtime/engine/data/problem"
)

// docwordRows says how docword files are read by rows: documents whose entries stand
// together, in their order.
var docwordRows = &Rowwise{counted: true, fields: corpusFields, line: docwordLine,
	head: docwordHeadEnds, end: docwordEnd, read: readDocwordRows}

// docwordLine takes a line of a file whose documents must come in order.
func docwordLine(s *RowScanner, line []byte, number int) *problem.Error {
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
		e := s.doc.t.Fail(number, 0, "D0157",
			fmt.Sprintf("document %d comes behind document %d: by blocks a docword file is read "+
				"in the order of its documents", d, s.Rows))
		e.Notes = []string{setting.Text("sort it by document, or read it without {stream}")}
		return e
	}
	s.Rows = max(s.Rows, int(d))
	return nil
}

func docwordHeadEnds(s *RowScanner, _ []byte) *problem.Error {
	if s.begun = len(s.doc.head) == 3; s.begun {
		s.Text.Totals = [3]int64(s.doc.head)
	}
	return nil
}

func docwordEnd(s *RowScanner) *problem.Error {
	t := NewTable(s.Text.File, s.Text.Format)
	if !s.begun {
		return t.Fail(0, 0, "D0104",
			fmt.Sprintf("ends before the number of %s in line %d", docwordHead[len(s.doc.head)],
				len(s.doc.head)+1))
	}
	if n := s.Text.Totals; s.entries != n[2] {
		code, what := "D0152", "the header is not this file's"
		if s.entries < n[2] {
			code, what = "D0104", "it is cut off"
		}
		return t.Fail(3, 0, code,
			fmt.Sprintf("announces %d entries, and the file has %d: %s", n[2], s.entries, what))
	}
	s.Rows = int(s.Text.Totals[0])
	return nil
}

func readDocwordRows(t *RowText, in *lineReader, p Piece) (rowData, []*problem.Error) {
	d := newDocword(t.File)
	d.first, d.head = p.First, t.Totals[:]
	if err := d.some(in, p); err != nil {
		return nil, []*problem.Error{err}
	}
	return d, nil
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
		if d, _ := wholeAt(line, skipBlank(line, 0)); skipBlank(line, 0) < len(line) &&
			(d <= int64(p.first) || d > int64(p.first+piece.Rows)) {
			return p.t.Fail(in.line, 0, "D0158",
				fmt.Sprintf("an entry of document %d stands among those of documents %d to %d", d,
					p.first+1, p.first+piece.Rows))
		}
		p.line(line, in.line)
	}
	p.close(piece.Rows, last)
	return nil
}

func (p *docword) problems() *problem.List { return &p.wrong }

// size is how many documents there are, with those without words.
func (p *docword) size() int { return p.m.Rows }

func (p *docword) join(others rowData) { p.corpus.join(&others.(*docword).corpus) }

func (p *docword) take(keep []int) rowData {
	out := *p
	out.corpus.only(keep)
	return &out
}

func (p *docword) table(t *RowText, number []int) (*Table, []*problem.Error) {
	out := *p
	out.t, out.number = NewTable(t.File, t.Format), number
	out.words = out.m.Cols
	out.fields()
	return out.t, nil
}
