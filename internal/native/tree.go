package native

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/sgppl/sgppl"
	"github.com/sgppl/sgppl/runtime/base/system"
)

// runtimeHash identifies the sources of the runtime that this binary carries.
var runtimeHash = sync.OnceValue(func() string {
	h := sha256.New()
	buf := make([]byte, 1<<16)
	// The embedded files cannot fail to be read.
	_ = sgppl.Runtime(func(path string, file fs.File) error {
		info, err := file.Stat()
		if err != nil {
			return err
		}
		fmt.Fprintf(h, "%s %d\n", path, info.Size())
		_, err = io.CopyBuffer(h, file, buf)
		return err
	})
	return hex.EncodeToString(h.Sum(nil))[:16]
})

// Foresee begins to compute what identifies the binary of any model, so that it is there when a
// Builder needs it. It returns at once.
func Foresee() { go runtimeHash() }

// tree returns a module that holds the runtime; models are added to it, each in a
// directory of its own below "native". One that has anything else in it, or less, is
// written anew.
func (b *Builder) tree() (string, error) {
	root := filepath.Join(b.Cache, "module-"+runtimeHash())
	files := map[string][]byte{"go.mod": []byte("module " + module + "\n\ngo 1.26\n")}
	err := sgppl.Runtime(func(path string, file fs.File) (err error) {
		files[path], err = io.ReadAll(file)
		return err
	})
	if err != nil {
		return "", err
	}
	return root, b.whole(root, files, "native")
}

// place writes a model's sources.
func (b *Builder) place(dir string, s Source, key string) error {
	files := map[string][]byte{"main.go": []byte(s.Main(module + "/native/" + key + "/" +
		s.Package))}
	for name, text := range s.Files {
		files[s.Package+"/"+name] = text
	}
	return b.whole(dir, files, "")
}

// whole fills a directory that appears only when it is complete. What is there is
// kept where it is the same; else Wrong is told. Another process may win the race: its
// directory is kept.
func (b *Builder) whole(dir string, files map[string][]byte, except string) error {
	if holds(dir, files, except) {
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
	made, old := filepath.Join(scratch, "new"), filepath.Join(scratch, "old")
	for _, name := range sortedNames(files) {
		if err := write(made, name, files[name]); err != nil {
			return err
		}
	}
	for range 3 {
		if err = system.Rename(made, dir); err == nil {
			return nil
		}
		if holds(dir, files, except) {
			return nil
		}
		// Something else is in the way, or what was there has been changed.
		b.wrong(fmt.Errorf("sources are not used, and are written again: those in %s are not the "+
			"ones that sgppl wrote there, or others may write them", dir))
		system.Rename(dir, old)
		os.RemoveAll(old)
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
