package disk

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// TempMark is in the name of every unfinished file.
const TempMark = ".tmp-"

// IsTemp reports whether a file name is that of an unfinished write.
func IsTemp(name string) bool { return strings.Contains(name, TempMark) }

func parent(path string) string    { return filepath.Dir(path) }
func join(dir, name string) string { return filepath.Join(dir, name) }

// WriteFile replaces the file at path by data in one step: a reader, or the
// next process after a crash, sees the old content or the new, never a part.
// The data are durable when it returns. Errors name the path.
func WriteFile(f FS, path string, data []byte) error { return Streams(f, Whole(path, data)) }

// Whole is the output of data.
func Whole(path string, data []byte) Output {
	return Output{path, func(w *bufio.Writer) error {
		_, err := w.Write(data)
		return WriteError(path, err)
	}}
}

// Stream is WriteFile for what is too large to hold: write fills a buffer that
// goes to a temporary file. An error, of write too, leaves what was at path
// before and nothing else.
func Stream(f FS, path string, write func(w *bufio.Writer) error) error {
	return Streams(f, Output{path, write})
}

// An Output is a file to replace, with the function that writes its new content.
type Output struct {
	Path  string
	Write func(w *bufio.Writer) error
}

// Streams is Stream of several files, whose bytes and names are made durable together. Each file is
// replaced in one step, in the order of the outputs, and none before the bytes of all are durable.
// After an error the rest has its old content.
func Streams(f FS, outputs ...Output) error { return StreamsAfter(f, nil, nil, outputs...) }

// StreamsAfter is Streams of files that must not be there before the bytes of other files and the
// names in dirs are durable: these are made durable together with the new bytes.
func StreamsAfter(f FS, files, dirs []string, outputs ...Output) error {
	if err := Place(f, files, dirs, outputs...); err != nil {
		return err
	}
	var named []string // directories of the outputs
	for _, o := range outputs {
		if dir := parent(o.Path); !slices.Contains(named, dir) {
			named = append(named, dir)
		}
	}
	return Sync(f, nil, named)
}

// Place is StreamsAfter, but for the names of the outputs: these are durable when their directories
// are synced.
func Place(f FS, files, dirs []string, outputs ...Output) (err error) {
	temps := make([]string, 0, len(outputs))
	defer func() {
		if err != nil {
			for _, temp := range temps { // one that was renamed is no more
				f.Remove(temp)
			}
		}
	}()
	var w *bufio.Writer // one for all
	for _, o := range outputs {
		// Others may be writing the same file: the temporary one is ours alone.
		out, err := createTemp(f, o.Path)
		if err != nil {
			return WriteError(o.Path, err)
		}
		temps = append(temps, out.Name())
		if w == nil {
			w = bufio.NewWriterSize(out, 1<<16)
		}
		w.Reset(out)
		err = o.Write(w)
		if err == nil {
			err = WriteError(o.Path, w.Flush())
		}
		// A full disk may be noticed no earlier than here.
		if e := out.Close(); err == nil {
			err = WriteError(o.Path, e)
		}
		if err != nil {
			return err
		}
	}
	if err := Sync(f, slices.Concat(files, temps), dirs); err != nil {
		return err
	}
	for i, o := range outputs {
		if err := f.Rename(temps[i], o.Path); err != nil {
			return WriteError(o.Path, err)
		}
	}
	return nil
}

// createTemp opens a new file next to path, with the permissions that the
// user's mask leaves.
func createTemp(f FS, path string) (File, error) {
	for i := 0; ; i++ {
		name := fmt.Sprintf("%s%s%d-%d", path, TempMark, os.Getpid(), i)
		out, err := f.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) {
			return out, err
		}
	}
}

// Begin opens the temporary file of a path that has one writer at a time. It overwrites a temporary
// file that a killed process left. Finish or Discard ends it.
func Begin(f FS, path string) (File, error) {
	out, err := f.OpenFile(path+TempMark, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	return out, WriteError(path, err)
}

// Finish closes a temporary file and renames it to path, or removes it where
// that fails. With sync its bytes are durable before it has the name: needed
// where the file that had the name must not be lost.
func Finish(f FS, out File, path string, sync bool) error {
	var err error
	if sync {
		err = out.Sync()
	}
	// A full disk may be noticed no earlier than here.
	if e := out.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = f.Rename(out.Name(), path)
	}
	if err != nil {
		f.Remove(out.Name())
	}
	return WriteError(path, err)
}

// Discard closes a temporary file and removes it.
func Discard(f FS, out File) {
	out.Close()
	f.Remove(out.Name())
}

// Replace writes data next to path, which has one writer at a time, and renames
// it there. sync is that of Finish.
func Replace(f FS, path string, data []byte, sync bool) error {
	out, err := Begin(f, path)
	if err != nil {
		return err
	}
	if _, err := out.Write(data); err != nil {
		Discard(f, out)
		return WriteError(path, err)
	}
	return Finish(f, out, path, sync)
}

// SyncFile makes the bytes of a file durable.
func SyncFile(f FS, path string) error {
	out, err := f.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	err = out.Sync()
	if e := out.Close(); err == nil {
		err = e
	}
	return WriteError(path, err)
}

// WriteError names the file that could not be written; nil stays nil.
func WriteError(path string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("cannot write %s: %w", path, Cause(err))
}

// Cause strips the path from an error of a file, for messages that name the
// file that was meant.
func Cause(err error) error {
	switch e := err.(type) {
	case *fs.PathError:
		return e.Err
	case *os.LinkError:
		return e.Err
	}
	return err
}
