//go:build unix

package system

import (
	"errors"
	"syscall"
)

// IsBusy reports whether a program could not be started because its file is still open for
// writing somewhere.
func IsBusy(err error) bool { return errors.Is(err, syscall.ETXTBSY) }
