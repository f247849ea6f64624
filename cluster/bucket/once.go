package bucket

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// escaped are the characters that the library spells otherwise in the names of files.
const escaped = "<>:\"|?*\\"

// linkOnce writes a file of a directory unless there is one of that name: a hard link appears
// whole, and to one of several processes alone, which a look before a rename does not promise.
// It is not done, and nothing has changed, where the system has no hard links, or the library
// spells the name otherwise.
func linkOnce(dir, name string, bytes []byte) (wrote, done bool, err error) {
	if !fs.ValidPath(name) || strings.ContainsAny(name, escaped) ||
		strings.ContainsFunc(name, func(r rune) bool { return r < ' ' }) {
		return false, false, nil
	}
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return false, true, err
	}
	temp, err := os.CreateTemp(filepath.Dir(path), "fileblob")
	if err != nil {
		return false, true, err
	}
	defer os.Remove(temp.Name())
	_, err = temp.Write(bytes)
	if err = errors.Join(err, temp.Chmod(0o644), temp.Close()); err != nil {
		return false, true, err
	}
	switch err := os.Link(temp.Name(), path); {
	case err == nil:
		return true, true, nil
	case errors.Is(err, fs.ErrExist):
		return false, true, nil
	}
	return false, false, nil
}
