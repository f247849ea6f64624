//go:build !(linux || darwin || freebsd || windows)

package system

// FreeSpace is not known to the standard library here.
func FreeSpace(string) (bytes float64, ok bool) { return 0, false }
