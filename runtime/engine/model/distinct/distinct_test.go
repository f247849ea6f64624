package distinct

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sgppl/sgppl/runtime/math/kernel"
)

// key is a row as a text, with all bits of its numbers.
func key(of []Columns, r int) string {
	text := ""
	for _, c := range of {
		if c.Sparse.Lo == nil {
			for _, x := range c.Dense[r*c.Width : (r+1)*c.Width] {
				text += fmt.Sprintf("%x ", math.Float64bits(x))
			}
			continue
		}
		for e := c.Sparse.Lo[r]; e < c.Sparse.Hi[r]; e++ {
			text += fmt.Sprintf("%d:%x ", c.Sparse.Index[e], math.Float64bits(c.Sparse.Value[e]))
		}
		text += "| "
	}
	return text
}

// some are rows of a few odd numbers: a dense column, two of a width of 1, and sparse rows.
func some(r *rand.Rand, rows int) []Columns {
	odd := []float64{0, math.Copysign(0, -1), math.NaN(), 1, 2}
	list := func(n int) []float64 {
		out := make([]float64, n)
		for i := range out {
			out[i] = odd[r.IntN(len(odd))]
		}
		return out
	}
	of := []Columns{{Width: 1, Dense: list(rows)}, {Width: 2, Dense: list(2 * rows)},
		{Sparse: kernel.Rows{Lo: []int{}}}, {Width: 1, Dense: list(rows)}}
	s := &of[2].Sparse
	for range rows {
		s.Lo = append(s.Lo, len(s.Index))
		for range r.IntN(3) {
			s.Index, s.Value = append(s.Index, int32(r.IntN(2))), append(s.Value, odd[r.IntN(2)])
		}
		s.Hi = append(s.Hi, len(s.Index))
	}
	return of
}

// TestTable holds a table against a map of texts: each different row once, in the order of its
// first occurrence, with its count, whatever the blocks in which rows are added.
func TestTable(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	tab := New([]int{1, 2, 0, 1}, 1<<20)
	var order []string
	counts := map[string]float64{}
	for _, rows := range []int{1, 300, 7, 2000, 0, 500} {
		of := some(r, rows)
		for i := range rows {
			k := key(of, i)
			if counts[k] == 0 {
				order = append(order, k)
			}
			counts[k]++
		}
		if !tab.Add(rows, of, nil, math.MaxInt) {
			t.Fatal("the table is full")
		}
	}
	if len(tab.Counts) != len(order) || len(order) == 2808 {
		t.Fatalf("%d different rows, want %d", len(tab.Counts), len(order))
	}
	for i, k := range order {
		if got := key(tab.Columns, i); got != k || tab.Counts[i] != counts[k] {
			t.Fatalf("row %d is %s, %v times; want %s, %v times", i, got, tab.Counts[i], k,
				counts[k])
		}
	}
}

// TestTableOnes: sparse rows of ones have no values.
func TestTableOnes(t *testing.T) {
	tab := New([]int{0}, 100)
	of := []Columns{{Sparse: kernel.Rows{Lo: []int{0, 2, 2, 3}, Hi: []int{2, 2, 3, 5},
		Index: []int32{1, 4, 1, 1, 4}}}}
	if !tab.Add(4, of, nil, 4) || !slices.Equal(tab.Counts, []float64{2, 1, 1}) ||
		tab.Columns[0].Sparse.Value != nil {
		t.Errorf("%v, %+v", tab.Counts, tab.Columns)
	}
}

// TestTableFull: a table refuses a row beyond the most, and numbers beyond the most.
func TestTableFull(t *testing.T) {
	of := []Columns{{Width: 1, Dense: []float64{1, 2, 1, 3}}}
	if New([]int{1}, 100).Add(4, of, nil, 2) || !New([]int{1}, 100).Add(4, of, nil, 3) ||
		!New([]int{1}, 100).Add(3, of, nil, 2) || New([]int{1}, 1).Add(4, of, nil, 3) {
		t.Error("the limits of a table do not hold")
	}
}

// TestHash: hashes of whole numbers, of their order and of lists of zeros differ.
func TestHash(t *testing.T) {
	seen := map[uint64]string{}
	for a := range 60 {
		for b := range 60 {
			tab := New([]int{2}, 100)
			x := []float64{float64(a), float64(b)}
			tab.hash(1, []Columns{{Width: 2, Dense: x}})
			if other := seen[tab.room[0]]; other != "" {
				t.Fatalf("%v has the hash of %s", x, other)
			}
			seen[tab.room[0]] = fmt.Sprint(x)
		}
	}
}
