//go:build !(linux || darwin || freebsd)

package run

// freeSpace is not known to the standard library here.
func freeSpace(string) (bytes float64, ok bool) { return 0, false }
