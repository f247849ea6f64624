package disk

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"

	"github.com/sgppl/sgppl/runtime/base/system"
)

// An FS is a file system. Paths are those of the operating system.
type FS interface {
	// OpenFile opens a file with the flags of package os.
	OpenFile(path string, flag int, perm fs.FileMode) (File, error)
	Mkdir(path string, perm fs.FileMode) error
	Rename(from, to string) error
	Remove(path string) error // a file, or an empty directory
	ReadDir(path string) ([]fs.DirEntry, error)
	Lstat(path string) (fs.FileInfo, error)
	// SyncDir makes the names in a directory durable.
	SyncDir(path string) error
}

// A File is an open file of an FS.
type File interface {
	io.Reader
	io.ReaderAt
	io.Writer
	io.Closer
	Name() string
	Stat() (fs.FileInfo, error)
	Sync() error
}

// OS is the file system of the operating system.
var OS FS = osFS{}

type osFS struct{}

func (osFS) OpenFile(path string, flag int, perm fs.FileMode) (File, error) {
	// a pipe in the place of a file reads as empty
	f, err := os.OpenFile(path, flag|system.NonBlocking, perm)
	if err != nil {
		return nil, err // not a File that holds nil
	}
	return f, nil
}

func (osFS) Mkdir(path string, perm fs.FileMode) error  { return os.Mkdir(path, perm) }
func (osFS) Rename(from, to string) error               { return system.Rename(from, to) }
func (osFS) Remove(path string) error                   { return os.Remove(path) }
func (osFS) ReadDir(path string) ([]fs.DirEntry, error) { return os.ReadDir(path) }
func (osFS) Lstat(path string) (fs.FileInfo, error)     { return os.Lstat(path) }

// SyncDir does nothing where directories cannot be synced.
func (osFS) SyncDir(path string) error { return system.SyncDir(path) }

// Or returns f, or OS where f is nil.
func Or(f FS) FS {
	if f == nil {
		return OS
	}
	return f
}

// Open opens a file to read it.
func Open(f FS, path string) (File, error) { return f.OpenFile(path, os.O_RDONLY, 0) }

// ReadFile returns the content of a file.
func ReadFile(f FS, path string) ([]byte, error) {
	in, err := Open(f, path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return nil, &fs.PathError{Op: "read", Path: path, Err: errors.New("is a directory")}
	}
	b := make([]byte, 0, info.Size()+1)
	for {
		n, err := in.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		if err == io.EOF {
			return b, nil
		}
		if err != nil {
			return b, err
		}
		if len(b) == cap(b) {
			b = append(b, 0)[:len(b)]
		}
	}
}

// MkdirAll makes a directory and those above it; one that exists is not an error.
func MkdirAll(f FS, path string, perm fs.FileMode) error {
	err := f.Mkdir(path, perm)
	if errors.Is(err, fs.ErrNotExist) {
		if err := MkdirAll(f, parent(path), perm); err != nil {
			return err
		}
		err = f.Mkdir(path, perm)
	}
	if errors.Is(err, fs.ErrExist) {
		if info, e := os.Stat(path); e != nil || info.IsDir() {
			return nil
		}
		return &fs.PathError{Op: "mkdir", Path: path, Err: syscall.ENOTDIR}
	}
	return err
}

// RemoveAll removes a file, or a directory with all that is in it; a path that
// does not exist is not an error. It follows no symbolic links.
func RemoveAll(f FS, path string) error {
	info, err := f.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil
	}
	if err != nil {
		return err
	}
	if info.IsDir() {
		list, err := f.ReadDir(path)
		if err != nil {
			return err
		}
		for _, e := range list {
			if err := RemoveAll(f, join(path, e.Name())); err != nil {
				return err
			}
		}
	}
	err = f.Remove(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
