package trace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// tempMark is in the name of every unfinished file; readers and copies skip them.
const tempMark = ".tmp-"

// WriteFileAtomic replaces the file at path by data in one step: a reader, or
// the next process after a crash, sees the old content or the new, never a
// part. The data are on the disk when it returns. Errors name the path.
func WriteFileAtomic(path string, data []byte) error {
	// Others may be writing the same file: the temporary one is ours alone.
	f, err := createTemp(path)
	if err == nil {
		err = finish(f, path, data, true)
	}
	if err != nil {
		return wrapWrite(path, err)
	}
	return syncDir(filepath.Dir(path))
}

// createTemp opens a new file beside path, with the permissions that the
// user's mask leaves.
func createTemp(path string) (*os.File, error) {
	for i := 0; ; i++ {
		name := fmt.Sprintf("%s%s%d-%d", path, tempMark, os.Getpid(), i)
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}

// replaceFile writes data beside path and renames it there. A path has one
// writer at a time, so what a killed process left beside it is overwritten.
func replaceFile(path string, data []byte, sync bool) error {
	f, err := os.OpenFile(path+tempMark, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	if err == nil {
		err = finish(f, path, data, sync)
	}
	return wrapWrite(path, err)
}

// finish fills the temporary file f, closes it and renames it to path, or
// removes it.
func finish(f *os.File, path string, data []byte, sync bool) error {
	_, err := f.Write(data)
	if err == nil && sync {
		err = f.Sync()
	}
	// A full disk may be noticed no earlier than here.
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// cause strips the temporary name from an error, since the caller names the
// file that was meant.
func cause(err error) error {
	switch e := err.(type) {
	case *os.PathError:
		return e.Err
	case *os.LinkError:
		return e.Err
	}
	return err
}

// syncDir makes renames in dir durable, on systems where a directory can be
// opened and synced; elsewhere the rename itself is all there is.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("cannot write in %s: %w", dir, cause(err))
	}
	_ = d.Sync()
	return d.Close()
}

// syncFile makes an already renamed file durable.
func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	err = f.Sync()
	if e := f.Close(); err == nil {
		err = e
	}
	return wrapWrite(path, err)
}

// wrapWrite names the file that could not be written.
func wrapWrite(path string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("cannot write %s: %w", path, cause(err))
}

// isTemp reports whether a file name is that of an unfinished write.
func isTemp(name string) bool { return strings.Contains(name, tempMark) }
