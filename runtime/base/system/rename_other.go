//go:build !windows

package system

import (
	"errors"
	"os"
	"syscall"
)

// Rename renames a file or directory; a file at the new name is replaced in one step.
func Rename(from, to string) error { return os.Rename(from, to) }

// SyncDir makes the names in a directory durable. It does nothing on file systems that say
// that they cannot.
func SyncDir(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	err = d.Sync()
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL) {
		err = nil
	}
	if e := d.Close(); err == nil {
		err = e
	}
	return err
}
