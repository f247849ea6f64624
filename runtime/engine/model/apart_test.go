package model

import (
	"slices"
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/array"
)

// TestDerived: what is kept of columns is what was put, packed as long as what
// pads a row is one cell, be it of other numbers in every row.
func TestDerived(t *testing.T) {
	same := []float64{1, 2, 9, 8, 9, 8 /**/, 9, 7, 9, 7, 9, 7 /**/, 3, 4, 5, 6, 1, 2 /**/, 3, 4, 5, 6,
		0, 0}
	other := slices.Clone(same)
	other[22] = 1
	last := slices.Clone(same)
	last[4] = 1
	for name, c := range map[string]struct {
		x      []float64
		packed bool
	}{"padded alike": {same, true}, "other padding at the end": {last, false},
		"one cell of padding": {other, true}} {
		for _, block := range []int{1, 2, 3, 4} {
			got := derived{rows: 4, width: 6, cells: array.NewPacked([]int{1, 0, 3, 2}, 3, 2)}
			for start := 0; start < 4; start += block {
				got.put(start, c.x[start*6:min(start+block, 4)*6])
			}
			if (got.cells != nil) != c.packed {
				t.Fatalf("%s: packed %t", name, got.cells != nil)
			}
			if c.packed {
				got.dense = got.cells.Padded()
			}
			if !slices.Equal(got.dense, c.x) {
				t.Errorf("%s, blocks of %d: %v, want %v", name, block, got.dense, c.x)
			}
		}
	}
}
