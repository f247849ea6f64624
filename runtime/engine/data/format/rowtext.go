package format

import (
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/sgppl/sgppl/runtime/engine/data/problem"
)

// A RowText is a text whose rows can be read one by one: lines of them behind a head that
// every part needs.
type RowText struct {
	File, Format string
	Head         []byte // the lines before the first row
	// Base is what the ids of libsvm count from, −1 where each part finds it.
	Base int
	// Totals are the numbers that the head of a docword file says: documents,
	// words and entries; zeros elsewhere.
	Totals [3]int64
	// Wrong are the mistakes of fields whose rows are stored as cells.
	Wrong ByName[*problem.Error]
	// Words are those that entries of such fields stand for.
	Words ByName[[]string]
}

// A Piece is some rows of a text, one after another.
type Piece struct {
	Text  []byte
	Line  int // number of its first line
	First int // number of its first row in the file
	Rows  int
}

// A Rows is rows that were read, before anybody asks what they are for.
type Rows struct {
	of     *RowText
	data   rowData
	number []int // of each row in the file

	cells bool        // they were made by Room, and not joined with others
	odd   atomic.Bool // one of these cells may be infinite or NaN
}

// A rowData is rows as the reader of their format keeps them.
type rowData interface {
	// problems are the mistakes of the rows, and size is how many were read.
	problems() *problem.List
	size() int
	// grow makes memory for more rows, with so many entries where they are sparse.
	grow(rows, entries int)
	// stored is how many entries sparse rows have; 0 of tables.
	stored() int
	// join appends rows of the same text.
	join(others rowData)
	// take returns some of the rows, in the order of the list.
	take(keep []int) rowData
	// table returns the rows as a file of them alone would be; number has the number of
	// each in the file.
	table(t *RowText, number []int) (*Table, []*problem.Error)
}

// Read reads a piece. Mistakes inside of fields come up where these are bound.
func (t *RowText) Read(p Piece) (*Rows, []*problem.Error) {
	if t.Format == CellsFormat {
		rows, e := t.Room(p.Rows, nil)
		if e == nil {
			e = rows.Fill(0, p)
		}
		if e != nil {
			return nil, []*problem.Error{e}
		}
		return rows, nil
	}
	r := &Rows{of: t, number: make([]int, p.Rows)}
	for i := range r.number {
		r.number[i] = p.First + i
	}
	in := linesOf(p.Text, p.Line)
	var errs []*problem.Error
	if r.data, errs = ByRows(t.Format).read(t, in, p); errs != nil {
		return nil, errs
	}
	if wrong := r.data.problems(); wrong.Count > 0 {
		return nil, wrong.Done("mistakes")
	}
	if n := r.data.size(); n != p.Rows {
		return nil, []*problem.Error{NewTable(t.File, t.Format).Fail(p.Line, 0, "D0158",
			fmt.Sprintf("there are %d rows from this line on where %d were", n, p.Rows))}
	}
	return r, nil
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
	svm, is := r.data.(*libsvm)
	if !is || len(svm.m.Index) == 0 {
		return 0, false
	}
	return int(svm.smallest), true
}

// Join appends the rows of others of the same text.
func (r *Rows) Join(others ...*Rows) {
	rows, entries := 0, 0
	for _, o := range others {
		rows, entries = rows+len(o.number), entries+o.data.stored()
	}
	r.number, r.cells = slices.Grow(r.number, rows), false
	r.data.grow(rows, entries)
	for _, o := range others {
		r.number = append(r.number, o.number...)
		r.data.join(o.data)
	}
}

// Take is some of the rows, in the order of the list.
func (r *Rows) Take(keep []int) *Rows {
	out := &Rows{of: r.of, data: r.data.take(keep), number: make([]int, len(keep))}
	for i, k := range keep {
		out.number[i] = r.number[k]
	}
	return out
}

// Table returns the rows as a file of them alone would be.
func (r *Rows) Table() (*Table, []*problem.Error) {
	if c, is := r.data.(*csvReader); is {
		c.finite = r.cells && !r.odd.Load()
	}
	return r.data.table(r.of, r.number)
}
