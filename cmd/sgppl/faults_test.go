package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sgppl/sgppl/internal/faults"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/results/run"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

// faultModes are what happens at a call.
var faultModes = []faults.Mode{faults.Once, faults.Full, faults.Kill, faults.Lose, faults.Reorder}

// TestFaults: at every call by which a short run of each kind writes, the disk
// fails, is full, the process is killed, or the power is lost; likewise at every call
// of a run that goes on after it was killed or interrupted, and of one that is
// interrupted. The command then ends with status 5, or
// is right; what can be read of the run is right; and it goes on to the same bits.
// By default a sample of the calls is tried, and with the tag slow each of them.
func TestFaults(t *testing.T) {
	t.Setenv("GOGC", "2000") // what a run keeps is little, and there are many runs
	defer debug.SetGCPercent(debug.SetGCPercent(2000))
	for _, kind := range faultKinds {
		t.Run(kind.name, func(t *testing.T) {
			b := newFaultBench(t, kind.args, "--engine", "vm", "--checkpoint", "0.04")
			b.prefix = kind.prefix
			b.whole(t)
			b.spoil(t)
			b.start, b.seen = b.half, map[faultState]bool{}
			b.spoil(t)
			b.start, b.stopAt = nil, b.stored+2
			b.spoil(t)
			b.start, b.stopAt, b.seen = b.end, 0, map[faultState]bool{}
			b.spoil(t)
		})
	}
}

// A faultBench is a kind of run with what it gives when nothing happens.
type faultBench struct {
	base   string // with the model, the data and a directory for each try
	args   []string
	prefix bool
	want   map[string][]uint64
	start  *death // what the run goes on from; nil: it is new
	half   *death // of a new run that is killed halfway from the first checkpoint to the end
	calls  int
	// stored is the call that ends the first checkpoint; at call stopAt, unless it is 0,
	// the run is interrupted, and end is what it leaves.
	stored, stopAt int
	end            *death
	stop           func()              // interrupts the run
	seen           map[faultState]bool // it was found right to go on from these
}

// A faultState is all that the outcome of a run that goes on depends on.
type faultState struct {
	sum   [32]byte // of the tree
	grown bool
}

// A death is what is left of a run that died.
type death struct {
	mode  faults.Mode
	at    string // which call
	tree  faults.Tree
	grown bool // the rows that are appended were there
}

func newFaultBench(t *testing.T, line string, more ...string) *faultBench {
	b := &faultBench{base: t.TempDir(), seen: map[faultState]bool{}}
	b.args = append(faultArgs(t, line, b.base), "--threads", "1", "--seed", "5", "--progress",
		"none")
	b.args = append(b.args, more...)
	return b
}

// root is where the runs that meet faults are: all at one place, since their files
// name it.
func (b *faultBench) root() string { return filepath.Join(b.base, "try") }

func (b *faultBench) command(root string) []string {
	return append(slices.Clone(b.args), "--out", filepath.Join(root, "r"))
}

func (b *faultBench) resumes(root string) []string {
	return []string{b.args[0], "--resume", filepath.Join(root, "r"), "--threads", "1", "--progress",
		"none"}
}

// whole makes the run without faults, twice: a run is the same bits.
func (b *faultBench) whole(t *testing.T) {
	t.Helper()
	for _, name := range []string{"whole", "again"} {
		root := filepath.Join(b.base, name)
		if err := os.Mkdir(root, 0o777); err != nil {
			t.Fatal(err)
		}
		if code, msg := b.run(t, unsynced{disk.OS}, b.command(root)...); code != 0 {
			t.Fatalf("status %d\n%s", code, msg)
		}
		got := contents(t, filepath.Join(root, "r"))
		if b.want != nil && !reflect.DeepEqual(got, b.want) {
			t.Fatal("two runs differ")
		}
		b.want = got
	}
	if len(b.want) < 5 {
		t.Fatalf("%d arrays", len(b.want))
	}
}

// unsynced is a disk that is not waited for.
type unsynced struct{ disk.FS }

type unsyncedFile struct{ disk.File }

func (unsyncedFile) Sync() error { return nil }

func (unsynced) SyncDir(string) error { return nil }

func (u unsynced) OpenFile(path string, flag int, perm os.FileMode) (disk.File, error) {
	f, err := u.FS.OpenFile(path, flag, perm)
	if err != nil {
		return nil, err
	}
	return unsyncedFile{f}, nil
}

// rows are the file with the rows of runs that read them as they are needed.
func (b *faultBench) rows(t *testing.T, grown bool) {
	t.Helper()
	text := faultData["d.csv"]
	if grown {
		text += moreRows
	}
	write(t, filepath.Join(b.base, "d.csv"), text)
}

// run runs the program. A new run with --follow finds the first rows, and the others
// when its passes begin; one that goes on finds them then at the latest.
func (b *faultBench) run(t *testing.T, on disk.FS, args ...string) (int, string) {
	t.Helper()
	waits := 0
	switch {
	case !slices.Contains(b.args, "--follow") || args[0] == "summary":
		waits = 1 << 30
	case !slices.Contains(args, "--resume"):
		b.rows(t, false)
		waits = 1 // the rows are read once for the plan
	}
	// By this clock a chain looks at every step whether a checkpoint is due.
	e := &session.Session{Disk: on, Now: ticks(20 * time.Millisecond),
		Interrupts: func(stop func()) func() {
			b.stop = stop
			if waits--; waits == -1 {
				b.rows(t, true)
			}
			return func() {}
		}}
	return inFaultyEnv(again, e, args...)
}

// begin is the run that meets a fault, on a file system.
func (b *faultBench) begin(
	t *testing.T, mode faults.Mode, n int,
	watch func(n int, what string, left func(faults.Mode) faults.Tree),
) (on *faults.FS, code int, msg string) {
	t.Helper()
	root, args := b.root(), b.command(b.root())
	if err := os.MkdirAll(root, 0o777); err != nil {
		t.Fatal(err)
	}
	tree := faults.Tree{}
	if b.start != nil {
		tree, args = b.start.tree, b.resumes(root)
		b.rows(t, b.start.grown)
	}
	if err := tree.Put(root); err != nil {
		t.Fatal(err)
	}
	on, err := faults.New(root, mode, n, 7)
	if err != nil {
		t.Fatal(err)
	}
	on.Reads = true
	on.Watch = func(n int, what string, left func(faults.Mode) faults.Tree) {
		if n == b.stopAt {
			b.stop()
		}
		if watch != nil {
			watch(n, what, left)
		}
	}
	code, msg = b.run(t, on, args...)
	return on, code, msg
}

// spoil tries every fault.
func (b *faultBench) spoil(t *testing.T) {
	t.Helper()
	deaths := b.watch(t)
	tried, states := map[faults.Mode]int{}, map[faults.Mode]int{}
	for _, d := range deaths {
		if tried[d.mode]++; d.tree == nil { // it was tried by another name
			continue
		}
		states[d.mode]++
		if err := d.tree.Put(b.root()); err != nil {
			t.Fatal(err)
		}
		b.rows(t, d.grown)
		b.after(t, d.at, filepath.Join(b.root(), "r"), false)
	}
	stride, first := strideOf(t, b.calls)
	for _, mode := range []faults.Mode{faults.Once, faults.Full} {
		for n := b.stopAt + 1; n <= b.calls; n++ {
			if !chosen(stride, first, mode, n) {
				continue
			}
			on, code, msg := b.begin(t, mode, n, nil)
			at := fmt.Sprintf("%s at call %d, %s", mode, n, on.Struck())
			if code != session.ExitDone && code != session.ExitFiles && code != b.status() {
				t.Errorf("%s: status %d\n%s", at, code, msg)
			}
			tried[mode]++
			if b.fresh(on.Tree(), slices.Contains(b.args, "--follow")) {
				states[mode]++
				b.after(t, at, filepath.Join(b.root(), "r"), code == session.ExitDone)
			}
		}
	}
	what, all := "a new run", 0
	switch {
	case b.stopAt > 0:
		what = fmt.Sprintf("a run that is interrupted at call %d", b.stopAt)
	case b.start != nil && b.start == b.end:
		what = "a run that goes on after an interrupt"
	case b.start != nil:
		what = "a run that goes on after it was killed"
	}
	text := ""
	for _, mode := range faultModes {
		text += fmt.Sprintf(", %s %d (%d)", mode, tried[mode], states[mode])
		all += tried[mode]
	}
	t.Logf("%s has %d calls; faults tried (of which the states differ): %d%s", what, b.calls, all,
		text)
}

// status is how a run ends that meets no fault.
func (b *faultBench) status() int {
	if b.stopAt > 0 {
		return session.ExitInterrupted
	}
	return session.ExitDone
}

// fresh reports whether a state was not gone on from yet.
func (b *faultBench) fresh(tree faults.Tree, grown bool) bool {
	s := faultState{tree.Sum(), grown}
	was := b.seen[s]
	b.seen[s] = true
	return !was
}

// watch runs without a fault, and finds what would be left at each call. The run up
// to there is the same as one that dies there.
func (b *faultBench) watch(t *testing.T) (deaths []*death) {
	t.Helper()
	var kills []*death
	stride, first := 0, 0
	look := func(n int, what string, left func(faults.Mode) faults.Tree) {
		text, err := os.ReadFile(filepath.Join(b.base, "d.csv"))
		if err != nil {
			t.Error(err)
		}
		grown := strings.HasSuffix(string(text), moreRows)
		kills = append(kills, &death{faults.Kill, what, left(faults.Kill), grown})
		for _, mode := range faultModes {
			if !mode.Dies() || n <= b.stopAt || !chosen(stride, first, mode, n) {
				continue
			}
			d := &death{mode: mode, at: fmt.Sprintf("%s at call %d, %s", mode, n, what),
				grown: grown}
			if tree := left(mode); b.fresh(tree, grown) {
				d.tree = tree
			}
			deaths = append(deaths, d)
		}
	}
	on, code, msg := b.begin(t, faults.None, 0, nil) // for the number of calls
	if b.calls = on.Calls(); code != b.status() || b.calls < 50 {
		t.Fatalf("%d calls, status %d\n%s", b.calls, code, msg)
	}
	stride, first = strideOf(t, b.calls)
	on, code, msg = b.begin(t, faults.None, 0, look)
	if code != b.status() || on.Calls() != b.calls {
		t.Fatalf("%d calls, then %d, status %d\n%s", b.calls, on.Calls(), code, msg)
	}
	// Nothing was written past the file system with faults.
	got := faults.Tree{}
	if err := got.Take(b.root()); err != nil {
		t.Fatal(err)
	}
	if got.Sum() != on.Tree().Sum() {
		t.Fatal("the disk has other files than those that were written")
	}
	stored := slices.IndexFunc(kills,
		func(d *death) bool {
			return strings.HasPrefix(d.at, "rename") && strings.HasSuffix(d.at, ".ckpt")
		})
	switch {
	case b.stopAt > 0:
		b.end = &death{tree: got, grown: kills[len(kills)-1].grown}
	case b.start == nil:
		b.stored, b.half = stored+1, kills[(stored+len(kills))/2]
	}
	return deaths
}

// after looks at a run that met a fault, and goes on with it.
func (b *faultBench) after(t *testing.T, at, dir string, done bool) {
	t.Helper()
	b.goOn(t, at, dir, done, func(args ...string) (int, string) {
		return b.run(t, unsynced{disk.OS}, args...)
	})
}

// goOn is after, by a program that runs as it is given.
func (b *faultBench) goOn(
	t *testing.T, at, dir string, done bool, program func(args ...string) (int, string),
) {
	t.Helper()
	if b.start != nil {
		at = "when it goes on, " + at
	}
	if _, err := run.Read(dir); err == nil {
		code, msg := program("summary", dir)
		if code != session.ExitDone && code != session.ExitData && code != session.ExitFiles ||
			done && code != session.ExitDone {
			t.Errorf("%s: summary ends with %d\n%s", at, code, msg)
		}
		if code == session.ExitDone && b.prefix {
			b.prefixes(t, at, dir)
		}
	}
	resumed := !done
	for try := 0; !done; try++ {
		args := b.resumes(filepath.Dir(dir))
		if _, err := run.Read(dir); err != nil {
			args = append(b.command(filepath.Dir(dir)), "--force")
		}
		code, msg := program(args...)
		if done = code == session.ExitDone; !done && try == 1 {
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
	if resumed { // else a file may be left that could not be removed
		unfinished(t, at, filepath.Dir(dir))
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

// unfinished lists files that must not be in a complete run or next to it.
func unfinished(t *testing.T, at, root string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, e os.DirEntry, err error) error {
		name := e.Name()
		if disk.IsTemp(name) || strings.Contains(name, "sgppl-") ||
			strings.HasPrefix(name, "r.rows.") || strings.HasSuffix(name, ".part") {
			t.Errorf("%s: %s is left", at, path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// strideOf is which calls are spoiled: every so many, beginning with one.
func strideOf(t *testing.T, calls int) (stride, first int) {
	t.Helper()
	stride = min(faultStride, calls)
	if s := os.Getenv("SGPPL_FAULTS"); s != "" { // STRIDE:FIRST, to try others, or all: 1:0
		if _, err := fmt.Sscanf(s, "%d:%d", &stride, &first); err != nil || stride < 1 {
			t.Fatalf("SGPPL_FAULTS=%s: %v", s, err)
		}
	}
	return stride, first
}

// chosen reports whether call n is spoiled by a mode: the modes begin at other calls.
func chosen(stride, first int, mode faults.Mode, n int) bool {
	return n%stride == (1+first+int(mode)*stride/6)%stride
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

// prefixes: draws that summary reads of a run that was stopped are the first ones.
func (b *faultBench) prefixes(t *testing.T, at, dir string) {
	t.Helper()
	r, err := run.Read(dir)
	if err != nil {
		t.Errorf("%s: %v", at, err)
		return
	}
	s, err := run.OpenDraws(dir, r)
	if err == nil {
		_, err = run.Choose(s, r, false)
	}
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
			if v.Group == "posterior" || !errors.Is(err, trace.ErrCorrupt) {
				// summary reads no statistics
				t.Errorf("%s: summary reads what cannot be read: %v", at, err)
			}
			continue
		}
		want := b.want["draws.zarr/"+v.Group+"/"+v.Name]
		each := len(want) / r.Outline().Chains
		for c := range a.Chains {
			for i, x := range a.Data[c*a.Draws*a.Len() : (c+1)*a.Draws*a.Len()] {
				if i >= each || math.Float64bits(x) != want[s.Number(c)*each+i] {
					t.Errorf("%s: number %d of %s in chain %d is %g", at, i, v.Name, s.Number(c), x)
					return
				}
			}
		}
	}
}
