//go:build unix

package native

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// ours refuses a file that others than its owner may write, or that belongs neither
// to this user nor to the system's.
func ours(info fs.FileInfo) error {
	if info.Mode()&0o022 != 0 {
		return fmt.Errorf("can be written by others (mode %v)", info.Mode().Perm())
	}
	if s, ok := info.Sys().(*syscall.Stat_t); ok && s.Uid != 0 && int(s.Uid) != os.Geteuid() {
		return fmt.Errorf("belongs to another user (%d)", s.Uid)
	}
	return nil
}
