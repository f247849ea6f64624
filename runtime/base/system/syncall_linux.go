package system

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
)

// The file systems of which syncfs is known to make all files durable, by their magic numbers: ext2
// to ext4, XFS, Btrfs, and tmpfs, which has nothing to make durable. Others may be the front of a
// server that is not told.
var wholly = map[int64]bool{0xef53: true, 0x58465342: true, 0x9123683e: true, 0x01021994: true}

// mostDirty is the number of bytes that wait to be written, of all programs, up to which a file
// system is synced as a whole: its sync waits for all of them.
const mostDirty = 32 << 20

// SyncAll makes every file and directory durable of the file system that has path, if the system
// can do that in about the time of one file. Otherwise it returns false, and each file must be
// synced by itself.
func SyncAll(path string) bool {
	if syncFS == 0 || !tellsErrors() || !calm() {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	var of syscall.Statfs_t
	if syscall.Fstatfs(int(f.Fd()), &of) != nil || !wholly[int64(of.Type)] {
		return false
	}
	_, _, failed := syscall.Syscall(syncFS, f.Fd(), 0, 0)
	return failed == 0
}

// tellsErrors reports whether syncfs fails where a write to the disk did: since Linux 5.8, see
// syncfs(2).
var tellsErrors = sync.OnceValue(func() bool {
	b, err := os.ReadFile("/proc/sys/kernel/osrelease")
	if err != nil {
		return false
	}
	parts := strings.FieldsFunc(string(b), func(r rune) bool { return r < '0' || r > '9' })
	if len(parts) < 2 {
		return false
	}
	major, e1 := strconv.Atoi(parts[0])
	minor, e2 := strconv.Atoi(parts[1])
	return e1 == nil && e2 == nil && (major > 5 || major == 5 && minor >= 8)
})

// calm reports whether few bytes wait to be written to disks.
func calm() bool {
	b, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return false
	}
	sum := 0
	for _, name := range []string{"\nDirty:", "\nWriteback:"} {
		_, rest, found := bytes.Cut(b, []byte(name))
		kib, _, _ := bytes.Cut(bytes.TrimLeft(rest, " "), []byte(" "))
		n, err := strconv.Atoi(string(kib))
		if !found || err != nil {
			return false
		}
		sum += n << 10
	}
	return sum <= mostDirty
}
