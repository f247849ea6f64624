package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/base/disk"
)

// TestVerifyEngine: verify holds the native sampler in the cache against its digest
// and names the file that is wrong; one that is absent is told, and is no mistake. The
// go command of this test writes a program that cannot be started, so that the VM
// samples in its place: what verify looks at are bytes alone.
func TestVerifyEngine(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the go command of this test is a shell script")
	}
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	write(t, at("m.sg"), "param a : real ~ normal(0, 1)\n")
	if err := os.Mkdir(at("bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, at("bin/go"), "#!/bin/sh\nwhile [ \"$1\" != -o ]; do shift; done\n"+
		"printf 'no program at all' >\"$2\"\n")
	if err := os.Chmod(at("bin/go"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", at("bin"))
	t.Setenv("SGPPL_CACHE", at("cache"))
	for _, c := range []struct {
		out, engine string
		status      int
	}{{"built", "native", session.ExitFiles}, {"run", "auto", session.ExitDone}} {
		if code, msg := faulty(disk.OS, "sample", at("m.sg"), "--sampler", "nuts", "--chains", "1",
			"--warmup", "20", "--draws", "20", "--progress", "none", "--engine", c.engine, "--out",
			at(c.out)); code != c.status {
			t.Fatalf("status %d\n%s", code, msg)
		}
	}
	if err := edit(at("run"), `"engine": "vm"`, `"engine": "native"`); err != nil {
		// run.json says what ran
		t.Fatal(err)
	}
	list, err := filepath.Glob(at("cache/bin/*.sha256"))
	if err != nil || len(list) != 1 {
		t.Fatalf("the cache has %v, %v", list, err)
	}
	sum, path := list[0], strings.TrimSuffix(list[0], ".sha256")
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	verify := func(what string, status int, text string) {
		t.Helper()
		if code, msg := faulty(disk.OS, "verify", at("run")); code != status ||
			!strings.Contains(msg, text) || text == "" && msg != "" {
			t.Errorf("%s: status %d\n%s", what, code, msg)
		}
	}
	verify("whole", session.ExitDone, "")
	for k := range good {
		bad := append([]byte{}, good...)
		bad[k] ^= 1
		write(t, path, string(bad))
		verify("a bit of the sampler", session.ExitFiles, path+" was changed or damaged")
	}
	write(t, path, string(good[:3]))
	verify("the end is cut off", session.ExitFiles, path)
	write(t, path, string(good))
	verify("put back", session.ExitDone, "")
	digest, err := os.ReadFile(sum)
	if err != nil {
		t.Fatal(err)
	}
	write(t, sum, "0"+string(digest[1:])+"0")
	verify("another digest", session.ExitFiles, path)
	if err := os.Remove(sum); err != nil {
		t.Fatal(err)
	}
	verify("no digest", session.ExitDone, "not in the cache "+at("cache"))
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	verify("no sampler", session.ExitDone, "not in the cache "+at("cache"))
	// A sampler that was replaced is built again, and the message says where it was.
	write(t, path, "#!/bin/sh\nexit 0\n")
	write(t, sum, string(digest))
	code, msg := faulty(disk.OS, "sample", at("m.sg"), "--sampler", "nuts", "--chains", "1",
		"--warmup", "20", "--draws", "20", "--progress", "none", "--out", at("run2"))
	if want := "note: in the cache of engines, " + at("cache") +
		", an engine is not used, and is built again: " + path + " was changed or damaged"; code !=
		session.ExitDone || !strings.Contains(msg, want) {
		t.Errorf("a sampler that was replaced: status %d\n%s\nwant %s", code, msg, want)
	}
	if again, err := os.ReadFile(path); err != nil || string(again) != string(good) {
		t.Errorf("a sampler that was replaced is now %q, %v", again, err)
	}
}
