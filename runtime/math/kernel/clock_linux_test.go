package kernel

import (
	"syscall"
	"time"
)

// cpuTime is the time that this process has had a processor for: it leaves out
// what others on the machine take, as the peers' programs do.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
