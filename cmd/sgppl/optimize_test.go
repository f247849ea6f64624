package main

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/results/run"
)

// santaRun writes a model with data into a directory and returns the arguments
// of a run there.
func santaRun(t *testing.T, dir, out string) []string {
	lineRun(t, dir, out)
	src := rand.New(rand.NewPCG(3, 4))
	var held struct {
		X []float64 `json:"x"`
		Y []float64 `json:"y"`
	}
	for range 30 {
		x := src.NormFloat64()
		held.X, held.Y = append(held.X, x), append(held.Y, 1-2*x+0.5*src.NormFloat64())
	}
	b, err := json.Marshal(held)
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "held.json"), string(b))
	return []string{"optimize", "line.sg", "--data", "line.json", "--validate", "held.json",
		"--step", "0.001", "--batch", "N=20", "--chains", "2", "--trace",
		"--steps", "16000", "--check-every", "50", "--iterates", "500", "--average", "0.9",
		"--init", "0", "--checkpoint", "30", "--engine", "vm", "--progress", "none", "--out", out}
}

// pointBits reads everything of the stores of a run of optimize as bytes.
func pointBits(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, name := range []string{"draws.zarr", "points.zarr", "iterates.zarr", "checks.zarr"} {
		err := filepath.WalkDir(filepath.Join(dir, name),
			func(path string, d os.DirEntry, err error) error {
				if err != nil || d.IsDir() {
					return err
				}
				text, err := os.ReadFile(path)
				at, _ := filepath.Rel(dir, path)
				out[at] = string(text)
				return err
			})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// samePoints holds a run of optimize against another.
func samePoints(t *testing.T, dir, whole string) {
	t.Helper()
	got, want := pointBits(t, dir), pointBits(t, whole)
	if len(want) < 60 || !reflect.DeepEqual(got, want) {
		t.Errorf("the points differ from those of the other run (%d and %d files)", len(got),
			len(want))
	}
	a, err := run.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	b, err := run.Read(whole)
	if err != nil {
		t.Fatal(err)
	}
	for k := range b.Chains {
		x, y := a.Chains[k].Found, b.Chains[k].Found
		if a.Status != run.Done || x == nil || y == nil || !reflect.DeepEqual(x, y) {
			t.Errorf("status %s; chain %d found %+v, not %+v", a.Status, k, *x, *y)
		}
	}
}

// TestKilledOptimize: a run of Santa that is killed again and again comes out
// the same to the bit.
func TestKilledOptimize(t *testing.T) {
	dir := t.TempDir()
	succeeds(t, dir, strings.Join(santaRun(t, dir, "whole"), " "))
	dies(t, dir, killedAt("chain-1.ckpt", 1), strings.Join(santaRun(t, dir, "killed"), " "))
	resume := "optimize --resume killed --engine vm --progress none"
	diesAgain(t, dir, "chain-1.ckpt", []int{1, 2, 3}, resume)
	succeeds(t, dir, resume)
	killed := filepath.Join(dir, "killed")
	samePoints(t, killed, filepath.Join(dir, "whole"))
}
