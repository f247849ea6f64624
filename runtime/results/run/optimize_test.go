package run

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sgppl/sgppl/runtime/infer/optimize"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

func optimizeRecord(t *testing.T) *Record {
	c := optimize.DefaultConfig()
	c.Algorithm, c.Step, c.Batch, c.Chains, c.Steps, c.Iterates, c.Average, c.InitRadius = "santa",
		0.02, 4, 2, 6000, 30, 0.8, 0
	c.Trace = true
	c, err := c.Resolve(normal{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return &Record{
		Version:   "v",
		ModelInfo: ModelInfo{Model: "normal"},
		DataInfo:  DataInfo{Blocks: []string{"x"}},
		Method:    Method{Optimize: &c},
		Storage:   Storage{CheckpointEvery: 0.006, Chunk: 10},
	}
}

// allPoints is everything of the stores of a run of an optimiser.
func allPoints(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	for _, name := range []string{drawsName, pointsName, iteratesName, checksName} {
		s, err := trace.Open(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range s.Variables() {
			a, err := s.Read(v.Group, v.Name)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&b, "%s %s/%s %v %v\n", name, v.Group, v.Name, a.Shape, a.Data)
		}
	}
	return b.String()
}

// An optimiser's run has a record, a best point of each chain in draws.zarr, two more points, and
// iterates. An interruption leaves no trace in them.
func TestOptimizeExecute(t *testing.T) {
	base := t.TempDir()
	whole := filepath.Join(base, "whole")
	r, err := Execute(t.Context(), normal{}, Work{Dir: whole, Version: "v"}, optimizeRecord(t),
		"text\n", false, ticks(), nil)
	if err != nil {
		t.Fatal(err)
	}
	back, err := Read(whole)
	if err != nil {
		t.Fatal(err)
	}
	if back.Status != Done || back.Seed != 1 || back.Chains[1].Steps != 6000 ||
		back.Chains[1].Draws != 1 ||
		fmt.Sprint(*back.Chains[1].Found) != fmt.Sprint(*r.Chains[1].Found) {
		t.Errorf("%+v", back)
	}
	if o := back.Outline(); o.Method != "santa" || o.Chains != 2 || o.Draws != 1 ||
		o.Steps != 6000 || fmt.Sprint(o) != "santa, 2 chains of 6000 steps" {
		t.Errorf("%+v", o)
	}
	best := back.BestChain()
	f := back.Chains[best].Found
	if other := back.Chains[1-best].Found; !(f.Best.LP >= other.Best.LP) {
		t.Errorf("chain %d is the best with %v, the other has %v", best, f.Best.LP, other.Best.LP)
	}
	// The mode is 4.5, where the log density is −82.5.
	if math.Abs(float64(f.Best.LP)+82.5) > 0.05 {
		t.Errorf("the best log density is %v", f.Best.LP)
	}
	for _, x := range []struct {
		point string
		draws int
	}{{"best", 1}, {"last", 1}, {"average", 1}, {"iterates", 30}, {"first", 0}} {
		path, from, to, ok := PointStore(whole, back, x.point)
		if ok != (x.draws > 0) {
			t.Errorf("point %s: %v", x.point, ok)
		}
		if !ok {
			continue
		}
		s, err := trace.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		n, err := s.Common()
		if to < 0 {
			to = n
		}
		if err != nil || to-from != x.draws || to > n {
			t.Errorf("point %s: draws %d to %d of %d, %v", x.point, from, to, n, err)
		}
		v, _ := s.Lookup("posterior", "x")
		at := make([]float64, 2*(to-from))
		if err := s.ReadDraws(v, best, from, to, at); err != nil {
			t.Fatal(err)
		}
		for _, a := range at {
			if math.Abs(a-4.5) > 1 {
				t.Errorf("point %s is %v", x.point, at)
			}
		}
	}
	tracedRight(t, whole, back)
	want := allPoints(t, whole)

	dir := filepath.Join(base, "cancelled")
	w := Work{Dir: dir, Version: "v", Threads: 1, ProgressEvery: time.Millisecond}
	parts := 0
	for {
		ctx, cancel := context.WithCancel(t.Context())
		seen := 0
		events := func(e Event) {
			if e.Criterion == nil || e.Criterion.Of != "lp" || e.Of != 0 {
				t.Errorf("event %+v", e)
			}
			if seen++; seen == 10 {
				cancel()
			}
		}
		if parts == 0 {
			_, err = Execute(ctx, normal{}, w, optimizeRecord(t), "", false, ticks(), events)
		} else {
			_, err = Continue(ctx, normal{}, w, ticks(), events)
		}
		cancel()
		parts++
		if !errors.Is(err, context.Canceled) {
			break
		}
		if r, _ := Read(dir); r.Status != Interrupted {
			t.Fatalf("status %s", r.Status)
		}
		allPoints(t, dir) // readable
	}
	if err != nil || parts < 3 {
		t.Fatalf("%d parts, %v", parts, err)
	}
	if allPoints(t, dir) != want {
		t.Error("the points differ from those of the whole run")
	}
}

// tracedRight holds the trace of a run to the points that it found: a row for each of 20 checks, at
// its step, of which the best has the log density of the best point, and the last that of the last.
func tracedRight(t *testing.T, dir string, r *Record) {
	t.Helper()
	path, ok := Checks(dir, r)
	if !ok {
		t.Fatal("the run has no trace")
	}
	s, err := OpenStore(path, r)
	if err != nil {
		t.Fatal(err)
	}
	lp, wrong := s.Read("sample_stats", "lp")
	step, err := s.Read("sample_stats", "step")
	if err != nil || wrong != nil || step.Draws != 20 {
		t.Fatalf("%d checks, %v, %v", step.Draws, err, wrong)
	}
	for k, c := range r.Chains {
		best := math.Inf(-1)
		for i := range step.Draws {
			at, x := step.At(k, i)[0], lp.At(k, i)[0]
			if at != float64(300*(i+1)) {
				t.Errorf("chain %d: check %d is of step %g", k, i, at)
			}
			if at == float64(c.Found.Step) && x != float64(c.Found.Best.LP) {
				t.Errorf("chain %d: the best point has %v, the check %v", k, c.Found.Best.LP, x)
			}
			best = max(best, x)
		}
		if last := lp.At(k, 19)[0]; best != float64(c.Found.Best.LP) ||
			last != float64(c.Found.Last.LP) {
			t.Errorf("chain %d: best %v and last %v, of points %+v", k, best, last, c.Found)
		}
	}
}

// A run that diverges fails with 4, and keeps what it found before.
func TestOptimizeDiverges(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "r")
	r := optimizeRecord(t)
	r.Optimize.CheckEvery, r.Optimize.Chains = 1, 1
	_, err := Execute(t.Context(), normal{wall: 4}, Work{Dir: dir, Version: "v"}, r, "", false,
		ticks(), nil)
	var own *Error
	if !errors.As(err, &own) || own.Exit() != exitRun || !strings.Contains(err.Error(), "block x") {
		t.Fatalf("%v", err)
	}
	back, err := Read(dir)
	if err != nil || back.Status != Failed || back.Exit != exitRun || back.Chains[0].Found == nil ||
		back.BestChain() != 0 {
		t.Errorf("%+v %v", back, err)
	}
	s, err := trace.Open(Draws(dir))
	if err != nil {
		t.Fatal(err)
	}
	if n, err := s.Common(); n != 1 || err != nil {
		t.Errorf("%d best points, %v", n, err)
	}
}
