package main

import (
	"syscall"
	"time"
)

// threadTime is the time that the calling thread has had a processor for.
func threadTime() time.Duration {
	const ofThread = 1 // RUSAGE_THREAD of Linux
	var u syscall.Rusage
	if syscall.Getrusage(ofThread, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
