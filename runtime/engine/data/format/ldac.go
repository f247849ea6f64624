package format

import (
	"bytes"
	"fmt"
	"io"
	"math"

	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data/problem"
)

// readLDAC reads the format of Blei's LDA-C (Blei, Ng and Jordan 2003): a line
// a document, `M term:count term:count …`, with M the number of its different
// terms, which count from 0 and come in any order. A document without words is
// the line 0.
func readLDAC(file string, r io.Reader) (*Table, []*problem.Error) {
	p := newLDAC(file)
	if err := p.body(newLineReader(r)); err != nil {
		return p.t, []*problem.Error{err}
	}
	return p.end()
}

func newLDAC(file string) *ldac {
	return &ldac{corpus: corpus{t: NewTable(file, "ldac"),
		m: &array.CSR{Indptr: []int{0}, Open: true}}, largest: -1}
}

// body reads documents to the end of the text.
func (p *ldac) body(in *lineReader) *problem.Error {
	for {
		line, err := in.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return p.t.readError(in.line, err)
		}
		p.document(line, in.line)
	}
}

// end makes the table of what was read.
func (p *ldac) end() (*Table, []*problem.Error) {
	if p.wrong.Count > 0 {
		return p.t, p.wrong.Done("mistakes")
	}
	if p.rows.rows == 0 {
		return p.t, []*problem.Error{p.t.Fail(0, 0, "D0103", "holds no documents")}
	}
	p.m.Rows, p.m.Cols = p.rows.rows, int(p.largest)+1
	p.fields()
	return p.t, nil
}

type ldac struct {
	corpus
	largest int32
	blank   int // line of a blank line; 0 without
	wrong   problem.List
}

func (p *ldac) document(line []byte, number int) {
	i := skipBlank(line, 0)
	if i == len(line) {
		p.blank = number
		return
	}
	if p.blank > 0 {
		at := p.blank
		p.wrong.Add(func() *problem.Error {
			e := p.t.Fail(at, 0, "D0151", "is blank, and documents follow")
			e.Notes = []string{"a document without words is written 0"}
			return e
		})
		p.blank = 0
	}
	p.rows.add(number)
	lo := len(p.m.Index)
	terms, end := wholeAt(line, i)
	if end == i || !blankAt(line, end) {
		p.bad(line, number, i,
			"is no number of terms: a document is written M term:count term:count …")
		return
	}
	start := i
	for i = skipBlank(line, end); i < len(line); i = skipBlank(line, end) {
		term, colon := wholeAt(line, i)
		if colon == i || colon == len(line) || line[colon] != ':' {
			p.bad(line, number, i, "is no term:count")
			return
		}
		if term >= math.MaxInt32 {
			p.bad(line, number, i, "has a term too large: they are below 2147483647")
			return
		}
		var count int64
		if count, end = wholeAt(line, colon+1); end == colon+1 || !blankAt(line, end) ||
			count < 1 || count >= 1<<53 {
			p.bad(line, number, i, "has no count, a whole number from 1, after its colon",
				"rows of other numbers, such as tf-idf weights, can be given as libsvm: a label, "+
					"then id:value")
			return
		}
		p.largest = max(p.largest, int32(term))
		p.m.Add(int32(term), float64(count))
	}
	if n := len(p.m.Index) - lo; int64(n) != terms {
		p.bad(line, number, start,
			fmt.Sprintf("is the number of terms of the line, but it has %d", n),
			"if the first number of a line is a label, the format is libsvm: FILE:format=libsvm")
		return
	}
	if twice := p.m.SortRow(lo, len(p.m.Index)); twice >= 0 {
		p.wrong.Add(func() *problem.Error {
			return p.t.Fail(number, 0, "D0151",
				fmt.Sprintf("the term %d comes twice in a document", twice))
		})
	}
	p.m.Indptr = append(p.m.Indptr, len(p.m.Index))
}

func (p *ldac) bad(line []byte, number, at int, what string, notes ...string) {
	p.wrong.Add(func() *problem.Error {
		e := p.t.Fail(number, columnOf(line, at), "D0151", quoted(wordAt(line, at))+" "+what)
		e.Notes = notes
		return e
	})
}

// sniffLDAC recognises the format by lines that have as many pairs as their
// first number says: all that are whole, or the beginning of the first.
func sniffLDAC(head []byte) bool {
	lines := bytes.Split(head, []byte("\n"))
	last := len(lines) - 1
	switch {
	case len(lines[last]) == 0:
		return last > 0 && bytes.IndexByte(head, ':') >= 0 && allLDAC(lines[:last])
	case len(head) < headBytes:
		return bytes.IndexByte(head, ':') >= 0 && allLDAC(lines)
	case last > 0:
		return bytes.IndexByte(head, ':') >= 0 && allLDAC(lines[:last])
	}
	cut := bytes.LastIndexByte(head, ' ')
	if cut < 0 {
		return false
	}
	n, pairs, ok := lineLDAC(head[:cut])
	return ok && pairs > 0 && int64(pairs) < n
}

func allLDAC(lines [][]byte) bool {
	for _, line := range lines {
		if n, pairs, ok := lineLDAC(line); !ok || int64(pairs) != n {
			return false
		}
	}
	return true
}

// lineLDAC splits a line: its first number and how many pairs follow.
func lineLDAC(line []byte) (n int64, pairs int, ok bool) {
	words := bytes.Fields(line)
	if len(words) == 0 {
		return 0, 0, false
	}
	n, end := wholeAt(words[0], 0)
	if end != len(words[0]) {
		return 0, 0, false
	}
	for _, w := range words[1:] {
		_, colon := wholeAt(w, 0)
		if colon == 0 || colon == len(w) || w[colon] != ':' {
			return 0, 0, false
		}
		if count, end := wholeAt(w, colon+1); end != len(w) || count < 1 {
			return 0, 0, false
		}
	}
	return n, len(words) - 1, true
}

// ldacRows says how LDA-C is read by rows: a line a document.
var ldacRows = &Rowwise{fields: corpusFields, line: ldacLine, read: readLDACRows}

func ldacLine(s *RowScanner, line []byte, number int) *problem.Error {
	if skipBlank(line, 0) == len(line) {
		s.blank = number
		return nil
	}
	if s.Rows++; s.blank > 0 {
		e := NewTable(s.Text.File, s.Text.Format).Fail(s.blank, 0, "D0151",
			"is blank, and documents follow")
		e.Notes = []string{"a document without words is written 0"}
		return e
	}
	return nil
}

func readLDACRows(t *RowText, in *lineReader, _ Piece) (rowData, []*problem.Error) {
	l := newLDAC(t.File)
	if err := l.body(in); err != nil {
		return nil, []*problem.Error{err}
	}
	return l, nil
}

func (p *ldac) problems() *problem.List { return &p.wrong }
func (p *ldac) size() int               { return p.rows.rows }

func (p *ldac) join(others rowData) {
	o := others.(*ldac)
	p.largest = max(p.largest, o.largest)
	p.corpus.join(&o.corpus)
}

func (p *ldac) take(keep []int) rowData {
	out := *p
	out.corpus.only(keep)
	return &out
}

func (p *ldac) table(t *RowText, number []int) (*Table, []*problem.Error) {
	out := *p
	out.t, out.number = NewTable(t.File, t.Format), number
	return out.end()
}
