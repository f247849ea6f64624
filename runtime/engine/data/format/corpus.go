package format

import (
	"bufio"
	"fmt"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/runtime/engine/array"
	"github.com/sgppl/sgppl/runtime/engine/data/problem"
)

// A corpus is what formats of bags of words hold: for every document how often
// each word occurs. Its fields are counts, one sparse row a document; tokens,
// the words of every document as a list in which each stands as often as it
// occurs, in rising order; terms, the same with each word once, and repeats, how
// often each of those occurs; and lengths, the number of tokens of each document.
type corpus struct {
	t     *Table
	m     *array.CSR // documents by words, the words counted from 0
	words int        // of the vocabulary, where the file says so; else 0
	base  int        // what the file counts words from
	rows  rowLines

	number []int // of each document in the file, where some alone are read
}

// mostTokens bounds the lists that counts are spread out to.
const mostTokens = 1 << 30

// fields names the fields of the table. Their values are made when a caller asks for them.
func (c *corpus) fields() {
	t := c.t
	t.corpus, t.even = c, true
	t.derive("tokens", c.tokens)
	t.derive("counts", func() *array.Value {
		return &array.Value{Shape: []int{c.m.Rows, c.m.Cols}, CSR: c.m, Origin: c.origin("counts")}
	})
	t.derive("terms", func() *array.Value {
		return c.once("terms", func(k int) float64 { return float64(c.m.Index[k]) })
	})
	t.derive("repeats", func() *array.Value { return c.once("repeats", c.m.At) })
	t.derive("lengths", func() *array.Value {
		n := make([]float64, c.m.Rows)
		for d := range n {
			n[d] = c.length(d)
		}
		return &array.Value{Shape: []int{len(n)}, F64: n, Origin: c.origin("lengths")}
	})
	t.natural = func(in Wanted) string {
		switch {
		case in.Index && in.Axes > 1:
			return "tokens"
		case in.Ragged:
			return "repeats"
		case in.Axes == 1:
			return "lengths"
		case in.Axes > 1:
			return "counts"
		}
		return ""
	}
}

func (c *corpus) origin(field string) *array.Origin {
	return &array.Origin{File: c.t.File, Field: field, First: c.rows.first, Lines: c.rows.lines,
		Base: c.base}
}

// length is the number of tokens of a document.
func (c *corpus) length(d int) float64 {
	n := 0.0
	for k := c.m.Indptr[d]; k < c.m.Indptr[d+1]; k++ {
		n += c.m.At(k)
	}
	return n
}

// tokens spreads the counts out.
func (c *corpus) tokens() *array.Value {
	t, m := c.t, c.m
	lengths, total := make([]int, m.Rows), 0
	for d := range lengths {
		n := c.length(d)
		if n > mostTokens || total+int(n) > mostTokens {
			t.errs["tokens"] = []*problem.Error{t.Fail(c.origin("").Line(d), 0, "D0128",
				fmt.Sprintf("the documents have more than %d words in all, too many to list one by one",
					mostTokens))}
			t.errs["tokens"][0].Notes = []string{"declare the input sparse count[V] or bag[V] to " +
				"bind the counts"}
			return nil
		}
		lengths[d] = int(n)
		total += lengths[d]
	}
	words := make([]float64, 0, total)
	for d := range lengths {
		for k := m.Indptr[d]; k < m.Indptr[d+1]; k++ {
			for range int(m.At(k)) {
				words = append(words, float64(m.Index[k]))
			}
		}
	}
	return c.listed("tokens", words, lengths)
}

// once are the entries of every document as lists.
func (c *corpus) once(field string, of func(k int) float64) *array.Value {
	list, lengths := make([]float64, len(c.m.Index)), make([]int, c.m.Rows)
	for k := range list {
		list[k] = of(k)
	}
	for d := range lengths {
		lengths[d] = c.m.Indptr[d+1] - c.m.Indptr[d]
	}
	return c.listed(field, list, lengths)
}

// listed makes a field of lists, which are an array where all are of one length.
func (c *corpus) listed(field string, list []float64, lengths []int) *array.Value {
	t := c.t
	v := array.Ragged(list, [][]int{{c.m.Rows}, lengths})
	if len(slices.Compact(slices.Clone(lengths))) <= 1 {
		v.Lists = nil
	} else {
		t.errs[field] = []*problem.Error{t.Fail(0, 0, "D0107", "the documents differ in length")}
		t.errs[field][0].Notes = []string{"their words can be bound to a ragged input, as in " +
			"`dim D, W(D)` and `data w[D, W] : index[V]`, their counts to a `bag[V]`"}
	}
	v.Origin = c.origin(field)
	if field == "repeats" {
		return v
	}
	// A file that counts from 0 may be declared `from 1` and so be wrong, as a
	// list in JSON would; where the format itself counts from 1, that is done.
	v.Canonical = c.base != 0
	if v.Range = c.words; v.Range == 0 {
		v.Range, v.AtLeast = c.m.Cols, true
	}
	return v
}

// wholeAt reads a whole number of at least 0 at line[i:], up to a bound, and
// tells where it ends: at i where there is none.
func wholeAt(line []byte, i int) (n int64, end int) {
	const bound = 1 << 53
	for end = i; end < len(line) && line[end]-'0' <= 9; end++ {
		n = min(n*10+int64(line[end]-'0'), bound)
	}
	return n, end
}

// wordAt is the piece of a line without blanks that begins at i.
func wordAt(line []byte, i int) []byte {
	end := i
	for !blankAt(line, end) {
		end++
	}
	return line[i:end]
}

// document is the number of a document in the file.
func (c *corpus) document(d int) int {
	if c.number != nil {
		return c.number[d]
	}
	return d
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

// corpusFields are the names of the fields of every corpus.
func corpusFields(t *Table, _ *bufio.Reader) []*problem.Error {
	t.Fields = strings.Fields("tokens counts terms repeats lengths")
	return nil
}

func (c *corpus) stored() int { return len(c.m.Index) }

func (c *corpus) grow(rows, entries int) { c.m.Grow(rows, entries) }
