package main

import (
	"os"
	"syscall"
)

// peak is the largest resident size, in MiB, of a process that has ended and of those that it
// waited for.
func peak(p *os.ProcessState) float64 {
	u, is := p.SysUsage().(*syscall.Rusage)
	if !is {
		return 0
	}
	return float64(u.Maxrss) / 1024
}
