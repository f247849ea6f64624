package shards

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"

	"github.com/sgppl/sgppl/cluster/bucket"
)

// A ChangedError says that a file of rows is not what it was when it was cut.
type ChangedError struct{ Shard Shard }

func (e *ChangedError) Error() string {
	return fmt.Sprintf("%s has changed since the manifest was made: begin a new run, whose "+
		"manifest has the file as it is", e.Shard.File)
}

// Fetch has a piece as a file in a directory, and returns its path. What was fetched
// before is found again; several processes may use the directory. A file in a directory of
// this machine that is a shard as a whole is read where it is.
func Fetch(ctx context.Context, s Shard, dir string) (string, error) {
	at, name := home(s.File)
	b, err := bucket.Open(ctx, at, false)
	if err != nil {
		return "", err
	}
	defer b.Close()
	o, err := b.Stat(ctx, name)
	if err != nil {
		return "", err
	}
	if o.ETag != s.ETag {
		return "", &ChangedError{s}
	}
	if whole := s.To == 0 && s.Groups[1] == 0; whole {
		if local := filepath.Join(filepath.FromSlash(at), filepath.FromSlash(name)); isFile(local) {
			return local, nil
		}
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %s %d %d %v", s.File, s.ETag, s.From, s.To, s.Groups))
	to := filepath.Join(dir, hex.EncodeToString(sum[:8])+"-"+path.Base(name))
	if isFile(to) {
		return to, nil
	}
	return to, write(ctx, b, name, s, to)
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// place writes a file, which appears under its name when it is whole.
func place(to string, write func(f *os.File) error) (err error) {
	if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(to), ".fetch-")
	if err != nil {
		return err
	}
	defer func() {
		err = errors.Join(err, f.Close())
		if err == nil {
			err = os.Rename(f.Name(), to)
		}
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	return write(f)
}

// write fetches a piece into a file.
func write(ctx context.Context, b *bucket.Bucket, name string, s Shard, to string) error {
	return place(to, func(f *os.File) error {
		switch {
		case s.Groups[1] > 0:
			return fetchGroups(ctx, b, name, s, f)
		case s.To > 0:
			if err := copyRange(ctx, b, name, 0, s.Header, f); err != nil {
				return err
			}
			return copyRange(ctx, b, name, s.From, s.To-s.From, f)
		}
		return copyRange(ctx, b, name, 0, s.Size, f)
	})
}

// copyRange copies n bytes of an object from an offset. Fewer are an error.
func copyRange(
	ctx context.Context,
	b *bucket.Bucket,
	name string,
	from, n int64,
	to io.Writer,
) error {
	if n == 0 {
		return nil
	}
	r, err := b.Range(ctx, name, from, n)
	if err != nil {
		return err
	}
	defer r.Close()
	got, err := io.Copy(to, r)
	if err == nil && got != n {
		err = fmt.Errorf("%s: %d of %d bytes were read: %w", name, got, n, io.ErrUnexpectedEOF)
	}
	return err
}
