package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// smallDisk mounts a file system in memory of so many bytes, which a test fills
// for real. The test is skipped where the system does not allow that.
func smallDisk(t *testing.T, bytes int) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%d", bytes)); err != nil {
		t.Skipf("a file system in memory cannot be mounted: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// fill makes a file that takes all of a disk but left bytes.
func fill(t *testing.T, path string, left int64) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	size, block := int64(0), make([]byte, 4096)
	for err == nil {
		var n int
		n, err = f.Write(block)
		size += int64(n)
	}
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	if err := f.Truncate(max(size-left, 0)); err != nil {
		t.Fatal(err)
	}
}

// A watched disk calls then at its at-th opening of a file to write.
type watchedDisk struct {
	disk.FS
	at    int64
	then  func()
	count atomic.Int64
}

func (w *watchedDisk) OpenFile(path string, flag int, perm fs.FileMode) (disk.File, error) {
	if flag&(os.O_WRONLY|os.O_RDWR) != 0 && w.count.Add(1) == w.at {
		w.then()
	}
	return w.FS.OpenFile(path, flag, perm)
}

// TestDiskFills: another file takes what is left of the disk while a run goes on,
// whose size was found to fit. It ends with status 5 and the name of a file, and with
// the space free again --resume gives the same bits as a run that had it all along.
// Two moments of each kind of run are tried, all six where SGPPL_FAULTS is set.
func TestDiskFills(t *testing.T) {
	small, data := smallDisk(t, 8<<20), t.TempDir()
	filler := filepath.Join(small, "filler")
	for k, kind := range faultKinds {
		args := faultArgs(t, kind.args, data)
		command := func(out string) []string {
			return append(slices.Clone(args), "--engine", "vm", "--progress", "none", "--threads",
				"1", "--out", out)
		}
		counted := &watchedDisk{FS: disk.OS}
		whole := filepath.Join(small, "whole-"+kind.name)
		if code, msg := faulty(counted, command(whole)...); code != session.ExitDone {
			t.Fatalf("%s: status %d\n%s", kind.name, code, msg)
		}
		want, tried, failed := contents(t, whole), 0, 0
		for i, left := range []int64{0, 0, 1 << 14, 0, 1 << 13, 0} {
			if os.Getenv("SGPPL_FAULTS") == "" && (i+k)%3 > 0 {
				continue
			}
			tried++
			what := fmt.Sprintf("%s, filled after %d/6 of the files but for %d bytes", kind.name, i, left)
			out := filepath.Join(small, fmt.Sprintf("%s-%d", kind.name, i))
			full := &watchedDisk{FS: disk.OS, at: max(counted.count.Load()*int64(i)/6, 1),
				then: func() { fill(t, filler, left) }}
			code, msg := faulty(full, command(out)...)
			if code != session.ExitDone {
				failed++
			}
			if code != session.ExitDone &&
				(code != session.ExitFiles || !strings.Contains(msg, out) ||
					!strings.Contains(msg, "no space left")) {
				t.Errorf("%s: status %d\n%s", what, code, msg)
			}
			_, unborn := run.Read(out)
			if code, msg := faulty(disk.OS, "summary", out); code != session.ExitDone &&
				(code != session.ExitFiles || unborn == nil && !strings.Contains(msg, "--resume")) {
				t.Errorf("%s: summary: status %d\n%s", what, code, msg)
			}
			if err := os.Remove(filler); err != nil {
				t.Fatal(err)
			}
			again := []string{args[0], "--resume", out, "--progress", "none"}
			if unborn != nil { // it is no run yet
				again = append(command(out), "--force")
			}
			if code, msg := faulty(disk.OS, again...); code != session.ExitDone {
				t.Errorf("%s: with space again: status %d\n%s", what, code, msg)
				continue
			}
			if got := contents(t, out); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: --resume gives other bits", what)
			}
			if err := os.RemoveAll(out); err != nil {
				t.Fatal(err)
			}
		}
		t.Logf("%s: %d of %d runs were stopped by the full disk", kind.name, failed, tried)
		if 2*failed < tried {
			t.Errorf("%s: only %d of %d runs were stopped by the full disk", kind.name, failed, tried)
		}
	}
}

// TestTemporaryFilesFull: the data of a job do not fit where temporary files go. The
// VM samples in the engine's place, or, where the native one was asked for, the run
// ends with status 5 and TMPDIR, and goes on with other space.
func TestTemporaryFilesFull(t *testing.T) {
	small, dir := smallDisk(t, 8<<10), t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	write(t, at("m.sg"), "dim N\ndata y[N] : real\nparam a : real ~ normal(0, 1)\n"+
		"for n in N { y[n] ~ normal(a, 1) }\n")
	write(t, at("y.json"), `{"y": [0.5`+strings.Repeat(", 1.25, 2.5", 4000)+`]}`)
	if err := os.Mkdir(at("bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	// What this builds is never started, as its job cannot be written before.
	write(t, at("bin/go"), "#!/bin/sh\nwhile [ \"$1\" != -o ]; do shift; done\n"+
		"printf 'no program at all' >\"$2\"\n")
	if err := os.Chmod(at("bin/go"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", at("bin"))
	t.Setenv("SGPPL_CACHE", at("cache"))
	t.Setenv("TMPDIR", small)
	command := func(engine, out string) []string {
		return []string{"sample", at("m.sg"), "--data", at("y.json"), "--sampler", "nuts",
			"--chains", "1", "--warmup", "20", "--draws", "10", "--progress", "none", "--engine",
			engine, "--out", at(out)}
	}
	if code, msg := faulty(disk.OS, command("vm", "vm")...); code != session.ExitDone {
		t.Fatalf("status %d\n%s", code, msg)
	}
	want := contents(t, at("vm"))
	code, msg := faulty(disk.OS, command("native", "native")...)
	if code != session.ExitFiles || !strings.Contains(msg, "no space left") ||
		!strings.Contains(msg, "TMPDIR") || !strings.Contains(msg, small) {
		t.Errorf("native: status %d\n%s", code, msg)
	}
	if left, err := os.ReadDir(small); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
	if code, msg := faulty(disk.OS, "sample", "--resume", at("native"), "--engine", "vm",
		"--progress", "none"); code != session.ExitDone {
		t.Errorf("--resume: status %d\n%s", code, msg)
	} else if !reflect.DeepEqual(contents(t, at("native")), want) {
		t.Error("--resume gives other bits")
	}
	code, msg = faulty(disk.OS, command("auto", "auto")...)
	if code != session.ExitDone || !strings.Contains(msg, "no space left") ||
		!strings.Contains(msg, "by the VM") {
		t.Errorf("auto: status %d\n%s", code, msg)
	} else if !reflect.DeepEqual(contents(t, at("auto")), want) {
		t.Error("auto gives other bits")
	}
}
