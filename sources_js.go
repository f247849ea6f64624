package sgppl

import (
	"errors"
	"io/fs"
)

// Runtime returns an error: a page builds no programs, so the sources stay away from it.
func Runtime(func(path string, file fs.File) error) error {
	return errors.New("this build of sgppl has no sources of its runtime")
}
