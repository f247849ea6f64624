//go:build !js && !wasip1

package session

import (
	"os"

	"github.com/vbauerster/mpb/v8/cwriter"
)

// terminal reports whether a file is a terminal, and whether that knows its size.
func terminal(f *os.File) (is, sized bool) {
	fd := int(f.Fd())
	width, height, err := cwriter.GetSize(fd)
	return cwriter.IsTerminal(fd), err == nil && width > 0 && height > 0
}
