package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/base/memory"
	"github.com/sgppl/sgppl/runtime/infer/tall"
)

// TestMaxMemory: what needs more memory than there may be is refused before it is
// allocated, with status 5 and a sentence that says what asks for how much.
func TestMaxMemory(t *testing.T) {
	defer debug.SetMemoryLimit(math.MaxInt64)
	dir := t.TempDir()
	path := func(name, text string) string {
		write(t, filepath.Join(dir, name), text)
		return filepath.Join(dir, name)
	}
	square := path("square.sg", "dim N = 20000\nparam a[N, N] : real ~ normal(0, 1)\n")
	sparse := path("sparse.sg",
		"dim N, P\ndata x[N] : sparse real[P]\ndata y[N] : bool\n"+
			"param w[P] : real ~ normal(0, 1)\ny ~ bernoulli_logit(x @ w)\n")
	wide := path("wide.svm", "1 1:1 200000000:2\n0 3:1\n")
	plain := path("plain.sg", "dim N\ndata x[N] : real\nparam m : real ~ normal(0, 1)\n"+
		"x ~ normal(m, 1)\n")
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	w.Write([]byte("x\n"))
	for range 44 {
		w.Write([]byte(strings.Repeat("1\n", 1<<19)))
	}
	w.Close()
	bomb := path("bomb.csv.gz", b.String())
	notes := path("notes.sg", "dim S, T(S), V\ndata x[S, T] : bool[V] from 0\n"+
		"param a : real ~ normal(0, 2)\n"+
		"for s in S { for t in 1:T { x[s, t] ~ bernoulli_logit(a + x[s, t - 1]) } }\n")
	high := path("high.json", `{"x": [[[747777999]], []]}`)
	lower := path("lower.json", `{"x": [[[77777700]], []]}`)
	out := filepath.Join(dir, "out")
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"state": {[]string{"sample", square, "--out", out},
			"the model, whose largest array is param a of 20000 × 20000 numbers, needs about "},
		"optimize": {[]string{"optimize", square, "--out", out},
			"param a of 20000 × 20000 numbers, needs about "},
		"simulation": {[]string{"simulate", square, "--seed", "1", "--out", out},
			"the simulation, whose largest array is a of 20000 × 20000 numbers, needs about "},
		"index": {[]string{"sample", sparse, "--data", "x=" + wide, "--data",
			"y=" + wide + ":label", "--full-batch", "--engine", "vm", "--out", out},
			"param w of 200000000 numbers, needs about "},
		"list": {[]string{"sample", notes, "--data", high, "--engine", "vm", "--out", out},
			"high.json: error[D0164]: x, 1 × 747778000 entries, needs about "},
		"padded": {[]string{"sample", notes, "--data", lower, "--engine", "vm", "--out", out},
			"x, 2 × 1 × 77777701 numbers, needs about "},
		"bomb": {[]string{"sample", plain, "--data", bomb, "--full-batch", "--engine", "vm",
			"--out", out}, "bomb.csv.gz: error[D0164]: reading it needs about "},
	} {
		before := allocated()
		status, _, stderr := inProcess(t, "", append(c.args, "--max-memory", "320M")...)
		if status != session.ExitFiles || !strings.Contains(stderr, c.want) ||
			!strings.Contains(stderr,
				"more than the 320 MiB that may be used; --max-memory changes the limit") {
			t.Errorf("%s: status %d: %s", name, status, stderr)
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%s: %s was made", name, out)
		}
		if n := allocated() - before; n > 2<<30 {
			t.Errorf("%s: %d MiB were allocated", name, n>>20)
		}
	}
	for _, bad := range []string{"lots", "-1G", "1K", "NaN", "1e99", "5%"} {
		if status, _, stderr := inProcess(t, "", "check", plain, "--max-memory="+bad); status !=
			session.ExitUsage || !strings.Contains(stderr, "--max-memory") {
			t.Errorf("%q: status %d: %s", bad, status, stderr)
		}
	}
}

func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

// TestLongModel: a path that is no model is not read to its end.
func TestLongModel(t *testing.T) {
	long := filepath.Join(t.TempDir(), "long.sg")
	write(t, long, "")
	if err := os.Truncate(long, 40<<20); err != nil {
		t.Fatal(err)
	}
	if status, _, stderr := inProcess(t, "", "check", long); status != session.ExitFiles ||
		!strings.Contains(stderr, "long.sg is longer than 32 MiB") {
		t.Errorf("status %d: %s", status, stderr)
	}
	if status, _, stderr := inProcess(t, strings.Repeat("\x00", 40<<20), "check", "-"); status !=
		session.ExitFiles {
		t.Errorf("status %d: %s", status, stderr)
	}
	// Zeros are no text: a screenful of errors.
	if status, _, stderr := inProcess(t, strings.Repeat("\x00", 10<<20), "check", "-"); status !=
		session.ExitModel || len(stderr) > 1<<18 {
		t.Errorf("status %d: %d bytes", status, len(stderr))
	}
	// Ten million digits are an error that fits on a screen.
	status, _, stderr := inProcess(t,
		"param x : real ~ normal("+strings.Repeat("7", 10_000_000)+", 1)\n", "check", "-")
	if status != session.ExitModel || len(stderr) > 3000 {
		t.Errorf("status %d: %d bytes: %.3000s", status, len(stderr), stderr)
	}
}

// TestMemoryOfNative: the process of a native sampler has a copy of the data, which
// counts. --engine native is refused before anything is built; auto samples with the VM.
func TestMemoryOfNative(t *testing.T) {
	old := debug.SetMemoryLimit(math.MaxInt64)
	defer debug.SetMemoryLimit(old)
	const n = 1 << 20
	t.Chdir(t.TempDir())
	var x strings.Builder
	for i := range n {
		fmt.Fprintln(&x, i)
	}
	write(t, "x.csv", "x\n"+x.String())
	x.Reset()
	var said bytes.Buffer
	e := session.ProcessEnv()
	e.Stdout, e.Stderr, e.Screen = io.Discard, &said, &said
	b := &session.Binding{
		Given: session.Given{Data: []string{"x.csv"}, Axis: "N"},
	}
	if err := b.Compile(e, source.New("m.sg",
		"dim N\ndata x[N] : real\nparam m : real ~ normal(0, 1)\nx ~ student_t(4, m, 1)\n")); err != nil {
		t.Fatal(err, said.String())
	}
	if err := b.Bind(e); err != nil {
		t.Fatal(err, said.String())
	}
	if got := b.Bound.SpoolBytes(); got != 2*8*n {
		t.Errorf("the copy takes %g bytes", got)
	}
	runtime.GC()
	used := int64(memory.InUse())
	debug.SetMemoryLimit(used + 8*n)
	if err := b.Fits(1, 1); err != nil {
		t.Errorf("half of a copy beside what is used: %v", err)
	}
	_, err := session.PickEngine(e, b, "native", false)
	if code := e.Report(err); code != session.ExitFiles ||
		!strings.Contains(said.String(),
			"the native sampler, which holds a second copy of the data of 16 MiB, needs about ") ||
		!strings.Contains(said.String(), "--engine vm samples without one") {
		t.Errorf("native: status %d: %s", code, said.String())
	}
	said.Reset()
	eng, err := session.PickEngine(e, b, "auto", false)
	if err != nil || eng.Name != "vm" ||
		!strings.Contains(said.String(),
			"note: sampling in process, by the VM: the native sampler, which holds") {
		t.Errorf("auto: %v, %v: %s", eng, err, said.String())
	}
	debug.SetMemoryLimit(used + 64*n)
	if err := b.FitsNative(); err != nil {
		t.Errorf("eight copies beside what is used: %v", err)
	}
}

// TestMemoryOfPlan: what a plan of many rows takes counts: a few bytes a row, and evaluators of
// gradients with a control variate, each with a workspace.
func TestMemoryOfPlan(t *testing.T) {
	old := debug.SetMemoryLimit(math.MaxInt64)
	defer debug.SetMemoryLimit(old)
	at := manyBench(t, 100)
	e := session.ProcessEnv()
	b := &session.Binding{
		Given: session.Given{Data: []string{at("d.csv")}, Axis: "N"},
	}
	if err := errors.Join(b.Compile(e, source.New("m.sg", manyModel)), b.Bind(e)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		planned driver.Planned
		says    string
	}{
		{driver.Planned{}, ""},
		{driver.Planned{Evaluators: 4, Bytes: tall.Memory(1000, 4)}, ""},
		{driver.Planned{Evaluators: 4, Bytes: tall.Memory(1<<23, 4)},
			"finding how many rows are sampled, which --anchor none spares, needs about "},
		{driver.Planned{Evaluators: 4, Bytes: tall.Memory(1000, 2000)},
			"finding how many rows are sampled"},
		{driver.Planned{Evaluators: 1 << 16}, "the model, whose largest array is one of "},
	} {
		runtime.GC()
		debug.SetMemoryLimit(int64(memory.InUse()) + 32<<20)
		b.Planned = c.planned
		err := b.Fits(4, 4)
		if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v, not %q", c.planned, err, c.says)
		}
	}
}
