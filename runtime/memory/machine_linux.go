package memory

import "syscall"

// physical is the memory of the machine.
func physical() int64 { return meminfo("/proc/meminfo") }

// process is the limit of the process's address space; 0 without one.
func process() int64 {
	var r syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_AS, &r) != nil || r.Cur > 1<<60 {
		return 0
	}
	return int64(r.Cur)
}
