// Package bucket keeps objects: those of a run, and the files of data. A bucket is a
// directory, memory (for tests), S3, Google Cloud Storage or Azure Blob Storage; the
// library gocloud.dev/blob speaks to all of them.
package bucket

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"gocloud.dev/blob"
	"gocloud.dev/blob/fileblob"
	"gocloud.dev/blob/memblob"
	"gocloud.dev/gcerrors"
)

// A Bucket holds objects by name. Names have slashes. A Bucket may be used by several
// goroutines.
type Bucket struct {
	URL  string // as it was given
	dir  string // of a bucket that is a directory; else ""
	blob *blob.Bucket
}

// An Object is what is known of an object without its bytes.
type Object struct {
	Name string
	Size int64
	ETag string // changes when the bytes do
}

// ErrMissing is the error of an object that is not there.
var ErrMissing = errors.New("there is no such object")

// Open opens the bucket at a URL: a directory (a path, or file://), mem://NAME,
// s3://BUCKET/PREFIX, gs://BUCKET/PREFIX or azblob://CONTAINER/PREFIX. What follows a
// question mark are settings of gocloud.dev, such as ?endpoint=… of S3. A directory is
// made where it is missing and create is set.
func Open(ctx context.Context, location string, create bool) (*Bucket, error) {
	scheme, _, remote := strings.Cut(location, "://")
	var b *blob.Bucket
	var err error
	switch {
	case !remote || scheme == "file":
		b, err = openDirectory(directory(location), create)
	case scheme == "mem":
		b = memory(location)
	default:
		b, err = openRemote(ctx, location)
	}
	if err != nil {
		return nil, fmt.Errorf("%s cannot be opened: %w", location, err)
	}
	return &Bucket{location, Local(location), b}, nil
}

// Local is the path of a bucket that is a directory of this machine; "" of others.
func Local(location string) string {
	if scheme, _, remote := strings.Cut(location, "://"); remote && scheme != "file" {
		return ""
	}
	return directory(location)
}

// directory is the path of a bucket that is a directory.
func directory(location string) string {
	if u, err := url.Parse(location); err == nil && u.Scheme == "file" {
		return filepath.FromSlash(u.Host + u.Path)
	}
	return location
}

// openDirectory opens a directory. Temporary files are made in it, since a rename from
// elsewhere may cross devices, and no attributes are written next to objects.
func openDirectory(dir string, create bool) (*blob.Bucket, error) {
	if create {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return nil, err
		}
	}
	return fileblob.OpenBucket(dir,
		&fileblob.Options{NoTempDir: true, Metadata: fileblob.MetadataDontWrite})
}

var (
	memories = map[string]*blob.Bucket{}
	lock     sync.Mutex
)

// memory is the bucket in memory of that name: the same for the life of the process.
func memory(location string) *blob.Bucket {
	lock.Lock()
	defer lock.Unlock()
	if memories[location] == nil {
		memories[location] = memblob.OpenBucket(nil)
	}
	return memories[location]
}

// openRemote opens s3://BUCKET/PREFIX?SETTINGS and its kin.
func openRemote(ctx context.Context, location string) (*blob.Bucket, error) {
	u, err := url.Parse(location)
	if err != nil {
		return nil, err
	}
	prefix := strings.Trim(u.Path, "/")
	u.Path = ""
	b, err := blob.OpenBucket(ctx, u.String())
	if err != nil || prefix == "" {
		return b, err
	}
	return blob.PrefixedBucket(b, prefix+"/"), nil
}

// Get returns the bytes of an object; the error is ErrMissing where there is none.
func (b *Bucket) Get(ctx context.Context, name string) ([]byte, error) {
	bytes, err := b.blob.ReadAll(ctx, name)
	return bytes, b.fail(name, err)
}

// Put writes an object. Readers see the old bytes or the new ones, never a part.
func (b *Bucket) Put(ctx context.Context, name string, bytes []byte) error {
	return b.fail(name, b.blob.WriteAll(ctx, name, bytes, nil))
}

// PutOnce writes an object unless there is one of that name. It says whether it wrote.
// Of several that write at once one does.
func (b *Bucket) PutOnce(ctx context.Context, name string, bytes []byte) (bool, error) {
	if b.dir != "" {
		if wrote, done, err := linkOnce(b.dir, name, bytes); done {
			return wrote, b.fail(name, err)
		}
	}
	err := b.blob.WriteAll(ctx, name, bytes, &blob.WriterOptions{IfNotExist: true})
	if gcerrors.Code(err) == gcerrors.FailedPrecondition {
		return false, nil
	}
	return err == nil, b.fail(name, err)
}

// Stat says what is known of an object.
func (b *Bucket) Stat(ctx context.Context, name string) (Object, error) {
	a, err := b.blob.Attributes(ctx, name)
	if err != nil {
		return Object{}, b.fail(name, err)
	}
	return Object{Name: name, Size: a.Size, ETag: a.ETag}, nil
}

// List returns the objects whose names begin with a prefix, in the order of names.
func (b *Bucket) List(ctx context.Context, prefix string) ([]Object, error) {
	var out []Object
	for it := b.blob.List(&blob.ListOptions{Prefix: prefix}); ; {
		o, err := it.Next(ctx)
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, b.fail(prefix, err)
		}
		if !o.IsDir {
			out = append(out, Object{Name: o.Key, Size: o.Size})
		}
	}
}

// Delete removes an object. That there is none is not an error.
func (b *Bucket) Delete(ctx context.Context, name string) error {
	err := b.fail(name, b.blob.Delete(ctx, name))
	if errors.Is(err, ErrMissing) {
		return nil
	}
	return err
}

// Range returns a reader of n bytes of an object from an offset; n < 0 reads to its end.
func (b *Bucket) Range(ctx context.Context, name string, offset, n int64) (io.ReadCloser, error) {
	r, err := b.blob.NewRangeReader(ctx, name, offset, n, nil)
	if err != nil {
		return nil, b.fail(name, err)
	}
	return r, nil
}

// Close lets go of the bucket.
func (b *Bucket) Close() error {
	if strings.HasPrefix(b.URL, "mem://") {
		return nil // others read it
	}
	return b.blob.Close()
}

// fail says which object an error is of.
func (b *Bucket) fail(name string, err error) error {
	switch {
	case err == nil:
		return nil
	case gcerrors.Code(err) == gcerrors.NotFound:
		return fmt.Errorf("%s: %s: %w", b.URL, name, ErrMissing)
	case denied(err):
		return fmt.Errorf("%s: %s: %w: %w", b.URL, name, ErrDenied, err)
	}
	return fmt.Errorf("%s: %s: %w", b.URL, name, err)
}
