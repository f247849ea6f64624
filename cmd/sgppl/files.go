package main

import (
	"bytes"
	"os"
	"path/filepath"
)

// replaceFile puts a text in the place of a file at once: whoever reads the
// path sees the old text or the new one, never a part. A link is followed, the
// permissions of an old file are kept, and a file that has the text already
// is left alone. It says whether it wrote.
func replaceFile(path string, text []byte, perm os.FileMode) (wrote bool, err error) {
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
	return true, os.Rename(tmp.Name(), path)
}
