package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/base/disk"
)

// A momentDisk calls then after a file was put in its place, and makes the process as
// good as killed where then says so: what it does later has no effect.
type momentDisk struct {
	disk.FS
	then func(path string) (dies bool)
	// making, unless it is nil, says whether the process is killed once a directory is made.
	making func(path string) (dies bool)

	lock sync.Mutex
	dead bool
}

// killedAt returns a disk whose process is killed when it has put a file of that name in
// its place the nth time, counted from 1.
func killedAt(name string, nth int) *momentDisk {
	return atMoment(name, nth, func() bool { return true })
}

// atMoment returns a disk that calls then when a file of that name is put in its place
// the nth time.
func atMoment(name string, nth int, then func() (dies bool)) *momentDisk {
	seen := 0
	return &momentDisk{FS: disk.OS, then: func(path string) bool {
		if filepath.Base(path) == name {
			if seen++; seen == nth {
				return then()
			}
		}
		return false
	}}
}

// died reports whether the process was killed.
func (m *momentDisk) died() bool {
	m.lock.Lock()
	defer m.lock.Unlock()
	return m.dead
}

func (m *momentDisk) Rename(from, to string) error {
	m.lock.Lock()
	defer m.lock.Unlock()
	if m.dead {
		return errDied
	}
	err := m.FS.Rename(from, to)
	if err == nil {
		m.dead = m.then(to)
	}
	return err
}

func (m *momentDisk) Remove(path string) error {
	if m.died() {
		return errDied
	}
	return m.FS.Remove(path)
}

func (m *momentDisk) Mkdir(path string, perm fs.FileMode) error {
	if m.died() {
		return errDied
	}
	err := m.FS.Mkdir(path, perm)
	if err == nil && m.making != nil && m.making(path) {
		m.die()
	}
	return err
}

func (m *momentDisk) OpenFile(path string, flag int, perm fs.FileMode) (disk.File, error) {
	if flag&(os.O_WRONLY|os.O_RDWR) == 0 {
		return m.FS.OpenFile(path, flag, perm)
	}
	if m.died() {
		return nil, errDied
	}
	f, err := m.FS.OpenFile(path, flag, perm)
	if err != nil {
		return nil, err
	}
	return momentFile{f, m}, nil
}

// A momentFile is a file that is written on a momentDisk.
type momentFile struct {
	disk.File
	on *momentDisk
}

func (f momentFile) Write(b []byte) (int, error) {
	if f.on.died() {
		return 0, errDied
	}
	return f.File.Write(b)
}

// die makes the process as good as killed.
func (m *momentDisk) die() {
	m.lock.Lock()
	defer m.lock.Unlock()
	m.dead = true
}

// inDir runs sgppl in this process, in a directory and on a disk, by a clock that goes on
// by 20 ms whenever it is read, and returns its status and all that it printed.
func inDir(t testing.TB, dir string, on disk.FS, args ...string) (status int, said string) {
	t.Helper()
	return heard(t, dir, on, func(string) {}, args...)
}

// heard is inDir, and gives hear each text that is printed.
func heard(
	t testing.TB, dir string, on disk.FS, hear func(text string), args ...string,
) (status int, said string) {
	t.Helper()
	back, err := os.Getwd()
	if err == nil {
		err = os.Chdir(dir)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer os.Chdir(back)
	if (args[0] == "sample" || args[0] == "optimize") && !slices.Contains(args, "--threads") {
		// Two chains that read one clock would make its time that of the disk and the scheduler.
		args = append(slices.Clip(args), "--threads", "1")
	}
	out := &hearer{hear: hear}
	status = execute(&session.Session{
		Stdin: strings.NewReader(""), Stdout: out, Stderr: out, Args: args,
		Getenv: os.Getenv, Environ: os.Environ(), Disk: on, Now: ticks(20 * time.Millisecond),
		Interrupts: func(func()) func() { return func() {} }, Quit: func(int) {},
	})
	return status, out.String()
}

// A hearer gives hear what is written.
type hearer struct {
	safeBuffer
	hear func(text string)
}

func (h *hearer) Write(b []byte) (int, error) {
	h.hear(string(b))
	return h.safeBuffer.Write(b)
}

// succeeds runs sgppl in a directory.
func succeeds(t testing.TB, dir, args string) {
	t.Helper()
	if status, said := inDir(t, dir, disk.OS, strings.Fields(args)...); status != session.ExitDone {
		t.Fatalf("sgppl %s: status %d\n%s", args, status, said)
	}
}

// dies runs sgppl in a directory on a disk that kills it.
func dies(t testing.TB, dir string, on *momentDisk, args string) {
	t.Helper()
	if status, said := inDir(t, dir, on, strings.Fields(args)...); !on.died() {
		t.Fatalf("sgppl %s: it was not killed in time, status %d\n%s", args, status, said)
	}
}

// diesAgain resumes a run on disks that kill it when a file of that name is put in its
// place, the nth time of each nth, and reports whether the run came to its end before one
// of them: how far the other chains were at a kill depends on which chain the machine ran.
// The first must kill it; so it is of the chain that was killed before.
func diesAgain(t testing.TB, dir, name string, nths []int, resume string) (ended bool) {
	t.Helper()
	for i, nth := range nths {
		on := killedAt(name, nth)
		status, said := inDir(t, dir, on, strings.Fields(resume)...)
		if on.died() {
			continue
		}
		if i == 0 || status != session.ExitDone {
			t.Fatalf("sgppl %s: it was killed %d times, status %d\n%s", resume, i, status, said)
		}
		return true
	}
	return false
}

// setFlags gives flags of a command line other values: pairs are their names and values.
func setFlags(args []string, pairs ...string) {
	for i := 0; i < len(pairs); i += 2 {
		args[slices.Index(args, pairs[i])+1] = pairs[i+1]
	}
}
