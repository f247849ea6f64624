//go:build slow

package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/sgppl/sgppl/runtime/results/run"
)

// A run begun by the native engine is killed, child and all, goes on in the
// VM, is killed again and ends natively: its draws are the VM's, to the bit.
func TestEnginesTakeOver(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("SGPPL_CACHE", filepath.Join(dir, "cache"))
	if out, err := program(t, dir, lineRun(t, dir, "whole")...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	// The first build takes seconds; it is not what is interrupted here.
	warm := lineRun(t, dir, "warm")
	warm[slices.Index(warm, "--draws")+1] = "1"
	warm[slices.Index(warm, "--engine")+1] = "native"
	if out, err := program(t, dir, warm...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	taken := filepath.Join(dir, "taken")
	args := lineRun(t, dir, "taken")
	args[slices.Index(args, "--engine")+1] = "native"
	stop := func(args ...string) {
		t.Helper()
		cmd := program(t, dir, args...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		before, _ := os.ReadFile(filepath.Join(taken, "chain-0.ckpt"))
		for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(time.Millisecond) {
			now, err := os.ReadFile(filepath.Join(taken, "chain-0.ckpt"))
			if err == nil && string(now) != string(before) {
				break
			}
			if time.Now().After(deadline) {
				t.Fatal("no new checkpoint appears")
			}
		}
		cmd.Process.Kill()
		cmd.Wait()
	}
	stop(args...)
	// The child sees that its parent is gone, writes its checkpoints and ends.
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		if r, err := run.Read(taken); err == nil && r.Status == run.Interrupted {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the child does not end with its parent")
		}
	}
	stop("sample", "--resume", "taken", "--engine", "vm", "--progress", "none")
	if out, err := program(t, dir, "sample", "--resume", "taken", "--engine",
		"native").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	same(t, taken, filepath.Join(dir, "whole"))
}
