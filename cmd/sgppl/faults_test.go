package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sgppl/sgppl/internal/faults"
	"github.com/sgppl/sgppl/internal/native"
	"github.com/sgppl/sgppl/runtime/disk"
	"github.com/sgppl/sgppl/runtime/run"
	"github.com/sgppl/sgppl/runtime/trace"
)

const faultModel = `dim N
data x[N], y[N] : real
param a : real ~ normal(0, 10)
param b[2] : real ~ normal(0, 1)
for n in N { y[n] ~ normal(a + b[0] * x[n], 1) }
`

var faultData = map[string]string{
	"m.sg":   faultModel,
	"d.json": `{"x": [1, 2, 3, 4, 5, 6], "y": [2, 4.1, 5.9, 8, 9, 12]}`,
	"h.json": `{"x": [7, 8], "y": [13, 17]}`,
	"d.csv":  "x,y\n1,2\n2,4.1\n3,5.9\n4,8\n5,9\n6,12\n",
}

// faultKinds are short runs of each kind. Every one stores several chunks and
// checkpoints.
var faultKinds = []struct {
	name   string
	args   []string
	prefix bool // draws appear in their order: those of a run that was stopped are the first of the whole run's
}{
	{"vm", []string{"sample", "m.sg", "--data", "d.json", "--sampler", "msgnht", "--step", "0.01", "--friction", "10", "--batch", "N=3", "--init", "0", "--chains", "2", "--warmup", "6", "--draws", "8", "--thin", "2", "--chunk", "3", "--save-warmup", "--held-out", "h.json"}, true},
	{"stream", []string{"sample", "m.sg", "--data", "d.csv", "--stream", "--cache", "--block-rows", "2", "--sampler", "msgnht", "--step", "0.01", "--friction", "10", "--batch", "N=2", "--init", "0", "--chains", "1", "--warmup", "4", "--draws", "8", "--thin", "2", "--chunk", "3"}, true},
	{"follow", []string{"sample", "m.sg", "--data", "d.csv", "--stream", "--follow", "--block-rows", "2", "--sampler", "msgnht", "--step", "0.01", "--friction", "10", "--batch", "N=2", "--init", "0", "--chains", "1", "--warmup", "4", "--draws", "8", "--thin", "2", "--chunk", "3"}, true},
	{"moments", []string{"sample", "m.sg", "--data", "d.json", "--sampler", "msgnht", "--step", "0.01", "--friction", "10", "--batch", "N=3", "--init", "0", "--chains", "1", "--warmup", "4", "--draws", "12", "--thin", "2", "--chunk", "3", "--keep", "moments", "--reservoir", "4", "--sketch", "8"}, false},
	{"last", []string{"sample", "m.sg", "--data", "d.json", "--sampler", "msgnht", "--step", "0.01", "--friction", "10", "--batch", "N=3", "--init", "0", "--chains", "1", "--warmup", "4", "--draws", "14", "--thin", "2", "--chunk", "2", "--keep", "last=5"}, false},
	{"optimize", []string{"optimize", "m.sg", "--data", "d.json", "--algorithm", "adam", "--step", "0.05", "--batch", "N=3", "--steps", "40", "--iterates", "5", "--chains", "2"}, false},
	{"log-lik", []string{"sample", "m.sg", "--data", "d.json", "--sampler", "hmc", "--step", "0.1", "--leapfrog", "2", "--init", "0", "--chains", "1", "--warmup", "2", "--draws", "6", "--chunk", "3", "--log-lik"}, true},
}

// faulty runs the program on a file system, by a clock that goes on by a
// millisecond whenever it is read.
func faulty(on disk.FS, args ...string) (status int, messages string) {
	return faultyEngine(on, nil, args...)
}

func faultyEngine(on disk.FS, engine func(native.Source) native.Source, args ...string) (status int, messages string) {
	return faultyGrowing(on, engine, func() {}, args...)
}

// faultyGrowing calls grow before the rows are read first and before the run begins.
func faultyGrowing(on disk.FS, engine func(native.Source) native.Source, grow func(), args ...string) (status int, messages string) {
	var out, err bytes.Buffer
	now := time.Unix(0, 0)
	tick := func() time.Time { now = now.Add(time.Millisecond); return now }
	status = execute(&env{stdin: strings.NewReader(""), stdout: &out, stderr: &err, args: args, getenv: os.Getenv,
		now: tick, interrupts: func(func()) func() { grow(); return func() {} }, quit: func(int) {}, disk: on, environ: os.Environ(), engine: engine})
	return status, err.String()
}

// contents reads every number of the stores of a run as bits, and its health.
func contents(t *testing.T, dir string) map[string][]uint64 {
	t.Helper()
	r, err := run.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, path := range run.Stores(dir, r) {
		names = append(names, filepath.Base(path))
	}
	out := stored(t, dir, names...)
	for _, h := range r.Health {
		out["health "+h.Block+" "+h.Statistic] = []uint64{math.Float64bits(float64(h.Value))}
	}
	if r.HeldOut != nil {
		text, err := json.Marshal(r.HeldOut.Score)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range text {
			out["held-out"] = append(out["held-out"], uint64(c))
		}
	}
	return out
}

// A faultBench is a kind of run with what it gives when nothing happens.
type faultBench struct {
	base  string // with the model, the data and a directory for each try
	args  []string
	want  map[string][]uint64
	calls int
}

func newFaultBench(t *testing.T, kind int) *faultBench {
	b := &faultBench{base: t.TempDir()}
	for name, text := range faultData {
		write(t, filepath.Join(b.base, name), text)
	}
	for _, a := range faultKinds[kind].args {
		if faultData[a] != "" {
			a = filepath.Join(b.base, a)
		}
		b.args = append(b.args, a)
	}
	b.args = append(b.args, "--engine", "vm", "--threads", "1", "--seed", "5", "--checkpoint", "0.004", "--progress", "none")
	return b
}

// TestFaults: at every call by which a short run of each kind writes, the disk
// fails, is full, the process is killed, or the power is lost. The command then
// ends with status 5, or is right; what can be read of the run is right; and it
// goes on to the same bits.
func TestFaults(t *testing.T) {
	for k, kind := range faultKinds {
		t.Run(kind.name, func(t *testing.T) {
			b := newFaultBench(t, k)
			b.whole(t)
			stride, first := strideOf(t, b.calls)
			tried := 0
			for _, mode := range []faults.Mode{faults.Once, faults.Full, faults.Kill, faults.Lose, faults.Reorder} {
				for n := 1 + (first+int(mode)*stride/6)%stride; n <= b.calls; n += stride {
					b.try(t, mode, n, kind.prefix)
					tried++
				}
			}
			t.Logf("%d calls, %d faults tried", b.calls, tried)
		})
	}
}

// whole makes the run without faults, twice: a run is the same bits.
func (b *faultBench) whole(t *testing.T) {
	t.Helper()
	for _, name := range []string{"whole", "again"} {
		root := filepath.Join(b.base, name)
		on := newFaults(t, root, faults.None, 0)
		if code, msg := b.run(t, on, b.command(root)...); code != 0 {
			t.Fatalf("status %d\n%s", code, msg)
		}
		got := contents(t, filepath.Join(root, "r"))
		if b.want != nil && !reflect.DeepEqual(got, b.want) {
			t.Fatal("two runs differ")
		}
		b.want, b.calls = got, on.Calls()
	}
	if b.calls < 100 || len(b.want) < 5 {
		t.Fatalf("%d calls, %d arrays", b.calls, len(b.want))
	}
}

// moreRows are appended to the rows of a run with --follow when it begins.
const moreRows = "7,14\n8,15\n9,18.5\n"

// run runs the program. A new run with --follow finds the first rows, and the others
// when its passes begin; one that goes on finds them then at the latest.
func (b *faultBench) run(t *testing.T, on disk.FS, args ...string) (int, string) {
	t.Helper()
	if !slices.Contains(b.args, "--follow") {
		return faulty(on, args...)
	}
	path, waits := filepath.Join(b.base, "d.csv"), 0
	if !slices.Contains(args, "--resume") {
		write(t, path, faultData["d.csv"])
		waits = 1 // the rows are read once for the plan
	}
	return faultyGrowing(on, nil, func() {
		if waits--; waits < 0 {
			write(t, path, faultData["d.csv"]+moreRows)
		}
	}, args...)
}

func newFaults(t *testing.T, root string, mode faults.Mode, n int) *faults.FS {
	t.Helper()
	if err := os.MkdirAll(root, 0o777); err != nil {
		t.Fatal(err)
	}
	on, err := faults.New(root, mode, n, 7)
	if err != nil {
		t.Fatal(err)
	}
	on.Reads = true
	return on
}

func (b *faultBench) command(root string) []string {
	return append(slices.Clone(b.args), "--out", filepath.Join(root, "r"))
}

// try runs with a fault at call n, and goes on.
func (b *faultBench) try(t *testing.T, mode faults.Mode, n int, prefix bool) {
	t.Helper()
	root := filepath.Join(b.base, "try")
	if err := os.RemoveAll(root); err != nil {
		t.Fatal(err)
	}
	on := newFaults(t, root, mode, n)
	code, msg := b.run(t, on, b.command(root)...)
	dir := filepath.Join(root, "r")
	at := fmt.Sprintf("%s at call %d, %s", mode, n, on.Struck())
	if mode.Dies() {
		if err := on.Cut(); err != nil {
			t.Fatal(err)
		}
	} else if code != exitDone && code != exitFiles {
		t.Errorf("%s: status %d\n%s", at, code, msg)
	}
	b.after(t, at, dir, code == exitDone && !mode.Dies(), prefix)
}

// after looks at a run that met a fault, and goes on with it.
func (b *faultBench) after(t *testing.T, at, dir string, done, prefix bool) {
	t.Helper()
	if _, err := run.Read(dir); err == nil {
		code, msg := faulty(disk.OS, "summary", dir)
		if code != exitDone && code != exitData && code != exitFiles || done && code != exitDone {
			t.Errorf("%s: summary ends with %d\n%s", at, code, msg)
		}
		if code == exitDone && prefix {
			b.prefixes(t, at, dir)
		}
	}
	for try := 0; !done; try++ {
		args := []string{b.args[0], "--resume", dir, "--threads", "1", "--progress", "none"}
		if _, err := run.Read(dir); err != nil {
			args = append(b.command(filepath.Dir(dir)), "--force")
		}
		code, msg := b.run(t, disk.OS, args...)
		if done = code == exitDone; !done && try == 1 {
			t.Errorf("%s: it cannot go on, status %d\n%s", at, code, msg)
			return
		}
	}
	if got := contents(t, dir); !reflect.DeepEqual(got, b.want) {
		for name := range b.want {
			if !reflect.DeepEqual(got[name], b.want[name]) {
				t.Errorf("%s: %s differs", at, name)
			}
		}
	}
	r, err := run.Read(dir)
	if err != nil || r.Status != run.Done {
		t.Errorf("%s: %v, %v", at, r, err)
		return
	}
	for _, path := range run.Stores(dir, r) {
		s, err := trace.Open(path)
		if err != nil {
			t.Errorf("%s: %v", at, err)
			continue
		}
		if found := s.Verify(); len(found.Problems)+len(found.Unlisted) > 0 {
			t.Errorf("%s: %v, unlisted %v", at, found.Problems, found.Unlisted)
		}
	}
}

// strideOf is which calls are spoiled: every so many, beginning with one.
func strideOf(t *testing.T, calls int) (stride, first int) {
	t.Helper()
	stride = min(faultStride, calls)
	if s := os.Getenv("SGPPL_FAULTS"); s != "" { // STRIDE:FIRST, to try others, or all
		if _, err := fmt.Sscanf(s, "%d:%d", &stride, &first); err != nil || stride < 1 {
			t.Fatalf("SGPPL_FAULTS=%s: %v", s, err)
		}
	}
	return stride, first
}

// prefixes: draws that can be read of a run that was stopped are the first ones.
func (b *faultBench) prefixes(t *testing.T, at, dir string) {
	t.Helper()
	s, err := trace.Open(run.Draws(dir))
	if err != nil {
		t.Errorf("%s: %v", at, err)
		return
	}
	for _, v := range s.Variables() {
		if v.Static {
			continue
		}
		a, err := s.Read(v.Group, v.Name)
		if err != nil {
			if v.Group == "posterior" || !errors.Is(err, trace.ErrCorrupt) { // summary reads no statistics
				t.Errorf("%s: summary reads what cannot be read: %v", at, err)
			}
			continue
		}
		want := b.want["draws.zarr/"+v.Group+"/"+v.Name]
		for c := range a.Chains {
			each := len(want) / a.Chains
			for i, x := range a.Data[c*a.Draws*a.Len() : (c+1)*a.Draws*a.Len()] {
				if i >= each || math.Float64bits(x) != want[c*each+i] {
					t.Errorf("%s: number %d of %s in chain %d is %g", at, i, v.Name, c, x)
					return
				}
			}
		}
	}
}
