// Package faults is a file system for tests that fails at a call of one's choice,
// or stops there as a process that is killed, or as a machine that loses its power:
// then what was written and not synced is lost, in part or in another order than
// it was written in.
//
// It wraps the files of the operating system, so a reader that bypasses it sees what a process
// sees. The content that would survive a loss of power is also kept in memory, and Cut restores the
// directory to that state.
package faults

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/sgppl/sgppl/runtime/base/disk"
)

// A Mode says what happens at the call.
type Mode int

const (
	// None counts calls.
	None Mode = iota
	// Once fails the call alone, as a disk does that has a bad moment.
	Once
	// Full fails it and every later call that needs space, as a full disk does.
	Full
	// Kill ends the process: nothing later has an effect.
	Kill
	// Lose is Kill, and with Cut all is lost that was not synced.
	Lose
	// Reorder is Kill, and with Cut some of what was not synced is lost, by chance.
	Reorder
)

var names = map[Mode]string{None: "none", Once: "once", Full: "full", Kill: "kill", Lose: "lose",
	Reorder: "reorder"}

func (m Mode) String() string { return names[m] }

// Dies reports whether the process or the machine ends.
func (m Mode) Dies() bool { return m >= Kill }

// ErrDead is what calls of a process that was killed return.
var ErrDead = errors.New("the process was killed")

// An FS counts the calls of disk.FS and disk.File that write: to open a file for
// writing, to write, to sync a file or a directory, to rename, to remove and to make
// a directory; with Reads also to open a file for reading.
type FS struct {
	Reads bool
	// Exit, unless it is nil, is called where the process dies, after Cut.
	Exit func()
	// Watch, unless it is nil, is called before every call with what the call is,
	// and with a function that returns what is left where the process or the machine
	// dies at this call, by a mode for which Dies.
	Watch func(n int, what string, left func(Mode) Tree)

	root string
	mode Mode
	at   int
	seed uint64

	lock  sync.Mutex
	calls int
	dead  bool
	what  string // the call that failed
	now   *node  // the names that a process sees
}

// A node is a file or a directory below root.
type node struct {
	dir      bool
	children map[string]*node // now
	// of names, what they were since the directory was synced; nil is nothing
	history map[string][]*node
	data    []byte // of a file, now
	synced  []byte // at the last sync; nil before the first
}

// Parse is New of a text: the mode's name, the call, the seed and the root.
func Parse(text string) (*FS, error) {
	var name, root string
	var at int
	var seed uint64
	if _, err := fmt.Sscanf(text, "%s %d %d %q", &name, &at, &seed, &root); err != nil {
		return nil, err
	}
	for mode, n := range names {
		if n == name {
			return New(root, mode, at, seed)
		}
	}
	return nil, fmt.Errorf("there is no mode %q", name)
}

// Text is what Parse makes a file system of.
func Text(root string, mode Mode, at int, seed uint64) string {
	return fmt.Sprintf("%s %d %d %q", mode, at, seed, root)
}

// New is a file system for the directory root whose call number at, counted from
// 1, meets a fault. Of Reorder seed says what survives. What is below root is
// on the disk.
func New(root string, mode Mode, at int, seed uint64) (*FS, error) {
	f := &FS{root: filepath.Clean(root), mode: mode, at: at, seed: seed}
	var err error
	f.now, err = load(f.root)
	return f, err
}

func load(path string) (*node, error) {
	n := &node{dir: true, children: map[string]*node{}, history: map[string][]*node{}}
	list, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	for _, e := range list {
		at := filepath.Join(path, e.Name())
		var c *node
		if e.IsDir() {
			c, err = load(at)
		} else {
			c = &node{}
			c.data, err = os.ReadFile(at)
			c.synced = append([]byte{}, c.data...)
		}
		if err != nil {
			return nil, err
		}
		n.children[e.Name()] = c
	}
	return n, nil
}

// Calls is how many calls there were.
func (f *FS) Calls() int {
	f.lock.Lock()
	defer f.lock.Unlock()
	return f.calls
}

// Struck says at which call the fault was; "" before.
func (f *FS) Struck() string {
	f.lock.Lock()
	defer f.lock.Unlock()
	return f.what
}

// call counts a call and returns its fault. torn says that a part of it is done.
// The caller holds the lock.
func (f *FS) call(what, path string, space bool) (torn bool, err error) {
	return f.write(what, path, space, nil, nil)
}

// write is call for a write of b to a node, of which half is done where it is torn.
func (f *FS) write(what, path string, space bool, n *node, b []byte) (torn bool, err error) {
	if f.dead {
		return false, ErrDead
	}
	f.calls++
	if f.Watch != nil {
		f.watch(what+" "+path, n, b)
	}
	switch {
	case f.mode == None || f.calls < f.at:
		return false, nil
	case f.calls == f.at:
		f.what = what + " " + path
		if f.mode.Dies() {
			f.dead = true
			return true, ErrDead
		}
		return true, &fs.PathError{Op: what, Path: path, Err: syscall.EIO}
	case f.mode == Full && space:
		return false, &fs.PathError{Op: what, Path: path, Err: syscall.ENOSPC}
	}
	return false, nil
}

// watch calls Watch; the caller holds the lock.
func (f *FS) watch(what string, n *node, b []byte) {
	if n != nil {
		whole := n.data
		n.data = append(slices.Clip(whole), b[:len(b)/2]...)
		defer func() { n.data = whole }()
	}
	f.Watch(f.calls, what, func(mode Mode) Tree { return f.left(mode, f.calls) })
}

// die tells of the death; the caller holds the lock.
func (f *FS) die(err error) error {
	if errors.Is(err, ErrDead) && f.Exit != nil {
		if e := f.cut(); e != nil {
			err = e
		}
		f.Exit()
	}
	return err
}

// find is the directory of a path and the name in it; nil outside root.
func (f *FS) find(path string) (*node, string) {
	path, _ = filepath.Abs(path)
	rel, err := filepath.Rel(f.root, path)
	if err != nil || rel == "." || !filepath.IsLocal(rel) {
		return nil, ""
	}
	n := f.now
	dir, name := filepath.Split(rel)
	for _, part := range strings.FieldsFunc(dir,
		func(r rune) bool { return r == filepath.Separator }) {
		if n = n.children[part]; n == nil || !n.dir {
			return nil, ""
		}
	}
	return n, name
}

// set makes a name stand for a node; nil for nothing.
func (n *node) set(name string, to *node) {
	if n == nil {
		return
	}
	if len(n.history[name]) == 0 {
		n.history[name] = []*node{n.children[name]}
	}
	n.history[name] = append(n.history[name], to)
	if to == nil {
		delete(n.children, name)
	} else {
		n.children[name] = to
	}
}

// OpenFile implements disk.FS.
func (f *FS) OpenFile(path string, flag int, perm fs.FileMode) (disk.File, error) {
	f.lock.Lock()
	defer f.lock.Unlock()
	writes := flag&(os.O_WRONLY|os.O_RDWR) != 0
	if f.dead {
		return nil, f.die(ErrDead)
	}
	if writes || f.Reads {
		if _, err := f.call("open", path, flag&os.O_CREATE != 0); err != nil {
			return nil, f.die(err)
		}
	}
	out, err := disk.OS.OpenFile(path, flag, perm)
	if err != nil || !writes {
		return out, err
	}
	dir, name := f.find(path)
	var n *node
	if dir != nil {
		if n = dir.children[name]; n == nil {
			n = &node{}
			dir.set(name, n)
		} else if flag&os.O_TRUNC != 0 {
			n.data = nil
		}
	}
	return &file{out, f, n}, nil
}

type file struct {
	disk.File
	f *FS
	n *node
}

func (w *file) Write(b []byte) (int, error) {
	w.f.lock.Lock()
	defer w.f.lock.Unlock()
	torn, err := w.f.write("write", w.Name(), true, w.n, b)
	if err != nil {
		n := 0
		if torn {
			n, _ = w.File.Write(b[:len(b)/2])
			w.append(b[:n])
		}
		return n, w.f.die(err)
	}
	n, err := w.File.Write(b)
	w.append(b[:n])
	return n, err
}

func (w *file) append(b []byte) {
	if w.n != nil {
		w.n.data = append(w.n.data, b...)
	}
}

func (w *file) Sync() error {
	w.f.lock.Lock()
	defer w.f.lock.Unlock()
	if _, err := w.f.call("sync", w.Name(), false); err != nil {
		return w.f.die(err)
	}
	if w.n != nil { // the test's own disk need not be waited for
		w.n.synced = append([]byte{}, w.n.data...)
	}
	return nil
}

// SyncDir implements disk.FS.
func (f *FS) SyncDir(path string) error {
	f.lock.Lock()
	defer f.lock.Unlock()
	if _, err := f.call("syncdir", path, false); err != nil {
		return f.die(err)
	}
	if abs, _ := filepath.Abs(path); abs == f.root {
		clear(f.now.history)
	} else if dir, name := f.find(path); dir != nil && dir.children[name] != nil {
		clear(dir.children[name].history)
	}
	return nil
}

// Mkdir implements disk.FS.
func (f *FS) Mkdir(path string, perm fs.FileMode) error {
	f.lock.Lock()
	defer f.lock.Unlock()
	if _, err := f.call("mkdir", path, true); err != nil {
		return f.die(err)
	}
	err := disk.OS.Mkdir(path, perm)
	if dir, name := f.find(path); err == nil && dir != nil {
		dir.set(name, &node{dir: true, children: map[string]*node{}, history: map[string][]*node{}})
	}
	return err
}

// Rename implements disk.FS.
func (f *FS) Rename(from, to string) error {
	f.lock.Lock()
	defer f.lock.Unlock()
	if _, err := f.call("rename", to, true); err != nil {
		return f.die(err)
	}
	if err := disk.OS.Rename(from, to); err != nil {
		return err
	}
	a, was := f.find(from)
	b, name := f.find(to)
	if a != nil && b != nil {
		n := a.children[was]
		a.set(was, nil)
		b.set(name, n)
	}
	return nil
}

// Remove implements disk.FS.
func (f *FS) Remove(path string) error {
	f.lock.Lock()
	defer f.lock.Unlock()
	if _, err := f.call("remove", path, false); err != nil {
		return f.die(err)
	}
	err := disk.OS.Remove(path)
	if dir, name := f.find(path); err == nil && dir != nil {
		dir.set(name, nil)
	}
	return err
}

// ReadDir implements disk.FS.
func (f *FS) ReadDir(path string) ([]fs.DirEntry, error) { return disk.OS.ReadDir(path) }

// Lstat implements disk.FS.
func (f *FS) Lstat(path string) (fs.FileInfo, error) { return disk.OS.Lstat(path) }

// Cut makes the directory what is left of it when the power comes back.
func (f *FS) Cut() error {
	f.lock.Lock()
	defer f.lock.Unlock()
	return f.cut()
}

func (f *FS) cut() error {
	f.dead = true
	if f.mode < Lose {
		return nil
	}
	return f.left(f.mode, f.at).Put(f.root)
}

// survives is what is left of a file: what was synced, and by chance pages of what
// was not, in any order; a page that is not there reads as zeros.
func survives(n *node, mode Mode, chance *rand.Rand) []byte {
	if mode == Lose || string(n.synced) == string(n.data) {
		return n.synced
	}
	const page = 128
	switch chance.IntN(4) {
	case 0:
		return n.synced
	case 1:
		return n.data
	}
	out := append([]byte{}, n.synced...)
	for at := 0; at < len(n.data); at += page {
		end := min(at+page, len(n.data))
		if chance.IntN(2) == 0 {
			continue
		}
		if len(out) < end {
			out = append(out, make([]byte, end-len(out))...)
		}
		copy(out[at:end], n.data[at:end])
	}
	return out
}
