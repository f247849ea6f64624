package cputime

import (
	"syscall"
	"time"
)

// Now is the time that this process has had a processor for. It leaves out what
// other programs on the machine take.
func Now() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
