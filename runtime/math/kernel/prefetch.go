package kernel

import "github.com/sgppl/sgppl/runtime/math/cpu"

// PrefetchRows asks for rows of width numbers of x, stride numbers from one another, that are
// read soon. It changes nothing.
func PrefetchRows[T float32 | float64 | int](x []T, rows []int, stride, width int) {
	if level != cpu.Portable && len(rows) > 0 && width > 0 && len(x) > 0 {
		prefetchRows(x, rows, stride, width)
	}
}

// PrefetchSpans asks for the entries lo[r] until hi[r] of x for every row r, as PrefetchRows does.
// It reads the bounds, which have better been asked for before.
func PrefetchSpans[T float32 | float64 | int32 | uint8](x []T, rows, lo, hi []int) {
	if level != cpu.Portable && len(rows) > 0 && len(x) > 0 {
		prefetchSpans(x, rows, lo, hi)
	}
}
