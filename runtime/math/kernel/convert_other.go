//go:build !amd64 || purego

package kernel

// There are no vectors here: the level is Portable, and nobody calls these.

func vectorNarrow(dst []float32, src []float64) {}

func vectorWiden(dst []float64, src []float32) {}

func vectorCombine64(dst, x, y, c []float64) {}

func vectorCombine32(dst, x, y, c []float32) {}

func vectorCombineWide(dst []float64, x, y, c []float32) {}
