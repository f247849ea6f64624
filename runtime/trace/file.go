package trace

import (
	"fmt"
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
	if err := replaceFile(path, data, true); err != nil {
		return err
	}
	return syncDir(filepath.Dir(path))
}

// replaceFile writes data beside path and renames it there.
func replaceFile(path string, data []byte, sync bool) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+tempMark+"*")
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", path, cause(err))
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name())
			err = fmt.Errorf("cannot write %s: %w", path, cause(err))
		}
	}()
	_, err = f.Write(data)
	if err == nil {
		err = f.Chmod(0o644) // CreateTemp makes files private
	}
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
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", path, cause(err))
	}
	return nil
}

// isTemp reports whether a file name is that of an unfinished write.
func isTemp(name string) bool { return strings.Contains(name, tempMark) }
