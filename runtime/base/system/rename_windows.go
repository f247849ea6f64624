package system

import (
	"errors"
	"os"
	"syscall"
)

// Rename renames a file or directory; a file at the new name is replaced in one step. On
// Windows a file that another process has open, such as a scanner of viruses, cannot be
// replaced: Rename waits some time for it to be closed.
func Rename(from, to string) error {
	return patiently(func() error { return os.Rename(from, to) }, func(err error) bool {
		return errors.Is(err, errorSharingViolation) || errors.Is(err, syscall.ERROR_ACCESS_DENIED)
	}, renameWait)
}

// SyncDir does nothing: names in directories are durable without it on Windows.
func SyncDir(string) error { return nil }
