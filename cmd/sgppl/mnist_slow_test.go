//go:build slow && linux

package main

import (
	"path/filepath"
	"syscall"
	"testing"

	"github.com/sgppl/sgppl/internal/reference"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// A network of 478,410 weights on MNIST, with the test images held out and
// moments kept, stays within its memory: images are bytes, draws are not kept.
// With the native engine there are two processes, of which the larger counts
// here; together they take less than 500 MB.
func TestMemoryOfMNIST(t *testing.T) {
	dir := t.TempDir()
	model := reference.Path(t, "models", "fnn.sg")
	file := func(name string) string { return reference.Path(t, "data", "mnist", name) }
	for engine, most := range map[string]int64{"vm": 450, "native": 420} {
		cmd := program(t, dir, "sample", model, "--data",
			"x="+file("train-images-idx3-ubyte.gz")+":unit", "--data",
			"y="+file("train-labels-idx1-ubyte.gz"),
			"--held-out", "x="+file("t10k-images-idx3-ubyte.gz")+":unit", "--held-out",
			"y="+file("t10k-labels-idx1-ubyte.gz"),
			"--sampler", "msgnht", "--step", "2e-4", "--friction", "60", "--batch", "100",
			"--chains", "1", "--warmup", "300", "--draws", "3", "--thin", "20",
			"--keep", "moments", "--engine", engine, "--progress", "none", "--out", engine)
		cmd.Env = append(cmd.Env, "SGPPL_CACHE="+filepath.Join(dir, "cache"))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		r, err := run.Read(filepath.Join(dir, engine))
		if err != nil {
			t.Fatal(err)
		}
		peak := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss / 1024
		t.Logf("%s: %d MB, %.1f steps/s, %+v", engine, peak,
			float64(r.Chains[0].Steps)/r.Chains[0].Seconds, *r.HeldOut.Score.Accuracy)
		if s := r.HeldOut.Score; peak > most || s.Rows != 10000 || *s.Accuracy < 0.88 ||
			s.Draws != 3 {
			t.Errorf("%s: a peak of %d MB, held out %+v", engine, peak, s)
		}
	}
}
