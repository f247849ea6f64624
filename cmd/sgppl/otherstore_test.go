package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/session"
)

// TestStoreOfAnotherRun: a store with all its digests, put in the place of that of
// another run of the same model, is noticed by what reads draws.
func TestStoreOfAnotherRun(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "m.sg", "dim N\ndata x[N] : real\nparam m : real ~ normal(0, 1)\nx ~ normal(m, 1)\n")
	write(t, "a.json", `{"x": [1, 2, 3]}`)
	write(t, "b.json", `{"x": [7, 8, 9]}`)
	sample := func(out, data, seed string) {
		t.Helper()
		status, _, stderr := inProcess(t, "", "sample", "m.sg", "--data", data, "--engine", "vm",
			"--full-batch", "--chains", "2", "--warmup", "20", "--draws", "20",
			"--seed", seed, "--out", out, "--progress", "none")
		if status != 0 {
			t.Fatal(stderr)
		}
	}
	sample("a", "a.json", "1")
	sample("same", "a.json", "1")
	sample("seed", "a.json", "2")
	sample("data", "b.json", "1")
	for _, other := range []struct {
		run  string
		want int
	}{{"same", 0}, {"seed", session.ExitFiles}, {"data", session.ExitFiles}} {
		if err := os.RemoveAll(filepath.Join(other.run, "draws.zarr")); err != nil {
			t.Fatal(err)
		}
		if err := os.CopyFS(filepath.Join(other.run, "draws.zarr"),
			os.DirFS(filepath.Join("a", "draws.zarr"))); err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{{"summary", other.run}, {"verify", other.run},
			{"export", other.run, "--to", "csv", "--out", "q.csv", "--force"},
			{"sample", "--resume", other.run}} {
			status, _, stderr := inProcess(t, "", args...)
			if status != other.want ||
				other.want != 0 && !strings.Contains(stderr, "the draws of another run") {
				t.Errorf("%v: status %d instead of %d: %s", args, status, other.want, stderr)
			}
		}
	}
}

// TestVerifyBeforeTheStore: a run that was killed while it made its store is not
// damaged; one whose store loses its metadata later is.
func TestVerifyBeforeTheStore(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "m.sg", "param m : real ~ normal(0, 1)\n")
	if status, _, stderr := inProcess(t, "", "sample", "m.sg", "--engine", "vm", "--warmup", "5",
		"--draws", "5", "--out", "r", "--progress", "none"); status != 0 {
		t.Fatal(stderr)
	}
	editRun(t, "r", `"status": "done"`, `"status": "running"`)
	if err := os.Remove(filepath.Join("r", "draws.zarr", ".zmetadata")); err != nil {
		t.Fatal(err)
	}
	if status, _, stderr := inProcess(t, "", "verify", "r"); status != session.ExitFiles {
		t.Errorf("without metadata, with checkpoints: status %d: %s", status, stderr)
	}
	saved, _ := filepath.Glob("r/chain-*.ckpt")
	for _, path := range saved {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	if status, _, stderr := inProcess(t, "", "verify", "r"); status != 0 {
		t.Errorf("before the store: status %d: %s", status, stderr)
	}
}
