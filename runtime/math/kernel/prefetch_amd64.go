//go:build amd64 && !purego

package kernel

import "github.com/sgppl/sgppl/runtime/math/kernel/vec"

// prefetchRows is given rows within x, and at least one.
func prefetchRows[T float32 | float64 | int](x []T, rows []int, stride, width int) {
	switch x := any(x).(type) {
	case []float64:
		vec.PrefetchRowsFloat64(&x[0], &rows[0], len(rows), 8*stride, 8*width)
	case []float32:
		vec.PrefetchRowsFloat32(&x[0], &rows[0], len(rows), 4*stride, 4*width)
	case []int:
		vec.PrefetchRowsInt(&x[0], &rows[0], len(rows), 8*stride, 8*width)
	}
}

// prefetchSpans is given rows within lo and hi, and at least one.
func prefetchSpans[T float32 | float64 | int32 | uint8](x []T, rows, lo, hi []int) {
	switch x := any(x).(type) {
	case []float64:
		vec.PrefetchSpansFloat64(&x[0], &rows[0], &lo[0], &hi[0], len(rows), 8)
	case []float32:
		vec.PrefetchSpansFloat32(&x[0], &rows[0], &lo[0], &hi[0], len(rows), 4)
	case []int32:
		vec.PrefetchSpansInt32(&x[0], &rows[0], &lo[0], &hi[0], len(rows), 4)
	case []uint8:
		vec.PrefetchSpansUint8(&x[0], &rows[0], &lo[0], &hi[0], len(rows), 1)
	}
}
