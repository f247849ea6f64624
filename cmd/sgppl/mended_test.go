package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sgppl/sgppl/runtime/results/run"
)

// TestFollowMended: a malformed row that is appended ends a run that follows the
// file with its line; once it is mended the run goes on, and has the draws of one
// that saw the mended file alone.
func TestFollowMended(t *testing.T) {
	dir := t.TempDir()
	rowsData(t, dir)
	path, rundir := filepath.Join(dir, "t.csv"), filepath.Join(dir, "mended")
	resume := func(out string) (string, error) {
		b, err := program(t, dir, "sample", "--resume", out, "--engine", "vm", "--progress", "none").CombinedOutput()
		return string(b), err
	}
	cmd := program(t, dir, followRun("mended")...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for until := time.Now().Add(20 * time.Second); ; time.Sleep(2 * time.Millisecond) {
		if _, err := os.Stat(filepath.Join(rundir, "chain-1.ckpt")); err == nil {
			break
		}
		if time.Now().After(until) {
			t.Fatal("no checkpoint")
		}
	}
	cmd.Process.Kill() // in the middle of the run
	cmd.Wait()
	other := filepath.Join(dir, "other")
	if err := os.CopyFS(other, os.DirFS(rundir)); err != nil {
		t.Fatal(err)
	}
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(good, []byte("\n"))
	more := bytes.Join(lines[1:50], nil)
	put := func(text ...[]byte) {
		t.Helper()
		if err := os.WriteFile(path, bytes.Join(text, nil), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	put(good, more, []byte("1,oops,3,0\n"), more)
	for range 2 { // again, as long as it is not mended
		out, err := resume("mended")
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != 3 || !strings.Contains(out, `t.csv:351:3: error[D0106]: "oops" is no number`) {
			t.Fatalf("%v\n%s", err, out)
		}
		r, err := run.Read(rundir)
		if err != nil || r.Status != run.Failed {
			t.Fatalf("status %v, %v", r, err)
		}
		stored(t, rundir, "draws.zarr")
	}
	put(good, more, []byte("1,-2.25,3,0\n"), more)
	for _, out := range []string{"mended", "other"} {
		if text, err := resume(out); err != nil {
			t.Fatalf("%s: %v\n%s", out, err, text)
		}
	}
	sameDraws(t, rundir, other)
	for _, out := range []string{rundir, other} {
		r, err := run.Read(out)
		if err != nil || r.Status != run.Done || r.Chains[0].Rows != 399 || r.Chains[1].Rows != 399 {
			t.Fatalf("%v, %+v", err, r.Chains)
		}
	}
}
