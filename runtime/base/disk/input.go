package disk

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/sgppl/sgppl/runtime/base/system"
)

// pipeWait is how long a pipe may be without a writer before it is refused.
const pipeWait = time.Second

// OpenInput opens a file of the operating system to read it from its beginning to its
// end, as an *os.File where it is a regular file or a directory. A pipe is read as
// long as it has a writer; one that nobody writes to, and a device other than the
// null device, are refused instead of waited for.
func OpenInput(path string) (io.ReadCloser, error) {
	var mode fs.FileMode                        // a regular file
	if info, err := os.Stat(path); err == nil { // else os.Open says why not
		mode = info.Mode()
	}
	switch {
	case mode.IsRegular(), mode.IsDir(), path == os.DevNull:
		f, err := os.Open(path)
		if err != nil {
			return nil, err // not a ReadCloser that holds nil
		}
		return f, nil
	case mode&fs.ModeNamedPipe != 0:
		return openPipe(path)
	default:
		return nil, unfit(path, mode)
	}
}

// OpenRegular opens a file of the operating system that is read more than once, or
// not in order: anything but a regular file or a directory is refused.
func OpenRegular(path string) (*os.File, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return nil, unfit(path, info.Mode())
	}
	return os.Open(path)
}

// ReadInput returns all of what OpenInput opens.
func ReadInput(path string) ([]byte, error) {
	f, err := OpenInput(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// unfit refuses what is not a file.
func unfit(path string, mode fs.FileMode) error {
	what := "is a device, and a file is expected"
	switch {
	case mode&fs.ModeNamedPipe != 0:
		what = "is a pipe, and a file is expected"
	case mode&fs.ModeSocket != 0:
		what = "is a socket, and a file is expected"
	}
	return &fs.PathError{Op: "open", Path: path, Err: errors.New(what)}
}

// A pipe is what a named pipe gives, of which a byte was read already.
type pipe struct {
	*os.File
	first []byte
}

func (p *pipe) Read(b []byte) (int, error) {
	if len(p.first) > 0 && len(b) > 0 {
		n := copy(b, p.first)
		p.first = p.first[n:]
		return n, nil
	}
	return p.File.Read(b)
}

// openPipe opens a named pipe and waits for what is written to it, but no longer
// than pipeWait for somebody who does.
func openPipe(path string) (io.ReadCloser, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|system.NonBlocking, 0)
	if err != nil {
		return nil, err
	}
	b := make([]byte, 1)
	for end := time.Now().Add(pipeWait); ; time.Sleep(pipeWait / 100) {
		// Without a writer a read ends at once; with one it waits for its bytes.
		n, err := f.Read(b)
		if n > 0 {
			return &pipe{f, b[:n]}, nil
		}
		if err != nil && err != io.EOF {
			f.Close()
			return nil, err
		}
		if time.Now().After(end) {
			f.Close()
			return nil, &fs.PathError{Op: "open", Path: path,
				Err: errors.New("is a pipe that nobody writes to")}
		}
	}
}
