package main

import (
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// TestTakesOver: a run that begins by the VM goes on by the native engine when that is built, and
// has the draws of either, to the bit.
func TestTakesOver(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	write(t, at("m.sg"), "param a[3] : real ~ normal(0, 1)\n")
	t.Setenv("SGPPL_CACHE", at("cache"))
	flags := []string{"sample", at("m.sg"), "--sampler", "nuts", "--chains", "2", "--draws", "20000",
		"--progress", "none", "--checkpoint", "0.1", "--out"}
	if status, said := inDir(t, dir, disk.OS, append(flags, at("vm"), "--engine", "vm")...); status !=
		session.ExitDone {
		t.Fatal(status, said)
	}
	// The VM waits at its checkpoints for the engine, and goes on slowly, so that it is told in time.
	waited := &momentDisk{FS: disk.OS, then: func(path string) bool {
		if filepath.Ext(path) != ".ckpt" {
			return false
		}
		for range 6000 {
			if built, _ := filepath.Glob(at("cache/bin/*.sha256")); len(built) > 0 {
				break
			}
			time.Sleep(20 * time.Millisecond)
		}
		time.Sleep(20 * time.Millisecond)
		return false
	}}
	if status, said := inDir(t, dir, waited, append(flags, at("auto"))...); status !=
		session.ExitDone {
		t.Fatal(status, said)
	}
	r, err := run.Read(at("auto"))
	if err != nil || r.Engine != "native" {
		t.Errorf("run.json says that %s ran, %v", r.Engine, err)
	}
	if !reflect.DeepEqual(contents(t, at("auto")), contents(t, at("vm"))) {
		t.Error("the draws are not those of the VM")
	}
}
