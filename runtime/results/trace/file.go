package trace

import (
	"bufio"

	"github.com/sgppl/sgppl/runtime/base/disk"
)

// WriteFileAtomic replaces a file of the operating system's in one step, as
// disk.WriteFile does.
func WriteFileAtomic(path string, data []byte) error { return disk.WriteFile(disk.OS, path, data) }

// WriteStream is WriteFileAtomic for contents that are too large to hold in memory: write produces
// them into a buffer that is written to a temporary file. After an error, of write too, the file
// at path is as it was, and nothing else is left.
func WriteStream(path string, write func(w *bufio.Writer) error) error {
	return disk.Stream(disk.OS, path, write)
}
