package system

import (
	"syscall"
	"unsafe"
)

var getDiskFreeSpaceEx = kernel.NewProc("GetDiskFreeSpaceExW")

// FreeSpace returns what the user may still write on the disk of dir, in bytes; ok is
// false where that is not known.
func FreeSpace(dir string) (bytes float64, ok bool) {
	name, err := syscall.UTF16PtrFromString(dir)
	if err != nil {
		return 0, false
	}
	var free uint64
	done, _, _ := getDiskFreeSpaceEx.Call(uintptr(unsafe.Pointer(name)),
		uintptr(unsafe.Pointer(&free)), 0, 0)
	return float64(free), done != 0
}
