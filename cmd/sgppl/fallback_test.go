package main

import (
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// TestFallsBack: where the native sampler was built and cannot be started, the VM
// samples, run.json says so, and --resume goes on, with the draws of the VM.
func TestFallsBack(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the go command of this test is a shell script")
	}
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	write(t, at("m.sg"), "param a : real ~ normal(0, 1)\n")
	if err := os.Mkdir(at("bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	// What it builds cannot be started.
	write(t, at("bin/go"), "#!/bin/sh\nwhile [ \"$1\" != -o ]; do shift; done\n"+
		"printf 'no program at all' >\"$2\"\n")
	if err := os.Chmod(at("bin/go"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", at("bin"))
	t.Setenv("SGPPL_CACHE", at("cache"))
	engine := func(name string) string {
		r, err := run.Read(at(name))
		if err != nil {
			t.Fatal(err)
		}
		return r.Engine
	}
	sample := func(status int, args ...string) string {
		t.Helper()
		code, msg := faulty(disk.OS, append([]string{"sample", "--progress", "none"}, args...)...)
		if code != status {
			t.Fatalf("%v: status %d\n%s", args, code, msg)
		}
		return msg
	}
	flags := []string{at("m.sg"), "--sampler", "nuts", "--chains", "2", "--warmup", "20", "--draws",
		"20", "--out"}
	sample(session.ExitDone, append(flags, at("vm"), "--engine", "vm")...)
	// Who asks for the native one by name is refused, and leaves a run that can go on.
	if msg := sample(session.ExitFiles,
		append(flags, at("named"), "--engine", "native")...); !strings.Contains(msg,
		"cannot be started") {
		t.Errorf("--engine native:\n%s", msg)
	}
	if got := engine("named"); got != "native" {
		t.Errorf("run.json says that %s ran", got)
	}
	// What was built then is in the cache. Who names no engine has the VM in its place.
	if msg := sample(session.ExitDone, append(flags, at("fell"))...); !strings.Contains(msg,
		"by the VM: the engine cannot be started") {
		t.Errorf("no word of the VM:\n%s", msg)
	}
	if got := engine("fell"); got != "vm" {
		t.Errorf("run.json says that %s ran", got)
	}
	if !reflect.DeepEqual(contents(t, at("fell")), contents(t, at("vm"))) {
		t.Error("the draws are not those of the VM")
	}
	sample(session.ExitDone, "--resume", at("named"))
	if got := engine("named"); got != "vm" {
		t.Errorf("after --resume run.json says that %s ran", got)
	}
	if !reflect.DeepEqual(contents(t, at("named")), contents(t, at("vm"))) {
		t.Error("the draws after --resume are not those of the VM")
	}
}
