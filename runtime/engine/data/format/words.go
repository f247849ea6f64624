package format

import (
	"fmt"
	"slices"

	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data/problem"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// splitSeed is the seed of the random order by which words= splits the words of a document. It is
// fixed, so that two commands split them in the same way.
const splitSeed = 1

// Words returns the bags of words with a selection of the words of every document: those whose
// places has selects. A bag of words has no order, so the order of the words of a document is drawn
// at random, by the number of the document. :words=0%2 and :words=1%2 are two halves that share no
// word.
func (t *Table) Words(has func(place int) bool) (*Table, []*problem.Error) {
	return t.corpus.thin(has)
}

func (c *corpus) thin(has func(place int) bool) (*Table, []*problem.Error) {
	t := NewTable(c.t.File, c.t.Format)
	t.Print, t.Notes = c.t.Print, c.t.Notes
	m := c.m
	out := &corpus{t: t, words: c.words, base: c.base, rows: c.rows, number: c.number,
		m: &array.CSR{Rows: m.Rows, Cols: m.Cols, Open: m.Open, Indptr: make([]int, 1, m.Rows+1)}}
	stream := rng.New(splitSeed, 0, rng.Split)
	var order []int
	for d := range m.Rows {
		n := c.length(d)
		if n > mostTokens {
			return nil, []*problem.Error{t.Fail(c.origin("").Line(d), 0, "D0128",
				fmt.Sprintf("the document has %s words, too many to part", problem.Number(n)))}
		}
		order = slices.Grow(order[:0], int(n))[:int(n)]
		src := stream.At(uint64(c.document(d)))
		src.Perm(order)
		at := 0
		for k := m.Indptr[d]; k < m.Indptr[d+1]; k++ {
			kept := 0.0
			for range int(m.At(k)) {
				if has(order[at]) {
					kept++
				}
				at++
			}
			if kept > 0 {
				out.m.Add(m.Index[k], kept)
			}
		}
		out.m.Indptr = append(out.m.Indptr, len(out.m.Index))
	}
	out.fields()
	return t, nil
}
