//go:build slow && linux

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/base/disk"
)

// A filledAfter disk calls then when a file of this name has been put in place.
type filledAfter struct {
	disk.FS
	name string
	then func()
	done atomic.Bool
}

func (f *filledAfter) Rename(from, to string) error {
	err := f.FS.Rename(from, to)
	if filepath.Base(to) == f.name && !f.done.Swap(true) {
		f.then()
	}
	return err
}

// TestDiskFillsNative: the disk of a run by the native sampler, a process for itself,
// fills up with its draws, as another file took what was left when the run began.
func TestDiskFillsNative(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip(err)
	}
	small, data := smallDisk(t, 8<<20), t.TempDir()
	write(t, filepath.Join(data, "m.sg"), "param a[8] : real ~ normal(0, 1)\n")
	command := func(out string) []string {
		return []string{"sample", filepath.Join(data, "m.sg"), "--sampler", "hmc", "--step", "0.2",
			"--leapfrog", "3", "--chains", "2", "--warmup", "10", "--draws", "4000", "--chunk",
			"1000", "--engine", "native", "--progress", "none", "--out", filepath.Join(small, out)}
	}
	if code, msg := faulty(disk.OS, command("whole")...); code != session.ExitDone {
		t.Fatalf("status %d\n%s", code, msg)
	}
	want := contents(t, filepath.Join(small, "whole"))
	if err := os.RemoveAll(filepath.Join(small, "whole")); err != nil {
		t.Fatal(err)
	}
	for _, left := range []int64{0, 1 << 19, 3 << 18} {
		out, filler := filepath.Join(small, "run"), filepath.Join(small, "filler")
		on := &filledAfter{FS: disk.OS, name: "run.json", then: func() { fill(t, filler, left) }}
		code, msg := faulty(on, command("run")...)
		if code != session.ExitFiles || !strings.Contains(msg, out) ||
			!strings.Contains(msg, "no space left") {
			t.Errorf("%d bytes left: status %d\n%s", left, code, msg)
		}
		if code, msg := faulty(disk.OS, "summary", out); code != session.ExitDone &&
			(code != session.ExitFiles || !strings.Contains(msg, "--resume")) {
			t.Errorf("%d bytes left: summary: status %d\n%s", left, code, msg)
		}
		if err := os.Remove(filler); err != nil {
			t.Fatal(err)
		}
		if code, msg := faulty(disk.OS, "sample", "--resume", out, "--progress", "none"); code !=
			session.ExitDone {
			t.Errorf("%d bytes left: --resume: status %d\n%s", left, code, msg)
		} else if !reflect.DeepEqual(contents(t, out), want) {
			t.Errorf("%d bytes left: --resume gives other bits", left)
		}
		if err := os.RemoveAll(out); err != nil {
			t.Fatal(err)
		}
	}
}

// TestBuildWithoutSpace: the disk of the cache of builds fills up. The VM
// samples in its place; where the native engine was asked for the command ends with
// status 5 before a run is made.
func TestBuildWithoutSpace(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip(err)
	}
	small, dir := smallDisk(t, 4<<20), t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	write(t, at("m.sg"), "param a : real ~ normal(0, 1)\n// no space\n")
	t.Setenv("SGPPL_CACHE", filepath.Join(small, "cache"))
	command := func(engine string) []string {
		return []string{"sample", at("m.sg"), "--chains", "1", "--warmup", "20", "--draws", "10",
			"--progress", "none", "--engine", engine, "--out", at(engine)}
	}
	if code, msg := faulty(disk.OS, command("native")...); code != session.ExitFiles ||
		!strings.Contains(msg, "no space left") {
		t.Errorf("native: status %d\n%s", code, msg)
	}
	if _, err := os.Stat(at("native")); err == nil {
		t.Error("native: a run was made")
	}
	if code, msg := faulty(disk.OS, command("auto")...); code != session.ExitDone ||
		!strings.Contains(msg, "by the VM") || !strings.Contains(msg, "no space left") {
		t.Errorf("auto: status %d\n%s", code, msg)
	}
}
