//go:build !amd64 || purego

package kernel

// There are no vectors here.

func sumRows64(dst, w []float64, l entries64, h, panel int, zero bool) { panic("no vectors") }

func addRows64(g, row []float64, l entries64, lo, hi, h int) { panic("no vectors") }
