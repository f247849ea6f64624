package faults

import (
	"crypto/sha256"
	"encoding/binary"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
)

// A Tree is what is below a directory: the contents of files by their paths, and nil
// for directories. Its contents are not to be changed.
type Tree map[string][]byte

// Put makes a directory that exists hold the tree and nothing else.
func (t Tree) Put(root string) error {
	list, err := os.ReadDir(root)
	if err != nil {
		return err
	}
	for _, e := range list {
		if err := os.RemoveAll(filepath.Join(root, e.Name())); err != nil {
			return err
		}
	}
	for _, path := range slices.Sorted(maps.Keys(t)) { // a directory comes before what is in it
		to := filepath.Join(root, path)
		if t[path] == nil {
			err = os.Mkdir(to, 0o777)
		} else {
			err = os.WriteFile(to, t[path], 0o666)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Take adds what is in a directory.
func (t Tree) Take(root string) error {
	return filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || path == root {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		if t[name] = nil; !e.IsDir() {
			b, err := os.ReadFile(path)
			t[name] = content(b)
			return err
		}
		return nil
	})
}

// Sum is the same of two trees only if they are the same.
func (t Tree) Sum() [sha256.Size]byte {
	h := sha256.New()
	var n []byte
	for _, path := range slices.Sorted(maps.Keys(t)) {
		n = binary.AppendVarint(n[:0], int64(len(path)))
		n = append(n, path...)
		size := int64(len(t[path]))
		if t[path] == nil {
			size = -1
		}
		h.Write(binary.AppendVarint(n, size))
		h.Write(t[path])
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// Tree is what a process sees.
func (f *FS) Tree() Tree {
	f.lock.Lock()
	defer f.lock.Unlock()
	return f.left(Kill, 0)
}

// left is what there is below root where the process or the machine dies at a call.
func (f *FS) left(mode Mode, at int) Tree {
	t := Tree{}
	t.add("", f.now, mode, rand.New(rand.NewPCG(f.seed, uint64(at))))
	return t
}

// add adds what is left of a directory.
func (t Tree) add(path string, n *node, mode Mode, chance *rand.Rand) {
	left := maps.Clone(n.children)
	if mode != Kill {
		for _, name := range slices.Sorted(maps.Keys(n.history)) {
			list := n.history[name]
			c := list[0] // when the directory was synced
			if mode == Reorder {
				c = list[chance.IntN(len(list))]
			}
			if delete(left, name); c != nil {
				left[name] = c
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(left)) {
		c, to := left[name], filepath.Join(path, name)
		switch {
		case c.dir:
			t[to] = nil
			t.add(to, c, mode, chance)
		case mode == Kill:
			t[to] = content(c.data)
		default:
			t[to] = content(survives(c, mode, chance))
		}
	}
}

// content is never nil, which would be a directory.
func content(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}
