//go:build linux || darwin || freebsd

package system

import "syscall"

// FreeSpace returns what the user may still write on the disk of dir, in bytes; ok is
// false where that is not known.
func FreeSpace(dir string) (bytes float64, ok bool) {
	var s syscall.Statfs_t
	if syscall.Statfs(dir, &s) != nil || s.Blocks == 0 { // some file systems do not count
		return 0, false
	}
	return float64(s.Bavail) * float64(s.Bsize), true
}
