package main

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

// A process that is killed while it stores the log likelihoods of a run leaves
// draws that are complete; --resume computes the log likelihoods, and until then
// every command says that they are missing.
func TestKilledInLogLik(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	args := append(lineRun(t, dir, "whole"), "--log-lik")
	if out, err := program(t, dir, args...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	want := stored(t, at("whole"), "draws.zarr")
	if len(want["draws.zarr/log_likelihood/y"]) == 0 || len(want["draws.zarr/observed_data/y"]) == 0 {
		t.Fatal("the whole run has no log likelihoods")
	}
	for i, a := range args {
		if a == "whole" {
			args[i] = "killed"
		}
	}
	cmd := program(t, dir, args...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()
	for deadline := time.Now().Add(60 * time.Second); ; time.Sleep(100 * time.Microsecond) {
		if _, err := os.Stat(at("killed/log_likelihood.part")); err == nil {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("no log likelihoods are begun")
		}
	}
	cmd.Process.Kill()
	cmd.Wait()
	s, err := trace.Open(at("killed/draws.zarr"))
	if err != nil {
		t.Fatalf("the store of a killed run cannot be opened: %v", err)
	}
	if session.HasLoglik(s) {
		t.Skip("the log likelihoods were complete before the process could be killed")
	}
	for _, command := range []string{"summary", "verify"} {
		if out, err := program(t, dir, command, "killed").CombinedOutput(); err != nil || !strings.Contains(string(out), "sgppl sample --resume killed") {
			t.Errorf("%s: %v\n%s", command, err, out)
		}
	}
	if out, err := program(t, dir, "sample", "--resume", "killed").CombinedOutput(); err != nil || !strings.Contains(string(out), "are computed now") {
		t.Fatalf("%v\n%s", err, out)
	}
	if got := stored(t, at("killed"), "draws.zarr"); !reflect.DeepEqual(got, want) {
		t.Error("what is stored differs from that of the run that was not killed")
	}
	if out, err := program(t, dir, "sample", "--resume", "killed").CombinedOutput(); err != nil || !strings.Contains(string(out), "the run in killed is complete") {
		t.Errorf("%v\n%s", err, out)
	}
	if _, err := os.Stat(at("killed/log_likelihood.part")); err == nil {
		t.Error("the part that was begun is left")
	}
}
