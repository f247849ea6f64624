package main

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/results/run"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

// A process that is killed while it stores the log likelihoods of a run leaves
// draws that are complete; --resume computes the log likelihoods, and until then
// every command says that they are missing.
func TestKilledInLogLik(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	args := append(lineRun(t, dir, "whole"), "--log-lik")
	setFlags(args, "--warmup", "300", "--draws", "60", "--thin", "5", "--checkpoint", "5")
	succeeds(t, dir, strings.Join(args, " "))
	want := stored(t, at("whole"), "draws.zarr")
	if len(want["draws.zarr/log_likelihood/y"]) == 0 ||
		len(want["draws.zarr/observed_data/y"]) == 0 {
		t.Fatal("the whole run has no log likelihoods")
	}
	for i, a := range args {
		if a == "whole" {
			args[i] = "killed"
		}
	}
	on := &momentDisk{FS: disk.OS, then: func(string) bool { return false }}
	on.making = func(path string) bool { return path == run.LogLikPart("killed") }
	dies(t, dir, on, strings.Join(args, " "))
	s, err := trace.Open(at("killed/draws.zarr"))
	if err != nil {
		t.Fatalf("the store of a killed run cannot be opened: %v", err)
	}
	if session.HasLoglik(s) {
		t.Fatal("the log likelihoods are complete")
	}
	for _, command := range []string{"summary", "verify"} {
		if status, out := inDir(t, dir, disk.OS, command, "killed"); status != 0 ||
			!strings.Contains(out, "sgppl sample --resume killed") {
			t.Errorf("%s: status %d\n%s", command, status, out)
		}
	}
	if status, out := inDir(t, dir, disk.OS, "sample", "--resume", "killed", "--engine",
		"vm"); status != 0 || !strings.Contains(out, "are computed now") {
		t.Fatalf("status %d\n%s", status, out)
	}
	if got := stored(t, at("killed"), "draws.zarr"); !reflect.DeepEqual(got, want) {
		t.Error("what is stored differs from that of the run that was not killed")
	}
	if status, out := inDir(t, dir, disk.OS, "sample", "--resume", "killed", "--engine",
		"vm"); status != 0 || !strings.Contains(out, "the run in killed is complete") {
		t.Errorf("status %d\n%s", status, out)
	}
	if _, err := os.Stat(at("killed/log_likelihood.part")); err == nil {
		t.Error("the part that was begun is left")
	}
}
