package trace

import (
	"bufio"

	"github.com/sgppl/sgppl/runtime/base/disk"
)

// WriteFileAtomic replaces a file of the operating system's in one step, as
// disk.WriteFile does.
func WriteFileAtomic(path string, data []byte) error { return disk.WriteFile(disk.OS, path, data) }

// WriteStream is WriteFileAtomic for what is too large to hold: write fills a
// buffer that goes to a temporary file. An error, of write too, leaves what
// was at path before and nothing else.
func WriteStream(path string, write func(w *bufio.Writer) error) error {
	return disk.Stream(disk.OS, path, write)
}
