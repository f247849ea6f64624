package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// TestFollowMended: a malformed row that is appended ends a run that follows the
// file with its line; once it is mended the run goes on, and has the draws of one
// that saw the mended file alone.
func TestFollowMended(t *testing.T) {
	dir := t.TempDir()
	rowsData(t, dir)
	path, rundir := filepath.Join(dir, "t.csv"), filepath.Join(dir, "mended")
	resume := func(out string) (int, string) {
		return inDir(t, dir, disk.OS, "sample", "--resume", out, "--engine", "vm", "--progress",
			"none")
	}
	dies(t, dir, killedAt("chain-1.ckpt", 2), strings.Join(followRun("mended"), " "))
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
		status, out := resume("mended")
		if status != session.ExitData ||
			!strings.Contains(out, `t.csv:351:3: error[D0106]: "oops" is no number`) {
			t.Fatalf("status %d\n%s", status, out)
		}
		r, err := run.Read(rundir)
		if err != nil || r.Status != run.Failed {
			t.Fatalf("status %v, %v", r, err)
		}
		stored(t, rundir, "draws.zarr")
	}
	put(good, more, []byte("1,-2.25,3,0\n"), more)
	for _, out := range []string{"mended", "other"} {
		if status, text := resume(out); status != session.ExitDone {
			t.Fatalf("%s: status %d\n%s", out, status, text)
		}
	}
	sameDraws(t, rundir, other)
	for _, out := range []string{rundir, other} {
		r, err := run.Read(out)
		if err != nil || r.Status != run.Done || r.Chains[0].Rows != 399 ||
			r.Chains[1].Rows != 399 {
			t.Fatalf("%v, %+v", err, r.Chains)
		}
	}
}
