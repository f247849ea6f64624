package session

import (
	"bufio"
	"bytes"
	"errors"
	"os"
	"path/filepath"

	"github.com/sgppl/sgppl/runtime/base/system"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

// ReplaceFile replaces the content of a file atomically: readers see the old text or the new one.
// It follows symbolic links and keeps the permissions of an existing file. It does not write a file
// that has the text already; wrote reports whether it wrote.
func ReplaceFile(path string, text []byte, perm os.FileMode) (wrote bool, err error) {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	if info, err := os.Stat(path); err == nil {
		perm = info.Mode().Perm()
		if info.Mode().IsRegular() && info.Size() == int64(len(text)) {
			if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, text) {
				return false, nil
			}
		}
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return false, err
	}
	defer func() {
		if err != nil {
			tmp.Close()
			os.Remove(tmp.Name())
		}
	}()
	if _, err = tmp.Write(text); err != nil {
		return false, err
	}
	if err = tmp.Chmod(perm); err != nil {
		return false, err
	}
	if err = tmp.Sync(); err != nil {
		return false, err
	}
	if err = tmp.Close(); err != nil {
		return false, err
	}
	return true, system.Rename(tmp.Name(), path)
}

// RefuseExisting returns an error if the file exists and force is false, or if its directory does
// not exist.
func RefuseExisting(path string, force bool) error {
	if path == "-" {
		return nil
	}
	if _, err := os.Lstat(path); err == nil && !force {
		return Usagef("%s exists; --force replaces it", path)
	}
	if _, err := os.Stat(filepath.Dir(path)); err != nil {
		return Failf(ExitFiles, "cannot write %s: no such directory", path)
	}
	return nil
}

// Stream writes a file in one step, or standard output for "-".
func (e *Session) Stream(out string, write func(b *bufio.Writer) error) error {
	if out != "-" {
		return trace.WriteStream(out, write)
	}
	b := bufio.NewWriter(e.Stdout)
	if err := write(b); err != nil {
		return err
	}
	if err := b.Flush(); err != nil {
		return Failf(ExitFiles, "cannot write: %v", err)
	}
	return nil
}

// FilesError gives an error that is not an ExitError the status ExitFiles.
func FilesError(err error) error {
	var own *ExitError
	if err == nil || errors.As(err, &own) {
		return err
	}
	return Failf(ExitFiles, "%v", err)
}

// WriteQuoted writes a name of a column, in quotes where it has indices.
func WriteQuoted(b *bufio.Writer, name string, quoted bool) {
	if quoted {
		name = `"` + name + `"`
	}
	b.WriteString(name)
}

func WriteError(err error) error {
	if err == nil {
		return nil
	}
	return Failf(ExitFiles, "cannot write: %v", err)
}

// WriteOut writes a whole file at once, or to standard output for "-".
func (e *Session) WriteOut(path string, text []byte) error {
	return FilesError(e.Stream(path, func(b *bufio.Writer) error {
		_, err := b.Write(text)
		return WriteError(err)
	}))
}
