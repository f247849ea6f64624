package format

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data/problem"
)

// readDocword reads the bags of words of the UCI repository (Newman 2008):
// three lines with the number of documents D, the size of the vocabulary and
// the number of entries, and as many lines `document word count`, both counted
// from 1.
func readDocword(file string, r io.Reader) (*Table, []*problem.Error) {
	p := newDocword(file)
	in := newLineReader(r)
	for {
		line, err := in.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return p.t, []*problem.Error{p.t.readError(in.line, err)}
		}
		if !p.line(line, in.line) {
			break
		}
	}
	if p.wrong.Count == 0 {
		p.finish(in.line)
	}
	if p.wrong.Count > 0 {
		return p.t, p.wrong.Done("mistakes")
	}
	p.words = p.m.Cols
	p.fields()
	return p.t, nil
}

func newDocword(file string) *docword {
	return &docword{corpus: corpus{t: NewTable(file, "docword"), m: &array.CSR{Indptr: []int{0}},
		base: 1}}
}

type docword struct {
	corpus
	first   int // document, where some alone are read
	head    []int64
	entries int64
	docs    []int32 // document of each entry, once they come in no order
	wrong   problem.List
}

var docwordHead = [3]string{"documents", "words in the vocabulary", "entries"}

// emptyDocuments is how many documents without words a header may announce: a
// damaged one is not to fill memory.
const emptyDocuments = 1 << 22

// line takes a line; false when the rest of the file means nothing.
func (p *docword) line(line []byte, number int) bool {
	var n [3]int64
	i, k := skipBlank(line, 0), 0
	for ; i < len(line); k++ {
		if k == 3 {
			p.bad(line, number, i, "is one number too many: an entry is document word count")
			return true
		}
		end := i
		if n[k], end = wholeAt(line, i); end == i || !blankAt(line, end) {
			p.bad(line, number, i, "is no whole number")
			return len(p.head) == 3
		}
		i = skipBlank(line, end)
	}
	switch {
	case k == 0:
		return true
	case len(p.head) < 3:
		return p.header(n, k, number)
	case k != 3:
		p.wrong.Add(func() *problem.Error {
			return p.t.Fail(number, 0, "D0152",
				fmt.Sprintf("has %s, but an entry is document word count",
					problem.Counted(k, "number")))
		})
		return true
	}
	p.entry(n, number)
	return true
}

func (p *docword) header(n [3]int64, k, number int) bool {
	what := docwordHead[len(p.head)]
	most := int64(math.MaxInt32)
	if len(p.head) == 2 {
		most = math.MaxInt64
	}
	if k != 1 || n[0] > most {
		p.wrong.Add(func() *problem.Error {
			e := p.t.Fail(number, 0, "D0152",
				fmt.Sprintf("is not the number of %s, which stands here alone", what))
			e.Notes = []string{"the file begins with three lines of one number: documents, words " +
				"in the vocabulary, entries"}
			return e
		})
		return false
	}
	p.head = append(p.head, n[0])
	if len(p.head) == 3 && p.head[0]-p.head[2] > emptyDocuments {
		p.wrong.Add(func() *problem.Error {
			return p.t.Fail(1, 0, "D0152",
				fmt.Sprintf("announces %d documents, but the file has only %d entries for them",
					p.head[0], p.head[2]))
		})
		return false
	}
	return true
}

func (p *docword) entry(n [3]int64, number int) {
	p.entries++
	for k, what := range docwordHead[:2] {
		if n[k] < 1 || n[k] > p.head[k] {
			p.wrong.Add(func() *problem.Error {
				which := [2]string{"document", "word"}[k]
				return p.t.Fail(number, 0, "D0152",
					fmt.Sprintf("%s %d is not from 1 to %d, the number of %s in line %d", which,
						n[k], p.head[k], what, k+1))
			})
			return
		}
	}
	if n[2] < 1 || n[2] >= 1<<53 {
		p.wrong.Add(func() *problem.Error {
			return p.t.Fail(number, 0, "D0152",
				fmt.Sprintf("the count is %d, and not a whole number from 1", n[2]))
		})
		return
	}
	d := int(n[0]) - 1 - p.first
	if d < p.rows.rows-1 && p.docs == nil {
		p.docs = make([]int32, 0, cap(p.m.Index))
		for row := range p.rows.rows {
			hi := len(p.m.Index)
			if row+1 < len(p.m.Indptr) {
				hi = p.m.Indptr[row+1]
			}
			for len(p.docs) < hi {
				p.docs = append(p.docs, int32(row))
			}
		}
	}
	p.upTo(d, number)
	if p.docs != nil {
		p.docs = append(p.docs, int32(d))
	}
	p.m.Add(int32(n[1]-1), float64(n[2]))
}

// upTo begins documents up to one.
func (p *docword) upTo(d, number int) {
	for p.rows.rows <= d {
		if p.rows.rows > 0 {
			p.m.Indptr = append(p.m.Indptr, len(p.m.Index))
		}
		p.rows.add(number)
	}
}

// finish ends the matrix: rows are put together where they came in parts.
func (p *docword) finish(last int) {
	t := p.t
	if len(p.head) < 3 {
		p.wrong.Add(func() *problem.Error {
			return t.Fail(0, 0, "D0104",
				fmt.Sprintf("ends before the number of %s in line %d", docwordHead[len(p.head)],
					len(p.head)+1))
		})
		return
	}
	if p.entries != p.head[2] {
		p.wrong.Add(func() *problem.Error {
			code, what := "D0152", "the header is not this file's"
			if p.entries < p.head[2] {
				code, what = "D0104", "it is cut off"
			}
			return t.Fail(3, 0, code,
				fmt.Sprintf("announces %d entries, and the file has %d: %s", p.head[2], p.entries, what))
		})
		return
	}
	if p.head[0] == 0 {
		p.wrong.Add(func() *problem.Error { return t.Fail(1, 0, "D0103", "holds no documents") })
		return
	}
	p.close(int(p.head[0]), last)
}

// close ends the matrix of so many documents.
func (p *docword) close(documents, last int) {
	t := p.t
	if documents > 0 {
		p.upTo(documents-1, last)
	}
	m := p.m
	if documents > 0 {
		m.Indptr = append(m.Indptr, len(m.Index))
	}
	m.Rows, m.Cols = documents, int(p.head[1])
	if p.docs != nil {
		p.gather()
	}
	for d := range m.Rows {
		if twice := m.SortRow(m.Indptr[d], m.Indptr[d+1]); twice >= 0 {
			p.wrong.Add(func() *problem.Error {
				return t.Fail(0, 0, "D0152",
					fmt.Sprintf("word %d comes twice in document %d", twice+1, d+1+p.first))
			})
		}
	}
}

// gather sorts entries by document, keeping their order within one.
func (p *docword) gather() {
	m := p.m
	m.Indptr = make([]int, m.Rows+1)
	for _, d := range p.docs {
		m.Indptr[d+1]++
	}
	for d := range m.Rows {
		m.Indptr[d+1] += m.Indptr[d]
	}
	next, from := slices.Clone(m.Indptr), *m
	m.Index = make([]int32, len(from.Index))
	if from.Value != nil {
		m.Value = make([]float64, len(from.Value))
	}
	for k, d := range p.docs {
		m.Index[next[d]] = from.Index[k]
		if from.Value != nil {
			m.Value[next[d]] = from.Value[k]
		}
		next[d]++
	}
	p.rows = rowLines{} // entries of a document are all over the file
}

func (p *docword) bad(line []byte, number, at int, what string) {
	p.wrong.Add(func() *problem.Error {
		return p.t.Fail(number, columnOf(line, at), "D0152", quoted(wordAt(line, at))+" "+what)
	})
}

// sniffDocword recognises the format by three lines of one whole number and a
// line of three.
func sniffDocword(head []byte) bool {
	lines := bytes.SplitN(head, []byte("\n"), 5)
	if len(lines) < 4 {
		return false
	}
	for k, line := range lines[:4] {
		words := bytes.Fields(line)
		if len(words) != 1 && k < 3 || len(words) != 3 && k == 3 {
			return false
		}
		for _, w := range words {
			if _, end := wholeAt(w, 0); end != len(w) {
				return false
			}
		}
	}
	return true
}
