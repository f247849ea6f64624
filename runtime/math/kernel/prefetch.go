package kernel

import "github.com/sgppl/sgppl/runtime/math/cpu"

// coldBytes is the size of an array from which it pays to ask for rows before they are read: it
// fills a part of the second cache, and other arrays want the rest.
const coldBytes = 1 << 19

// mostAsked is how many bytes of a row are asked for; the processor follows long rows by itself.
const mostAsked = 512

// PrefetchRows asks for rows of width numbers of x, stride numbers from one another, that are
// read soon. It changes nothing, and does nothing where x is small.
func PrefetchRows[T float32 | float64 | int](x []T, rows []int, stride, width int) {
	if level == cpu.Portable || len(rows) == 0 || width <= 0 || 8*len(x) < coldBytes {
		return
	}
	prefetchRows(x, rows, stride, min(width, mostAsked/8))
}

// PrefetchSpans asks for the entries lo[r] until hi[r] of x for every row r, as PrefetchRows does.
// It reads the bounds, which have better been asked for before.
func PrefetchSpans[T float32 | float64 | int32 | uint8](x []T, rows, lo, hi []int) {
	if level == cpu.Portable || len(rows) == 0 || 8*len(x) < coldBytes {
		return
	}
	prefetchSpans(x, rows, lo, hi)
}
