//go:build unix

package system

import "syscall"

// NonBlocking is a flag of files: a pipe is opened without a wait for its writer.
const NonBlocking = syscall.O_NONBLOCK

// Exists reports whether there is a process of that number.
func Exists(process int) bool { return syscall.Kill(process, 0) != syscall.ESRCH }
