package main

import (
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/results/run"
)

// optimizeRun are the arguments of a run of an optimiser over the rows of t.csv.
func optimizeRun(more, out string) []string {
	return strings.Fields("optimize table.sg --data t.csv --validate v.csv --batch 7 --epochs 6 " +
		"--check-every 40 --chains 2 --iterates 5 --block-rows 11 --window 3 --engine vm " +
		"--progress none " + more + " --out " + out)
}

// sameFound holds the points of two runs against one another, except for the log density with all
// rows, which streams do not have.
func sameFound(t *testing.T, got, want string) {
	t.Helper()
	for _, store := range []string{"draws.zarr", "points.zarr"} {
		a, b := stored(t, got, store), stored(t, want, store)
		if len(b) < 4 {
			t.Fatalf("%s has %d arrays", want, len(b))
		}
		for name := range b {
			if !strings.HasSuffix(name, "lp") && !reflect.DeepEqual(a[name], b[name]) {
				t.Errorf("%s of %s differs from that of %s: %v, %v", name, got, want, a[name], b[name])
			}
		}
	}
}

// TestOptimizeStreams: optimisers over rows that are read as they are needed find
// the points, to the bit, that they find with the same order in memory; a run that
// is killed, or whose file breaks, goes on.
func TestOptimizeStreams(t *testing.T) {
	dir := t.TempDir()
	rowsData(t, dir)
	at := func(name string) string { return filepath.Join(dir, name) }
	text, err := os.ReadFile(at("t.csv"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, at("v.csv"), strings.Join(strings.SplitAfter(string(text), "\n")[:60], ""))
	for _, algorithm := range []string{"adam --step 0.01",
		"santa --step 0.001 --burnin 50 --precision f32"} {
		name := strings.Fields(algorithm)[0]
		for _, c := range []struct{ out, args string }{{"m-", " --batch-order blocks"},
			{"s-", " --stream"}} {
			if b, err := program(t, dir,
				optimizeRun("--algorithm "+algorithm+c.args,
					c.out+name)...).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, b)
			}
		}
		sameFound(t, at("s-"+name), at("m-"+name))
	}
	b, err := program(t, dir, strings.Fields("optimize table.sg --data t.csv --batch 7 --epochs "+
		"6 --stream --step 0.01 --algorithm adam --engine vm --out refused")...).CombinedOutput()
	if err == nil || !strings.Contains(string(b), "--validate") {
		t.Errorf("without rows that choose the best point: %v\n%s", err, b)
	}

	long := func(out string) []string {
		return append(optimizeRun("--algorithm adam --step 0.001 --stream --cache --checkpoint 0.01",
			out),
			"--epochs", "150")
	}
	if b, err := program(t, dir, long("long")...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, b)
	}
	cmd := program(t, dir, long("stopped")...)
	goOn := pauses(t, cmd, "chain-1.ckpt")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()
	appears(t, at("stopped/chain-1.ckpt"))
	cells := at("stopped.rows/0.cells")
	good, err := os.ReadFile(cells)
	if err != nil {
		t.Fatal(err)
	}
	bad := make([]byte, len(good))
	overwrite(t, cells, bad) // while it runs
	goOn()
	err = cmd.Wait()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 5 {
		t.Fatalf("over rows that changed: %v", err)
	}
	if r, err := run.Read(at("stopped")); err != nil || r.Status != run.Failed ||
		!strings.Contains(r.Error, "D0160") {
		t.Fatalf("%v, %+v", err, r)
	}
	overwrite(t, cells, good)
	if b, err := program(t, dir, "optimize", "--resume", "stopped", "--engine", "vm", "--progress",
		"none").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, b)
	}
	sameFound(t, at("stopped"), at("long"))
	for name, x := range stored(t, at("long"), "draws.zarr") {
		if strings.HasSuffix(name, "lp") && len(x) > 0 && !math.IsNaN(math.Float64frombits(x[0])) {
			t.Errorf("%s is %v", name, x)
		}
	}
}
