package disk

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// An observed file system writes down what is synced.
type observed struct {
	FS
	seen []string
}

func (o *observed) OpenFile(path string, flag int, perm os.FileMode) (File, error) {
	o.seen = append(o.seen, path)
	return o.FS.OpenFile(path, flag, perm)
}

func (o *observed) SyncDir(path string) error {
	o.seen = append(o.seen, path)
	return o.FS.SyncDir(path)
}

func TestSync(t *testing.T) {
	dir := t.TempDir()
	var paths []string
	for i := range 40 {
		paths = append(paths, filepath.Join(dir, fmt.Sprint(i)))
		if err := os.WriteFile(paths[i], []byte("x"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	dirs := []string{dir, t.TempDir()}
	for n := range len(paths) + 1 {
		if err := Sync(OS, paths[:n], dirs); err != nil {
			t.Error(err)
		}
	}
	other := &observed{FS: OS}
	err := Sync(other, paths, dirs)
	if err != nil || !slices.Equal(other.seen, append(slices.Clip(paths), dirs...)) {
		t.Errorf("%v; the order is %v", err, other.seen)
	}
	for _, i := range []int{37, 5} {
		if err := os.Remove(paths[i]); err != nil {
			t.Fatal(err)
		}
	}
	// a file system that is synced as a whole asks for no path
	for _, err := range []error{Sync(&observed{FS: OS}, paths, nil),
		each(OS, len(paths), func(i int) error { return SyncFile(OS, paths[i]) })} {
		if err == nil || !strings.Contains(err.Error(), paths[5]) {
			t.Errorf("the error is %v", err)
		}
	}
	if err := Sync(OS, nil, []string{dir, filepath.Join(dir, "absent")}); err == nil {
		t.Error("a directory that is absent was synced")
	}
}
