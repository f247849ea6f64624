package sgppl

import "errors"

// Runtime returns an error: a page builds no programs, so the sources stay away from it.
func Runtime(func(path string, text []byte) error) error {
	return errors.New("this build of sgppl has no sources of its runtime")
}
