//go:build unix

package disk

import "syscall"

// exists says whether there is a process of that number.
func exists(process int) bool { return syscall.Kill(process, 0) != syscall.ESRCH }
