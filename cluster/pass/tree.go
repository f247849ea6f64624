package pass

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A Tree lists the files of a directory by their content. The bytes of each are an object
// that is named by its check sum, below a prefix, so that a file that did not change is put
// once.
type Tree []Leaf

// A Leaf is a file of a Tree.
type Leaf struct {
	Name   string `json:"name"` // below the directory, with slashes
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

// A keeper puts a directory as a Tree, over and over. It remembers the check sums of files
// that have not changed.
type keeper struct {
	e    *Env
	at   string // the prefix of the objects
	dir  string
	seen map[string]seenFile
	put  map[string]bool // objects that are there
}

type seenFile struct {
	size int64
	at   time.Time
	sum  string
}

func (e *Env) newKeeper(at, dir string, there Tree) *keeper {
	k := &keeper{e: e, at: at, dir: dir, seen: map[string]seenFile{}, put: map[string]bool{}}
	for _, l := range there {
		k.put[l.SHA256] = true
	}
	return k
}

// keep puts the files of the directory: those that names lists, or all but the log.
func (k *keeper) keep(ctx context.Context, names []string) (Tree, error) {
	if names == nil {
		var err error
		if names, err = filesBelow(k.dir); err != nil {
			return nil, err
		}
	}
	var t Tree
	for _, name := range names {
		l, err := k.leaf(ctx, name)
		if err != nil {
			return nil, err
		}
		t = append(t, l)
	}
	return t, nil
}

func (k *keeper) leaf(ctx context.Context, name string) (Leaf, error) {
	file := filepath.Join(k.dir, filepath.FromSlash(name))
	info, err := os.Stat(file)
	if err != nil {
		return Leaf{}, err
	}
	s := k.seen[name]
	if s.sum != "" && s.size == info.Size() && s.at.Equal(info.ModTime()) {
		return Leaf{name, s.size, s.sum}, nil
	}
	b, err := os.ReadFile(file)
	if err != nil {
		return Leaf{}, err
	}
	digest := sha256.Sum256(b)
	sum := hex.EncodeToString(digest[:])
	if !k.put[sum] {
		if err := k.e.Bucket.Put(ctx, path.Join(k.at, sum), b); err != nil {
			return Leaf{}, err
		}
		k.put[sum] = true
	}
	k.seen[name] = seenFile{int64(len(b)), info.ModTime(), sum}
	return Leaf{name, int64(len(b)), sum}, nil
}

// drop deletes the objects of a tree that another does not have.
func (k *keeper) drop(ctx context.Context, old, now Tree) error {
	kept := map[string]bool{}
	for _, l := range now {
		kept[l.SHA256] = true
	}
	for _, l := range old {
		if kept[l.SHA256] {
			continue
		}
		kept[l.SHA256] = true // once
		if err := k.e.Bucket.Delete(ctx, path.Join(k.at, l.SHA256)); err != nil {
			return err
		}
		delete(k.put, l.SHA256)
	}
	return nil
}

// logFile has times, and is no part of what a run computes.
const logFile = "log.txt"

// filesBelow lists the files of a directory in the order of their names, but for the log and
// files that processes are writing.
func filesBelow(dir string) ([]string, error) {
	var names []string
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && name != logFile &&
			!strings.Contains(path.Base(name), ".tmp-") {
			names = append(names, name)
		}
		return err
	})
	slices.Sort(names)
	return names, err
}

// fetchTree writes the files of a tree, whose objects are below at, into a directory. It says false
// where an object is
// gone or is not what the tree says.
func (e *Env) fetchTree(ctx context.Context, at string, t Tree, dir string) (bool, error) {
	for _, l := range t {
		b, err := e.Bucket.Get(ctx, path.Join(at, l.SHA256))
		if missing(err) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		if sum := sha256.Sum256(b); hex.EncodeToString(sum[:]) != l.SHA256 {
			return false, nil
		}
		if !filepath.IsLocal(filepath.FromSlash(l.Name)) {
			return false, fmt.Errorf("%s: a file %q is listed that leads out of its directory",
				e.Bucket.URL, l.Name)
		}
		to := filepath.Join(dir, filepath.FromSlash(l.Name))
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return false, err
		}
		if err := os.WriteFile(to, b, 0o666); err != nil {
			return false, err
		}
	}
	return true, nil
}
