package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	files "github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

// normal is rows y_i ~ N(x, 1), i < 10, with a flat prior on x in R².
type normal struct{ wall float64 } // beyond wall the gradient is no number

func (normal) Name() string { return "normal" }
func (normal) Dim() int     { return 2 }
func (normal) Blocks() []target.Block {
	return []target.Block{{Name: "x", Len: 2,
		Geometry: target.Geometry{Kind: "euclidean", Points: 2, Dim: 1}}}
}
func (normal) Outputs() []target.Output {
	return []target.Output{{Name: "x", Dims: []string{"D"}, Shape: []int{2}, Len: 2},
		{Name: "sum", Offset: 2, Len: 1, Track: true}}
}
func (normal) OutputLen() int                      { return 3 }
func (normal) Rows() int                           { return 10 }
func (normal) RowAxis() string                     { return "N" }
func (n normal) NewEvaluator(int) target.Evaluator { return n }

func rowsOf(rows []int) []int {
	if rows == nil {
		return []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	}
	return rows
}

func (n normal) Gradient(x []float64, rows []int, scale, _ float64, grad []float64) {
	clear(grad)
	for _, r := range rowsOf(rows) {
		for i := range grad {
			grad[i] += float64(scale * (float64(r) - x[i]))
		}
	}
	if n.wall > 0 && x[0] > n.wall {
		grad[0] = math.NaN()
	}
}

func (n normal) LogDensity(x []float64, rows []int, scale, _ float64) float64 {
	sum := 0.0
	for _, r := range rowsOf(rows) {
		for i := range x {
			d := float64(r) - x[i]
			sum -= float64(scale * 0.5 * d * d)
		}
	}
	return sum
}

func (n normal) LogDensityGradient(
	x []float64, rows []int, scale, j float64, grad []float64,
) float64 {
	n.Gradient(x, rows, scale, j, grad)
	return n.LogDensity(x, rows, scale, j)
}
func (normal) Constrain(x, out []float64)               { copy(out, x); out[2] = x[0] + x[1] }
func (normal) Unconstrain(out, x []float64) error       { copy(x, out); return nil }
func (normal) LogLik(_ []float64, _ []int, _ []float64) {}

func record(t *testing.T, target target.Target) *Record {
	c := sampler.DefaultConfig()
	c.Sampler, c.Step, c.Batch, c.Chains, c.Warmup, c.Draws, c.Thin, c.InitRadius = "msgnht", 0.05,
		4, 2, 100, 300, 20, 0
	c.LogDensityEstimate, c.SaveWarmup = true, true
	c, err := c.Resolve(target)
	if err != nil {
		t.Fatal(err)
	}
	return &Record{
		Version:   "v",
		ModelInfo: ModelInfo{Model: "normal"},
		DataInfo: DataInfo{Blocks: []string{"x"},
			Constants: map[string]Exact{"m": {1, math.Inf(-1), math.NaN()}}},
		Method:  Method{Settings: c},
		Storage: Storage{CheckpointEvery: 0.006, Chunk: 50},
	}
}

// ticks is a clock that moves by 2 ms whenever it is looked at, so that
// checkpoints and progress come at steps that do not depend on the machine.
func ticks() func() time.Time {
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	return func() time.Time { at = at.Add(2 * time.Millisecond); return at }
}

func posterior(t *testing.T, dir string) string {
	t.Helper()
	s, err := trace.Open(Draws(dir))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, v := range s.Variables() {
		a, err := s.Read(v.Group, v.Name)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%s/%s %v %v\n", v.Group, v.Name, a.Shape, a.Data)
	}
	return b.String()
}

func TestExecuteRecordsTheRun(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "r")
	var ends int
	r, err := Execute(t.Context(), normal{}, Work{Dir: dir, Version: "v"}, record(t, normal{}),
		"text\n", false, ticks(), func(e Event) {
			if e.Event == "end" {
				ends++
			}
		})
	if err != nil || ends != 2 {
		t.Fatalf("%v, %d ends", err, ends)
	}
	back, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	a, _ := json.Marshal(r)
	b, _ := json.Marshal(back)
	if string(a) != string(b) || back.Status != Done || back.Chains[1] != r.Chains[1] ||
		back.Chains[0].Draws != 300 || back.Chains[0].Steps != 6100 {
		t.Errorf("the record reads back as\n%s\nnot\n%s", b, a)
	}
	m := back.Values()["m"]
	if m[0] != 1 || !math.IsInf(m[1], -1) || !math.IsNaN(m[2]) {
		t.Errorf("constants read back as %v", m)
	}
	text, err := ReadModel(dir, back)
	if text != "text\n" || err != nil {
		t.Errorf("the model reads back as %q, %v", text, err)
	}
	s, err := trace.Open(Draws(dir))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"step_size", "temperature", "grad_norm", "batch_size", "lp_est",
		"kinetic_temperature", "xi"} {
		if _, ok := s.Lookup("sample_stats", name); !ok {
			t.Errorf("sample_stats has no %s", name)
		}
	}
	x, err := s.Read("posterior", "x")
	if err != nil || x.Draws != 300 || x.Chains != 2 {
		t.Fatalf("%v %v", x, err)
	}
	mean := 0.0
	for _, v := range x.Data {
		mean += v / float64(len(x.Data))
	}
	// The posterior is N(4.5, 0.1) in each coordinate.
	if math.Abs(mean-4.5) > 0.1 {
		t.Errorf("the mean of the draws is %v, want 4.5", mean)
	}
	if again, err := Continue(t.Context(), normal{}, Work{Dir: dir, Version: "v"}, ticks(),
		nil); err != nil || again.Seconds != r.Seconds {
		t.Errorf("a complete run is run again: %v", err)
	}
}

// What interrupts or breaks a run must not show in its draws.
func TestContinueAfterTrouble(t *testing.T) {
	base := t.TempDir()
	whole := filepath.Join(base, "whole")
	if _, err := Execute(t.Context(), normal{}, Work{Dir: whole, Version: "v"}, record(t, normal{}),
		"", false, ticks(), nil); err != nil {
		t.Fatal(err)
	}
	want := posterior(t, whole)

	t.Run("cancelled", func(t *testing.T) {
		dir := filepath.Join(base, "cancelled")
		w := Work{Dir: dir, Version: "v", Threads: 1, ProgressEvery: time.Millisecond}
		parts := 0
		// part goes on until the clock has been looked at ten times, ever
		// more rarely: some hundred steps.
		part := func(f func(ctx context.Context, events func(Event)) error) error {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			seen := 0
			return f(ctx, func(Event) {
				if seen++; seen == 10 {
					cancel()
				}
			})
		}
		err := part(func(ctx context.Context, events func(Event)) error {
			_, err := Execute(ctx, normal{}, w, record(t, normal{}), "", false, ticks(), events)
			return err
		})
		for ; errors.Is(err, context.Canceled); parts++ {
			if r, _ := Read(dir); r.Status != Interrupted {
				t.Fatalf("status %s", r.Status)
			}
			posterior(t, dir) // readable
			err = part(func(ctx context.Context, events func(Event)) error {
				_, err := Continue(ctx, normal{}, w, ticks(), events)
				return err
			})
		}
		if err != nil || parts < 3 {
			t.Fatalf("%d parts, %v", parts, err)
		}
		if posterior(t, dir) != want {
			t.Error("the draws differ from those of the whole run")
		}
	})

	t.Run("files gone", func(t *testing.T) {
		dir := filepath.Join(base, "gone")
		w := Work{Dir: dir, Version: "v", Threads: 1, ProgressEvery: time.Millisecond}
		array, away := filepath.Join(dir, "draws.zarr", "posterior", "x"),
			filepath.Join(dir, "away")
		n := 0
		r, err := Execute(t.Context(), normal{}, w, record(t, normal{}), "", false, ticks(), func(Event) {
			if n++; n == 9 {
				if err := os.Rename(array, away); err != nil {
					t.Error(err)
				}
			}
		})
		var own *Error
		if !errors.As(err, &own) || own.Exit() != 5 || !strings.Contains(err.Error(), array) {
			t.Fatalf("%v", err)
		}
		if r.Status != Failed || r.Exit != 5 {
			t.Errorf("status %s, exit %d", r.Status, r.Exit)
		}
		if err := os.Rename(away, array); err != nil {
			t.Fatal(err)
		}
		if _, err := Continue(t.Context(), normal{}, w, ticks(), nil); err != nil {
			t.Fatal(err)
		}
		if posterior(t, dir) != want {
			t.Error("the draws differ from those of the whole run")
		}
	})
}

func TestDivergedRunFails(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "r")
	w := Work{Dir: dir, Version: "v"}
	r, err := Execute(t.Context(), normal{wall: 4.8}, w, record(t, normal{}), "", false, ticks(), nil)
	var own *Error
	if !errors.As(err, &own) || own.Exit() != 4 || !strings.Contains(err.Error(), "block x") ||
		!strings.Contains(err.Error(), "smaller --step") {
		t.Fatalf("%v", err)
	}
	if r.Status != Failed || r.Exit != 4 || r.Error != err.Error() {
		t.Errorf("%s %d %q", r.Status, r.Exit, r.Error)
	}
	posterior(t, dir) // readable
	if _, err := Continue(t.Context(), normal{}, w, ticks(), nil); err == nil ||
		!strings.Contains(err.Error(), "would fail again") {
		t.Errorf("a failed run goes on: %v", err)
	}
}

func TestRefusals(t *testing.T) {
	base := t.TempDir()
	dir := filepath.Join(base, "r")
	w := Work{Dir: dir, Version: "v"}
	fresh := func() {
		t.Helper()
		short := record(t, normal{})
		short.Settings.Draws, short.Settings.SaveWarmup = 3, false
		if _, err := Execute(t.Context(), normal{}, w, short, "m", true, ticks(), nil); err != nil {
			t.Fatal(err)
		}
		r, _ := Read(dir)
		r.Status = Interrupted
		r.write(files.OS, dir)
	}
	spoil := func(name, text string) func() {
		return func() {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, c := range []struct {
		name  string
		spoil func()
		exit  int
		says  string
	}{
		{"an existing directory", nil, 2, "--force"},
		{"another version", func() { w.Version = "w" }, 2, "begun by sgppl v, this is w"},
		{"another text", spoil("model.sg", "n"), 2, "not the text that ran"},
		{"a damaged record", spoil("run.json", "{"), 5, "damaged"},
		{"a record of nothing", spoil("run.json", "{}"), 5, "damaged"},
		{"no record", func() { os.Remove(filepath.Join(dir, "run.json")) }, 5,
			"is a damaged run: its run.json is gone"},
		{"a cut checkpoint", spoil("chain-1.ckpt", "sgpplCKP"), 5, "chain-1.ckpt"},
		{"swapped checkpoints", func() {
			a, b, c := filepath.Join(dir, "chain-0.ckpt"), filepath.Join(dir, "chain-1.ckpt"),
				filepath.Join(dir, "c")
			if err := errors.Join(os.Rename(a, c), os.Rename(b, a), os.Rename(c, b)); err != nil {
				t.Fatal(err)
			}
		}, 5, "chain-0.ckpt: checkpoint: it belongs to chain 1, not 0"},
		{"a store that is gone", func() { os.RemoveAll(Draws(dir)) }, 5, "draws.zarr"},
	} {
		w.Version = "v"
		fresh()
		var err error
		if c.spoil == nil {
			err = Prepare(dir, record(t, normal{}), "", false, time.Time{})
		} else {
			c.spoil()
			var r *Record
			if r, err = Read(dir); err == nil {
				_, err = ReadModel(dir, r)
			}
			if err == nil {
				_, err = Continue(t.Context(), normal{}, w, ticks(), nil)
			}
		}
		var own *Error
		if !errors.As(err, &own) || own.Exit() != c.exit || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	// What is no run is not offered to go on with.
	foreign := filepath.Join(base, "foreign")
	if err := os.Mkdir(foreign, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := Prepare(foreign, record(t, normal{}), "", false, time.Time{}); err == nil ||
		strings.Contains(err.Error(), "--resume") ||
		!strings.Contains(err.Error(), "holds no run") {
		t.Errorf("a foreign directory: %v", err)
	}
	// --force leaves alone what no run has written.
	w.Version = "v"
	mine := filepath.Join(dir, "mine.txt")
	if err := os.WriteFile(mine, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	fresh()
	if _, err := os.Stat(mine); err != nil {
		t.Error(err)
	}
}

func TestHealthLines(t *testing.T) {
	nan := Float(math.NaN())
	for want, h := range map[string]Health{
		"w gradient_noise = 3": {"w", "gradient_noise", 3, nan, nan, ""},
		"w xi_minus_friction = 0.5: unsure": {"w", "xi_minus_friction", 0.5, nan, nan,
			"unsure"},
		"w kinetic_temperature = 2, expected 1: off": {"w", "kinetic_temperature", 2, 1, 0.1, "off"},
	} {
		if h.String() != want {
			t.Errorf("%q, want %q", h, want)
		}
	}
}

// Two processes that prepare one directory: the run that goes on is the one
// that was prepared last, as a whole, and the other one is told.
func TestPreparedTwice(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "r")
	a, b := record(t, normal{}), record(t, normal{})
	b.Settings.Seed = 2
	if err := Prepare(dir, a, "a", false, time.Time{}); err != nil {
		t.Fatal(err)
	}
	if err := Prepare(dir, b, "b", true, time.Time{}); err != nil {
		t.Fatal(err)
	}
	_, err := Continue(t.Context(), normal{}, Work{Dir: dir, Version: "v", ID: a.ID}, ticks(), nil)
	var own *Error
	if !errors.As(err, &own) || own.Exit() != 5 ||
		!strings.Contains(err.Error(), "replaced by another process") {
		t.Errorf("the first: %v", err)
	}
	r, err := Continue(t.Context(), normal{}, Work{Dir: dir, Version: "v", ID: b.ID}, ticks(), nil)
	if err != nil || r.Seed != 2 || r.ModelHash != Hash("b") {
		t.Errorf("the second: %v %v", r, err)
	}
	// While somebody writes there is nothing to prepare.
	unlock, err := Lock(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	if err := Prepare(dir, a, "a", true, time.Time{}); err == nil ||
		!strings.Contains(err.Error(), "being written by another process") {
		t.Errorf("prepared below a writer: %v", err)
	}
	if text, err := ReadModel(dir, r); text != "b" || err != nil {
		t.Errorf("%q %v", text, err)
	}
}

func TestOneWriter(t *testing.T) {
	dir := t.TempDir()
	unlock, err := Lock(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Lock(dir); err == nil || !strings.Contains(err.Error(), "another process") {
		t.Errorf("two writers: %v", err)
	}
	unlock()
	again, err := Lock(dir)
	if err != nil {
		t.Fatal(err)
	}
	again()
}

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		glob, name string
		want       bool
	}{
		{"w", "w", true}, {"w", "w[0]", false}, {"w*", "w[0]", true}, {"w[0]", "w[0]", true},
		{"w[0]", "w0", false},
		{"w[?]", "w[1]", true}, {"w[?]", "w[10]", false}, {"w[*,1]", "w[3,1]", true},
		{`\w`, "w", false}, {"*", "", true}, {"sigma?", "sigmaé", true},
	} {
		if Match(c.glob, c.name) != c.want {
			t.Errorf("%q matches %q: want %v", c.glob, c.name, c.want)
		}
	}
}
