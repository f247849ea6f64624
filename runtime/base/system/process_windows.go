package system

import (
	"errors"
	"syscall"
)

// NonBlocking is not a flag on Windows: names of files are not those of pipes.
const NonBlocking = 0

const (
	queryLimited = 0x1000            // PROCESS_QUERY_LIMITED_INFORMATION
	noProcess    = syscall.Errno(87) // ERROR_INVALID_PARAMETER
	stillActive  = uint32(259)       // STILL_ACTIVE
)

// Exists reports whether there is a process of that number, and yes where the system does not tell.
func Exists(process int) bool {
	h, err := syscall.OpenProcess(queryLimited, false, uint32(process))
	if err != nil {
		return !errors.Is(err, noProcess)
	}
	defer syscall.CloseHandle(h)
	var code uint32
	return syscall.GetExitCodeProcess(h, &code) != nil || code == stillActive
}
