package native

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/sgppl/sgppl"
)

// runtimeHash identifies the sources of the runtime that this binary carries.
var runtimeHash = sync.OnceValue(func() string {
	h := sha256.New()
	// The embedded files cannot fail to be read.
	_ = sgppl.Runtime(func(path string, text []byte) error {
		fmt.Fprintf(h, "%s %d\n", path, len(text))
		h.Write(text)
		return nil
	})
	return hex.EncodeToString(h.Sum(nil))[:16]
})

// tree returns a module that holds the runtime. It is written once; models
// are added to it, each in a directory of its own.
func (b *Builder) tree() (string, error) {
	root := filepath.Join(b.Cache, "module-"+runtimeHash())
	return root, whole(root, func(dir string) error {
		if err := write(dir, "go.mod", []byte("module "+module+"\n\ngo 1.26\n")); err != nil {
			return err
		}
		return sgppl.Runtime(func(path string, text []byte) error { return write(dir, path, text) })
	})
}

// place writes a model's sources.
func (b *Builder) place(dir string, s Source, key string) error {
	return whole(dir, func(to string) error {
		if err := write(to, "main.go", []byte(s.Main(module+"/native/"+key+"/"+s.Package))); err != nil {
			return err
		}
		for name, text := range s.Files {
			if err := write(to, s.Package+"/"+name, text); err != nil {
				return err
			}
		}
		return nil
	})
}

// whole fills a directory that appears only when it is complete. Another
// process may win the race: its directory is the same.
func whole(dir string, fill func(dir string) error) error {
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return err
	}
	scratch, err := os.MkdirTemp(filepath.Dir(dir), ".new-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	if err := os.Chmod(scratch, 0o755); err != nil {
		return err
	}
	if err := fill(scratch); err != nil {
		return err
	}
	err = os.Rename(scratch, dir)
	if info, found := os.Stat(dir); err != nil && found == nil && info.IsDir() {
		return nil
	}
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}

func write(dir, name string, text []byte) error {
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o644)
}

func sortedNames(files map[string][]byte) []string {
	var names []string
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
