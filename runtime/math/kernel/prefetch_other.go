//go:build !amd64 || purego

package kernel

// Nothing is asked for before it is read.

func prefetchRows[T float32 | float64 | int](x []T, rows []int, stride, width int) {}

func prefetchSpans[T float32 | float64 | int32 | uint8](x []T, rows, lo, hi []int) {}
