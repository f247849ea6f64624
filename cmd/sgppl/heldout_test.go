package main

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/results/run"
)

// heldOutRun is lineRun without a store of draws: moments, the last ones, and a
// running predictive of every third, of other rows.
func heldOutRun(t *testing.T, dir, out string) []string {
	args := lineRun(t, dir, out)
	write(t, filepath.Join(dir, "test.json"),
		`{"x": [0.5, -1, 2, 0, 1], "y": [0.1, 3.2, -2.5, 1.4, -1]}`)
	args = slices.DeleteFunc(args, func(a string) bool { return a == "--save-warmup" })
	setFlags(args, "--warmup", "1000", "--thin", "5", "--checkpoint", "30")
	return append(args, "--keep", "moments", "--keep", "last=70", "--held-out", "test.json",
		"--held-out-every", "3")
}

// sameHeldOut compares the scores of held-out rows that were stored with draws, or instead of
// draws, with those of a run that was never stopped.
func sameHeldOut(t *testing.T, dir, whole string) {
	t.Helper()
	got, want := stored(t, dir, "draws.zarr"), stored(t, whole, "draws.zarr")
	if len(want["draws.zarr/posterior/a"]) != 140 ||
		len(want["draws.zarr/posterior_moments/a.mean"]) != 2 ||
		len(want["draws.zarr/posterior_moments/count"]) != 2 {
		t.Fatalf("the whole run has %d draws", len(want["draws.zarr/posterior/a"]))
	}
	for name := range want {
		if !reflect.DeepEqual(got[name], want[name]) {
			t.Errorf("%s differs from that of the run that was not stopped", name)
		}
	}
	a, err := os.ReadFile(run.HeldOutSeries(dir))
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(run.HeldOutSeries(whole))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(a, b) || !bytes.Contains(b, []byte(`"draws":800`)) {
		t.Errorf("the running predictive is\n%s\nwithout a stop\n%s", a, b)
	}
	r, err := run.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	w, err := run.Read(whole)
	if err != nil {
		t.Fatal(err)
	}
	if r.Status != run.Done || r.HeldOut == nil ||
		!reflect.DeepEqual(r.HeldOut.Score, w.HeldOut.Score) {
		t.Errorf("%s, held out %+v, want %+v", r.Status, r.HeldOut, w.HeldOut)
	}
}

// A run that keeps moments and a predictive comes out the same to the bit
// however often it is killed.
func TestKilledWithoutDraws(t *testing.T) {
	dir := t.TempDir()
	succeeds(t, dir, strings.Join(heldOutRun(t, dir, "whole"), " "))
	dies(t, dir, killedAt("chain-0.ckpt", 1), strings.Join(heldOutRun(t, dir, "killed"), " "))
	resume := "sample --resume killed --engine vm --progress none"
	diesAgain(t, dir, "chain-0.ckpt", []int{1, 2, 3}, resume)
	succeeds(t, dir, resume)
	killed := filepath.Join(dir, "killed")
	sameHeldOut(t, killed, filepath.Join(dir, "whole"))
}
