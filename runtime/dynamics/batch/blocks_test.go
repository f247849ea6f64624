package batch

import (
	"slices"
	"testing"

	"github.com/sgppl/sgppl/runtime/math/rng"
	"pgregory.net/rapid"
)

// TestPages: a pass has every row once; every batch has its rows in the page
// that it belongs to; batches are the same in whatever order they are asked
// for.
func TestPages(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := Layout{Rows: rapid.IntRange(1, 200).Draw(t, "rows"),
			Block:  rapid.IntRange(1, 30).Draw(t, "block"),
			Window: rapid.IntRange(1, 5).Draw(t, "window")}
		size := rapid.IntRange(1, l.Rows).Draw(t, "size")
		shuffle := rapid.Bool().Draw(t, "shuffle")
		stream := rng.New(3, 1, rng.Batch)
		p := NewPages(l, size, shuffle, stream)
		b, placed := Paged(NewPages(l, size, shuffle, stream)), NewPages(l, size, shuffle, stream)
		placed.Placed = true
		at := Paged(placed)
		var all [][]int
		var came []int
		for k := range 3 * b.PerPass() {
			rows, scale := b.At(k)
			if small := l.Rows / int(b.PerPass()); len(rows) < small ||
				len(rows) > min(small+1, size) || scale != float64(l.Rows)/float64(len(rows)) {
				t.Fatalf("batch %d of %d rows has scale %v", k, len(rows), scale)
			}
			all = append(all, slices.Clone(rows))
			if behind := p.Behind(p.Of(k)); behind <= k || p.Of(behind) != p.Of(k)+1 ||
				p.Of(behind-1) != p.Of(k) {
				t.Fatalf("batch %d is behind the page of batch %d", behind, k)
			}
			left, blocks := p.Page(p.Of(k))
			if len(left) >= size {
				t.Fatalf("%d rows are left of a window, of batches of %d", len(left), size)
			}
			page := slices.Clone(left)
			for _, block := range blocks {
				lo, hi := p.Span(block)
				for r := lo; r < hi; r++ {
					page = append(page, r)
				}
			}
			at.At(k)
			places, _ := at.Places()
			for i, r := range rows {
				if len(places) != len(rows) || page[places[i]] != r {
					t.Fatalf("row %d of batch %d lies elsewhere: %v", r, k, places)
				}
			}
			if next, _ := b.Coming(); k > 0 && len(came) > 0 && !slices.Equal(came, rows) ||
				(p.Of(k) == p.Of(k+1)) != (len(next) > 0) {
				t.Fatalf("batch %d has rows %v, %v were told; next come %v", k, rows, came, next)
			} else {
				came = slices.Clone(next)
			}
			for _, r := range rows {
				if !slices.Contains(left, r) && !slices.Contains(blocks, p.Layout.Of(r)) {
					t.Fatalf("row %d of batch %d is not in page %d", r, k, p.Of(k))
				}
				if lo, hi := p.Span(p.Layout.Of(r)); r < lo || r >= hi {
					t.Fatalf("row %d is not in its block", r)
				}
			}
		}
		for pass := range 3 {
			flat := slices.Concat(all[pass*int(b.PerPass()) : (pass+1)*int(b.PerPass())]...)
			if !shuffle && !slices.IsSorted(flat) {
				t.Fatal("rows in their own order do not rise")
			}
			slices.Sort(flat)
			for i, r := range flat {
				if r != i || len(flat) != l.Rows {
					t.Fatalf("pass %d is not of every row once", pass)
				}
			}
		}
		k := rapid.Int64Range(0, int64(len(all)-1)).Draw(t, "k")
		again := Paged(NewPages(l, size, shuffle, stream))
		if rows, _ := again.At(k); !slices.Equal(rows, all[k]) {
			t.Fatalf("batch %d depends on what was asked before", k)
		}
	})
}

// TestBlocksShuffle: passes differ, chains differ, and rows of one block do not
// stay together.
func TestBlocksShuffle(t *testing.T) {
	l := Layout{Rows: 4000, Block: 50, Window: 8}
	pass := func(chain int, k int64) []int {
		b := Paged(NewPages(l, 10, true, rng.New(1, chain, rng.Batch)))
		var all []int
		for j := range b.PerPass() {
			rows, _ := b.At(k*b.PerPass() + j)
			all = append(all, rows...)
		}
		return all
	}
	first := pass(0, 0)
	if slices.Equal(first, pass(0, 1)) || slices.Equal(first, pass(1, 0)) {
		t.Error("two passes have one order")
	}
	together := 0
	for i := 1; i < len(first); i++ {
		if l.Of(first[i]) == l.Of(first[i-1]) {
			together++
		}
	}
	// Of a window of 8 blocks the next row is of the same one in 49 of 399 cases.
	if share := float64(together) / float64(len(first)); share < 0.09 || share > 0.16 {
		t.Errorf("%.2f of the rows follow one of their own block", share)
	}
}

// BenchmarkPages is a pass over a million rows; it allocates as it begins alone.
func BenchmarkPages(b *testing.B) {
	p := Paged(NewPages(Layout{1_000_000, 1000, 16}, 100, true, rng.New(1, 0, rng.Batch)))
	p.At(0)
	b.ReportAllocs()
	for i := range b.N {
		p.At(int64(i))
	}
}
