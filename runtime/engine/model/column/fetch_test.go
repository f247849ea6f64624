package column

import (
	"testing"

	"github.com/sgppl/sgppl/runtime/math/kernel"
)

// Asking for rows changes nothing and fails nowhere: not for empty rows, not for the last one, and
// not where there are none.
func TestFetch(t *testing.T) {
	const rows = 70000
	all := kernel.Rows{}
	for r := range rows {
		lo := len(all.Index)
		for range r % 4 * 40 {
			all.Index = append(all.Index, int32(r%100))
		}
		all.Lo, all.Hi = append(all.Lo, lo), append(all.Hi, len(all.Index))
	}
	valued := all
	valued.Value = make([]float64, len(all.Index))
	narrow := all
	narrow.Narrow = make([]uint8, len(all.Index))
	single := kernel.Rows32{Lo: all.Lo, Hi: all.Hi, Index: all.Index,
		Value: make([]float32, len(all.Index))}
	b := &Buffer{}
	lists := [][]int{nil, {0}, {rows - 1}, {rows - 4, rows - 3, rows - 2, rows - 1, 0, 17, 17}}
	for name, c := range map[string]Column{
		"ones": Sparse(all, nil, nil, nil), "values": Sparse(valued, nil, nil, nil),
		"narrow": Sparse(narrow, nil, nil, nil), "single": Sparse(valued, &single, nil, nil),
		"wide": Dense(make([]float64, 30*rows), 30), "numbers": Dense(make([]float32, 2*rows), 2),
		"widened": Widened(make([]float32, 3*rows), 3),
	} {
		f := c.(Fetcher)
		if !f.Cold(false) {
			t.Errorf("%s: a column of %d rows is not cold", name, rows)
		}
		for _, next := range lists {
			for _, after := range lists {
				if n := testing.AllocsPerRun(2, func() { f.Fetch(b, next, after) }); n > 0 {
					t.Errorf("%s: %v allocations", name, n)
				}
			}
		}
	}
	// Rows that fit into records are asked for as such where processors have these.
	short := kernel.Rows{Index: []int32{1, 2, 3}}
	for range rows {
		short.Lo, short.Hi = append(short.Lo, 0), append(short.Hi, 3)
	}
	f := Sparse(short, nil, nil, nil).(Fetcher)
	if !f.Cold(false) {
		t.Errorf("short rows: a column of %d rows is not cold", rows)
	}
	for _, next := range lists {
		if n := testing.AllocsPerRun(2, func() { f.Fetch(b, next, nil) }); n > 0 {
			t.Errorf("short rows: %v allocations", n)
		}
	}
	// Where functions have read rows by their bounds, bounds and entries are asked for too.
	var at found
	b = at.buffer(0, 4, false)
	f.(Column).Fill(b, Rows{List: []int{5, 6}, Count: 2, Block: 4})
	if lo, hi := at.sparse.Bounds(); len(lo) != 2 || hi[1]-lo[1] != 3 {
		t.Errorf("rows are from %v until %v", lo, hi)
	}
	for _, next := range lists {
		if n := testing.AllocsPerRun(2, func() { f.Fetch(b, next, next) }); n > 0 {
			t.Errorf("short rows by bounds: %v allocations", n)
		}
	}
	few, none := Dense(make([]float64, 10), 1), Sparse(kernel.Rows{}, nil, nil, nil)
	if few.(Fetcher).Cold(false) || none.(Fetcher).Cold(false) {
		t.Error("columns that fit in the cache are cold")
	}
}
