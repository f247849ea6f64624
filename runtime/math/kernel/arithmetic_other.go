//go:build !amd64 || purego

package kernel

func vectorEntrywise(op Op, dst, x, y, z []float64) { portableEntrywise(op, dst, x, y, z) }
