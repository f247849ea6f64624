package trace

import (
	"bufio"

	"github.com/sgppl/sgppl/runtime/base/disk"
)

// WriteFileAtomic replaces a file of the operating system's in one step, as
// disk.WriteFile does.
func WriteFileAtomic(path string, data []byte) error { return disk.WriteFile(disk.OS, path, data) }

// WriteStream is WriteFileAtomic for contents that are too large to hold in memory. write writes
// them into a buffer, which goes to a temporary file. After any error, from write too, the file at
// path is unchanged and the temporary file is removed.
func WriteStream(path string, write func(w *bufio.Writer) error) error {
	return disk.Stream(disk.OS, path, write)
}
