package scratch

import "syscall"

// least is how many bytes must be free.
const least = 1 << 30

// inMemory reports whether files in a directory are kept in memory, with enough space, and may be
// programs.
func inMemory(dir string) bool {
	const (
		tmpfs  = 0x01021994 // the type of a file system in memory, of linux/magic.h
		noExec = 0x8        // programs in it cannot be started
	)
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return false
	}
	free := uint64(s.Bavail) * uint64(s.Bsize)
	return int64(s.Type) == tmpfs && int64(s.Flags)&noExec == 0 && free >= least
}
