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
	lists := [][]int{nil, {0}, {rows - 1}, {rows - 4, rows - 3, rows - 2, rows - 1, 0, 17, 17}}
	for name, c := range map[string]Column{
		"ones": Sparse(all, nil, nil), "values": Sparse(valued, nil, nil),
		"narrow": Sparse(narrow, nil, nil), "single": Sparse(valued, &single, nil),
		"wide": Dense(make([]float64, 30*rows), 30), "numbers": Dense(make([]float32, 2*rows), 2),
		"widened": Widened(make([]float32, 3*rows), 3),
	} {
		f := c.(Fetcher)
		if !f.Cold() {
			t.Errorf("%s: a column of %d rows is not cold", name, rows)
		}
		for _, next := range lists {
			for _, after := range lists {
				if n := testing.AllocsPerRun(2, func() { f.Fetch(next, after) }); n > 0 {
					t.Errorf("%s: %v allocations", name, n)
				}
			}
		}
	}
	few, none := Dense(make([]float64, 10), 1), Sparse(kernel.Rows{}, nil, nil)
	if few.(Fetcher).Cold() || none.(Fetcher).Cold() {
		t.Error("columns that fit in the cache are cold")
	}
}
