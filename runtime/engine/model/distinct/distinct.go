// Package distinct finds equal rows. It stores each distinct row once, in the order of first
// occurrence, and counts its occurrences.
package distinct

import (
	"math"
	"math/bits"
	"slices"

	"github.com/sgppl/sgppl/runtime/math/kernel"
)

// A Columns holds the values of one datum in some rows: Width numbers of each row in Dense, or the
// entries of sparse rows in Sparse.
type Columns struct {
	Width  int // 0 for sparse rows
	Dense  []float64
	Sparse kernel.Rows
}

// A Table stores the distinct rows among all rows that were added. Two rows are equal if all their
// numbers have the same bits and their sparse rows have the same entries in the same order.
type Table struct {
	Columns []Columns // the distinct rows
	Counts  []float64 // how often each distinct row occurs
	First   []int     // for each distinct row, the number of its first occurrence

	most  int            // the limit of kept
	kept  int            // how many numbers are stored
	added int            // how many rows were added
	first map[uint64]int // from a hash to the last row with this hash
	next  []int          // for each row, the previous row with the same hash; −1: none
	room  []uint64       // buffer for the hashes of a block
}

// New returns a table for data of the given widths; 0 stands for sparse rows. The table stores at
// most about most numbers.
func New(widths []int, most int) *Table {
	t := &Table{Columns: make([]Columns, len(widths)), most: most, first: map[uint64]int{}}
	for i, w := range widths {
		t.Columns[i].Width = w
	}
	return t
}

// Add adds rows, whose data are in the order of the table. Each occurs as often as counts says;
// nil is once. It returns false if there are more than mostRows distinct rows or if the table
// stores too many numbers. The table must not be used after that.
func (t *Table) Add(rows int, of []Columns, counts []float64, mostRows int) bool {
	t.hash(rows, of)
	from := t.added
	t.added += rows
	for r, h := range t.room[:rows] {
		n := 1.0
		if counts != nil {
			n = counts[r]
		}
		k, there := t.first[h]
		if !there {
			k = -1
		}
		last := k
		for k >= 0 && !t.equal(k, of, r) {
			k = t.next[k]
		}
		if k >= 0 {
			t.Counts[k] += n
			continue
		}
		if len(t.Counts) == mostRows || t.kept > t.most {
			return false
		}
		t.first[h] = len(t.Counts)
		t.Counts, t.next = append(t.Counts, n), append(t.next, last)
		t.First = append(t.First, from+r)
		t.keep(of, r)
	}
	return true
}

// Many reads rows as Add does, but for one thing: it stores a number of each. It returns true once
// it has seen more than mostRows distinct rows for sure; Add would then return false. It may return
// false for more, of which some have one hash. Forget has to be called before rows are
// added.
func (t *Table) Many(rows int, of []Columns, mostRows int) bool {
	t.hash(rows, of)
	for _, h := range t.room[:rows] {
		t.first[h] = 0
	}
	return len(t.first) > mostRows
}

// Forget leaves the table without rows.
func (t *Table) Forget() { clear(t.first) }

// hash computes the hashes of rows, datum by datum.
func (t *Table) hash(rows int, of []Columns) {
	if cap(t.room) < rows {
		t.room = make([]uint64, rows)
	}
	h := t.room[:rows]
	clear(h)
	for i := range of {
		c := &of[i]
		switch w := c.Width; {
		case c.Sparse.Lo != nil:
			for r := range h {
				h[r] = mix(h[r], uint64(c.Sparse.Hi[r]-c.Sparse.Lo[r]))
				for e := c.Sparse.Lo[r]; e < c.Sparse.Hi[r]; e++ {
					h[r] = mix(h[r], uint64(c.Sparse.Index[e]))
					if c.Sparse.Value != nil {
						h[r] = mix(h[r], math.Float64bits(c.Sparse.Value[e]))
					}
				}
			}
		case w == 1:
			for r, x := range c.Dense[:rows] {
				h[r] = mix(h[r], math.Float64bits(x))
			}
		default:
			for r := range h {
				for _, x := range c.Dense[r*w : (r+1)*w] {
					h[r] = mix(h[r], math.Float64bits(x))
				}
			}
		}
	}
}

// mix returns the hash of a sequence that ends with x, from the hash h of the numbers before x. The
// high and the low half of a product with an odd constant are combined, so that numbers that differ
// only in a few high bits, such as 1 and 2, differ in all bits of the hash.
func mix(h, x uint64) uint64 {
	hi, lo := bits.Mul64(h^x^0x9e3779b97f4a7c15, 0xd6e8feb86659fd93)
	return hi ^ lo + bits.RotateLeft64(h, 23)
}

// equal reports whether row k of the table is equal to row r of the columns in of.
func (t *Table) equal(k int, of []Columns, r int) bool {
	for i := range of {
		a, b := &t.Columns[i], &of[i]
		if b.Sparse.Lo == nil {
			w := a.Width
			x, y := a.Dense[k*w:(k+1)*w], b.Dense[r*w:(r+1)*w]
			if !same(x, y) {
				return false
			}
			continue
		}
		p, q := &a.Sparse, &b.Sparse
		lo, hi, from, to := p.Lo[k], p.Hi[k], q.Lo[r], q.Hi[r]
		if !slices.Equal(p.Index[lo:hi], q.Index[from:to]) ||
			(p.Value == nil) != (q.Value == nil) ||
			p.Value != nil && !same(p.Value[lo:hi], q.Value[from:to]) {
			return false
		}
	}
	return true
}

// same reports whether two lists of one length have the same bits.
func same(x, y []float64) bool {
	for i := range x {
		if math.Float64bits(x[i]) != math.Float64bits(y[i]) {
			return false
		}
	}
	return len(x) == len(y)
}

// keep appends row r of the columns in of to the table.
func (t *Table) keep(of []Columns, r int) {
	for i := range of {
		a, b := &t.Columns[i], &of[i]
		if b.Sparse.Lo == nil {
			w := a.Width
			a.Dense = append(a.Dense, b.Dense[r*w:(r+1)*w]...)
			t.kept += w
			continue
		}
		p, q := &a.Sparse, &b.Sparse
		lo, hi := q.Lo[r], q.Hi[r]
		p.Lo = append(p.Lo, len(p.Index))
		p.Index = append(p.Index, q.Index[lo:hi]...)
		p.Hi = append(p.Hi, len(p.Index))
		if q.Value != nil {
			p.Value = append(p.Value, q.Value[lo:hi]...)
		}
		if p.Value == nil && q.Value != nil {
			p.Value = []float64{}
		}
		t.kept += 2 * (hi - lo)
	}
}
