package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// TestLeftovers: a process that stores rows next to a run, and then draws, is killed at a write.
// When the run is resumed and complete, no unfinished file of that process is left in the run or
// next to it. Files of a living process, and files of others, are still there.
func TestLeftovers(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for name, text := range faultData {
		write(t, at(name), text)
	}
	dead := exec.Command(os.Args[0], "-test.run=^$")
	if err := dead.Run(); err != nil {
		t.Fatal(err)
	}
	args := []string{"sample", at("a.sg"), "--data", at("d.csv"), "--stream", "--cache",
		"--sampler", "sgld", "--step", "0.01", "--batch", "N=2", "--init", "0", "--chains", "1",
		"--warmup", "2", "--draws", "20", "--chunk", "4", "--engine", "vm", "--seed", "3",
		"--progress", "none", "--out"}
	if code, msg := faulty(disk.OS, append(args, at("whole"))...); code != session.ExitDone {
		t.Fatalf("status %d\n%s", code, msg)
	}
	// The process dies when a chunk of draws was written, before it has its name.
	on := &diesAtRename{FS: disk.OS, at: "/0.1"}
	if code, msg := faulty(on, append(args, at("r"))...); code != session.ExitFiles {
		t.Fatalf("status %d\n%s", code, msg)
	}
	// Its checkpoint and the rows that it stored are as of a process of another number.
	gone := []string{"r/" + fmt.Sprintf("chain-0.ckpt.tmp-%d-0", dead.Process.Pid),
		fmt.Sprintf("r.rows.%d/0.cells", dead.Process.Pid),
		fmt.Sprintf("r.rows.%d/1.text", dead.Process.Pid)}
	stay := []string{fmt.Sprintf("r.rows.%d/0.cells", os.Getppid()),
		fmt.Sprintf("r.rows.%d/notes.txt", dead.Process.Pid),
		fmt.Sprintf("other.rows.%d/0.cells", dead.Process.Pid),
		"r.rows.x/0.cells", "r.rows.0" + fmt.Sprint(dead.Process.Pid) + "/0.cells",
		"elsewhere/0.cells"}
	for _, name := range append(gone, stay...) {
		if err := os.MkdirAll(filepath.Dir(at(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, at(name), "x")
	}
	// A link with such a name leads to files that are not ours.
	link := exec.Command(os.Args[0], "-test.run=^$")
	if err := link.Run(); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(at("elsewhere"), at(fmt.Sprintf("r.rows.%d", link.Process.Pid))); err != nil {
		t.Skip(err)
	}
	temps := 0
	count := func() (names []string) {
		filepath.WalkDir(at("r"), func(path string, e os.DirEntry, err error) error {
			if err == nil && strings.Contains(e.Name(), disk.TempMark) {
				names = append(names, path)
			}
			return nil
		})
		return names
	}
	if temps = len(count()); temps < 2 || !on.died {
		t.Fatalf("%d files are unfinished", temps)
	}
	if code, msg := faulty(disk.OS, "sample", "--resume", at("r"), "--progress", "none"); code !=
		session.ExitDone {
		t.Fatalf("status %d\n%s", code, msg)
	}
	check := func() {
		t.Helper()
		if left := count(); len(left) > 0 {
			t.Errorf("%v are left", left)
		}
		for _, name := range gone {
			if _, err := os.Lstat(at(name)); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("%s is left: %v", name, err)
			}
		}
		for _, name := range stay {
			if _, err := os.Lstat(at(name)); err != nil {
				t.Error(err)
			}
		}
	}
	check()
	if fmt.Sprint(contents(t, at("r"))) != fmt.Sprint(contents(t, at("whole"))) {
		t.Error("other draws")
	}
	// Likewise where the run is complete already.
	for _, name := range gone {
		os.MkdirAll(filepath.Dir(at(name)), 0o755)
		write(t, at(name), "x")
	}
	if code, msg := faulty(disk.OS, "sample", "--resume", at("r"), "--progress", "none"); code !=
		session.ExitDone {
		t.Fatalf("status %d\n%s", code, msg)
	}
	check()
	if _, err := run.Read(at("r")); err != nil {
		t.Error(err)
	}
}

// diesAtRename is a disk whose process is killed when it gives a file a name that ends so.
type diesAtRename struct {
	disk.FS
	at   string
	died bool
}

var errDied = errors.New("killed")

func (d *diesAtRename) Rename(from, to string) error {
	if d.died = d.died || strings.HasSuffix(to, d.at); d.died {
		return errDied
	}
	return d.FS.Rename(from, to)
}

func (d *diesAtRename) Remove(path string) error {
	if d.died {
		return errDied
	}
	return d.FS.Remove(path)
}
