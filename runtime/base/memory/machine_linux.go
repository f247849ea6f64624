package memory

import "syscall"

// physical is the memory of the machine.
func physical() int64 { return meminfo("/proc/meminfo") }

// process is how much memory a limit of the process's address space leaves; 0
// without a limit. A third of the limit is set aside, since reserved addresses count
// too, and an array that grows exists twice while it is copied.
func process() int64 {
	var r syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_AS, &r) != nil || r.Cur > 1<<60 {
		return 0
	}
	return int64(r.Cur / 3 * 2)
}
