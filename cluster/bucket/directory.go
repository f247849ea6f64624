package bucket

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// PutDirectory writes the files of a directory as objects, that of the name last at the end:
// who finds it finds the others. Files that processes are writing are left out.
func (b *Bucket) PutDirectory(ctx context.Context, dir, last string) error {
	var names []string
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && !strings.Contains(path.Base(name), ".tmp-") {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		return err
	}
	slices.SortStableFunc(names, func(x, y string) int {
		switch {
		case x == last && y != last:
			return 1
		case y == last && x != last:
			return -1
		}
		return strings.Compare(x, y)
	})
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		if err := b.Put(ctx, name, text); err != nil {
			return err
		}
	}
	return nil
}

// FetchDirectory writes objects into a directory, those whose names want takes; the last is
// that of the name last, which must be there.
func (b *Bucket) FetchDirectory(
	ctx context.Context, dir, last string, want func(name string) bool,
) error {
	if _, err := b.Stat(ctx, last); err != nil {
		return err
	}
	list, err := b.List(ctx, "")
	if err != nil {
		return err
	}
	var names []string
	for _, o := range list {
		if o.Name != last && want(o.Name) {
			names = append(names, o.Name)
		}
	}
	for _, name := range append(names, last) {
		if !filepath.IsLocal(filepath.FromSlash(name)) {
			return fmt.Errorf("%s has an object %q, which leads out of a directory", b.URL, name)
		}
		text, err := b.Get(ctx, name)
		if err != nil {
			return err
		}
		to := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(to, text, 0o666); err != nil {
			return err
		}
	}
	return nil
}
