//go:build !amd64 || purego

package kernel

// There are no vectors here.

func gatherVec64(dst []float64, r Rows, w []float64, acc bool) bool { return false }

func scatterVec64(g []float64, r Rows, d []float64) bool { return false }
