package format

import (
	"runtime"
	"strings"
	"testing"
)

// TestBlocksAreCheap: a block of a few rows, which runs by blocks read again and
// again, costs little more memory than its numbers.
func TestBlocksAreCheap(t *testing.T) {
	text := &RowText{File: "t.csv", Format: "csv", Head: []byte("x.0,x.1,y\n"), Base: -1}
	block := Piece{Text: []byte(strings.Repeat("1.5,-2,1\n", 15)), Line: 2, Rows: 15}
	const times = 100
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range times {
		if rows, errs := text.Read(block); errs != nil || rows.Len() != 15 {
			t.Fatal(rows, errs)
		}
	}
	runtime.ReadMemStats(&after)
	if bytes := (after.TotalAlloc - before.TotalAlloc) / times; bytes > 16<<10 {
		t.Errorf("reading 15 rows takes %d bytes of memory", bytes)
	}
}
