package native

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/base/system"
)

// A CacheError says that the directory of builds cannot be used: the VM can be used
// in its place.
type CacheError struct {
	Dir string
	Err error
}

func (e *CacheError) Error() string {
	return fmt.Sprintf("the cache of engines, %s, cannot be used: %v; SGPPL_CACHE names another "+
		"directory", e.Dir, e.Err)
}

func (e *CacheError) Unwrap() error { return e.Err }

// Exit is the status of the program that this error ends.
func (e *CacheError) Exit() int { return 5 }

// unusable makes an error of the cache; nil stays nil.
func (b *Builder) unusable(err error) error {
	if err == nil {
		return nil
	}
	return &CacheError{b.Cache, err}
}

// wrong tells what is wrong with a file of the cache.
func (b *Builder) wrong(err error) {
	if b.Wrong != nil {
		b.Wrong(fmt.Errorf("in the cache of engines, %s, %w", b.Cache, err))
	}
}

// private makes the directories of the cache and refuses those in which others may
// write: what they put there would be executed.
func (b *Builder) private() error {
	bin := filepath.Join(b.Cache, "bin")
	if err := os.MkdirAll(bin, 0o755); err != nil {
		return b.unusable(err)
	}
	for _, dir := range []string{b.Cache, bin} {
		info, err := os.Stat(dir)
		if err == nil && !(dir == b.Cache && info.Mode()&fs.ModeSticky != 0) {
			// in such a directory nobody moves the files of others
			err = ours(info)
		}
		if err != nil {
			return b.unusable(fmt.Errorf("%s %w", dir, err))
		}
	}
	return nil
}

// Verify reports whether the binary of a source is in the cache with its digest, and what is wrong
// with the binary: the error names the file. One without a digest, as a crash may leave it, counts
// as absent: it is never run.
func (b *Builder) Verify(s Source) (cached bool, err error) { return b.inspect(b.path(s)) }

// inspect is Verify of a path. A binary that was found whole and has not changed since is not read
// again: to read it takes a tenth of a short run.
func (b *Builder) inspect(path string) (there bool, err error) {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("is not a regular file")
	}
	if err == nil {
		err = ours(info)
	}
	if err != nil {
		return true, fmt.Errorf("%s: %w", path, disk.Cause(err))
	}
	want, err := os.ReadFile(path + digestEnding)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return true, fmt.Errorf("%s: cannot be read: %w", path+digestEnding, disk.Cause(err))
	}
	b.lock.Lock()
	defer b.lock.Unlock()
	if was := b.sound[path]; was.same(info) && was.digest == string(want) {
		return true, nil
	}
	if err := whole(path, string(want)); err != nil {
		return true, err
	}
	if b.sound == nil {
		b.sound = map[string]found{}
	}
	b.sound[path] = found{info, string(want)}
	return true, nil
}

// A found is a binary that was whole: what the system said of its file, and its digest.
type found struct {
	info   fs.FileInfo
	digest string
}

// same reports whether a file is still the one that was found.
func (f found) same(info fs.FileInfo) bool {
	return f.info != nil && os.SameFile(f.info, info) && f.info.Size() == info.Size() &&
		f.info.ModTime().Equal(info.ModTime())
}

// whole returns an error where the binary at path does not have a digest.
func whole(path, want string) error {
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("%s: cannot be read: %w", path, disk.Cause(err))
	}
	defer f.Close()
	got, err := digest(f)
	if err != nil {
		return fmt.Errorf("%s: cannot be read: %w", path, disk.Cause(err))
	}
	if got != strings.TrimSpace(want) {
		return fmt.Errorf("%s was changed or damaged since it was built: its SHA-256 is "+
			"not the one in %s", path, filepath.Base(path)+digestEnding)
	}
	return nil
}

// digestEnding is the ending of the file next to a binary that has its digest.
const digestEnding = ".sha256"

func digest(r io.Reader) (string, error) {
	h := sha256.New()
	_, err := io.Copy(h, r)
	return hex.EncodeToString(h.Sum(nil)), err
}

// keep renames a binary, which was made in the same file system, to its name, with its digest next
// to it. Both are on the disk before they have their names.
func keep(made, path string) error {
	if err := os.Chmod(made, 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(made, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	sum, err := digest(f)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	text := made + digestEnding
	if f, err = os.OpenFile(text, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644); err != nil {
		return err
	}
	_, err = io.WriteString(f, sum+"\n")
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	// A binary without its digest, as a crash may leave, is built again.
	if err := system.Rename(made, path); err != nil {
		return err
	}
	if err := system.Rename(text, path+digestEnding); err != nil {
		return err
	}
	return disk.OS.SyncDir(filepath.Dir(path))
}

// holds reports whether a directory has just these files, by their slash paths, and they are ours.
// Directories in except are not looked at.
func holds(dir string, files map[string][]byte, except string) bool {
	n := 0
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		if err := ours(info); err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		if e.IsDir() {
			if except != "" && name == except {
				return fs.SkipDir
			}
			return nil
		}
		want, ok := files[filepath.ToSlash(name)]
		if !ok || !info.Mode().IsRegular() {
			return fs.ErrExist
		}
		got, err := os.ReadFile(path)
		if err != nil || !bytes.Equal(got, want) {
			return fs.ErrInvalid
		}
		n++
		return nil
	})
	return err == nil && n == len(files)
}
