package run

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/results/diagnose"
	"github.com/sgppl/sgppl/runtime/results/sketch"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

// TestMomentVariables: what is written is read back as it is, of outputs that stand
// in parts of a draw and have axes without names.
func TestMomentVariables(t *testing.T) {
	outputs := []target.Output{{Name: "b", Offset: 3, Shape: []int{2}, Len: 2},
		{Name: "a", Offset: 0, Len: 1}}
	for _, entries := range []int{0, 12} {
		s, err := trace.Create(filepath.Join(t.TempDir(), "s"), momentVariables(outputs, entries),
			2, 0, 0, nil)
		if err != nil {
			t.Fatal(err)
		}
		var all [2][]*moments
		for c := range 2 {
			m := newMoments(outputs, entries, 1000)
			if err := m.write(s, c); err != nil { // of no draws
				t.Fatal(err)
			}
			for i := range 20 + c {
				m.sketch.Add([]float64{math.Sin(float64(i + c)), -1, -1, float64(i * i), 3})
			}
			if err := m.write(s, c); err != nil {
				t.Fatal(err)
			}
			all[c] = append(all[c], m)
		}
		read, err := ReadMoments(s, "b", 1, 2)
		if err != nil || read.Sketched() != (entries > 0) {
			t.Fatal(err)
		}
		var chains [2]sketch.Chain
		for c := range chains {
			all[c][0].sketch.Chain(1, &chains[c])
		}
		got, want := read.Join(1), sketch.Join(chains[:])
		if got.Mean != want.Mean || got.SD != want.SD || got.Count != 41 ||
			entries > 0 && !slices.Equal(got.Quantile, want.Quantile) {
			t.Errorf("%d entries: %+v, want %+v", entries, got, want)
		}
		if entries == 0 {
			continue
		}
		v, err := s.Read(MomentsGroup, "b.quantile")
		if err != nil || !slices.Equal(v.Dims, []string{"b.quantile_dim_0", "quantile"}) &&
			v.Dims[1] != "quantile" {
			t.Fatalf("%v %v", v, err)
		}
		if labels, err := s.Labels(MomentsGroup, "quantile"); err != nil ||
			!slices.Equal(labels, []string{"0.05", "0.25", "0.5", "0.75", "0.95"}) {
			t.Errorf("%v %v", labels, err)
		}
		if x, _ := sketch.Quantile(chains[1:], 0.5); v.At(1, 0)[5+2] != x {
			t.Errorf("the median of the second chain is %v, want %v", v.At(1, 0)[7], x)
		}
	}
}

// keeps are the ways not to store every draw.
var keeps = []struct {
	name string
	set  func(r *Record)
}{
	{"moments", func(r *Record) { r.KeepMoments = true }},
	{"sketches", func(r *Record) { r.KeepMoments, r.Sketch = true, 12 }},
	{"sketches and a reservoir",
		func(r *Record) { r.KeepMoments, r.Sketch, r.Reservoir = true, 12, 70 }},
	{"sketches and the last", func(r *Record) {
		r.KeepMoments, r.Sketch, r.KeepLast = true, 12, 7
	}},
	{"a reservoir", func(r *Record) { r.Reservoir = 70 }},
	{"a reservoir of all", func(r *Record) { r.Reservoir = 1000 }},
}

func keeping(t *testing.T, set func(*Record)) *Record {
	r := record(t, normal{})
	r.Settings.SaveWarmup, r.CheckpointEvery = false, 0.02 // about four times a chain
	set(r)
	return r
}

// TestKeepsGoOn: a run that is cut into parts, in the orderly way or by a kill, is the one that was
// not, to the bit.
func TestKeepsGoOn(t *testing.T) {
	for _, k := range keeps[:4] { // the rest is part of these
		t.Run(k.name, func(t *testing.T) {
			base := t.TempDir()
			whole := filepath.Join(base, "whole")
			if _, err := Execute(t.Context(), normal{}, Work{Dir: whole, Version: "v"},
				keeping(t, k.set), "", false, ticks(), nil); err != nil {
				t.Fatal(err)
			}
			want := posterior(t, whole)
			parts := 0
			for how, stop := range map[string]func(dir string, cancel func()){
				"cancelled": func(_ string, cancel func()) { cancel() },
				"killed": func(dir string, cancel func()) {
					// what is on the disk now is what a kill leaves
					if err := os.CopyFS(dir+".killed", os.DirFS(dir)); err != nil {
						t.Error(err)
					}
					cancel()
				},
			} {
				dir := filepath.Join(base, how)
				var err error = context.Canceled
				for part := 0; errors.Is(err, context.Canceled); part++ {
					ctx, cancel := context.WithCancel(t.Context())
					seen, w := 0,
						Work{Dir: dir, Version: "v", Threads: 1, ProgressEvery: time.Millisecond}
					events := func(Event) {
						if seen++; seen == 13 && part < 2 {
							stop(dir, cancel)
						}
					}
					if part == 0 {
						_, err = Execute(ctx, normal{}, w, keeping(t, k.set), "", false, ticks(), events)
					} else {
						_, err = Continue(ctx, normal{}, w, ticks(), events)
						parts++
					}
					if _, e := os.Stat(dir + ".killed"); e == nil {
						dir += ".killed"
					}
					cancel()
				}
				if err != nil {
					t.Fatal(err)
				}
				if posterior(t, dir) != want {
					t.Errorf("%s: what is stored differs from that of the whole run", how)
				}
				for c := range 2 {
					a, err := os.ReadFile(trace.CheckpointPath(whole, c))
					if err != nil {
						t.Fatal(err)
					}
					if b, err := os.ReadFile(trace.CheckpointPath(dir, c)); err != nil ||
						string(a) != string(b) {
						t.Errorf("%s: the last checkpoint of chain %d differs: %v", how, c, err)
					}
				}
			}
			if parts < 3 {
				t.Errorf("only %d parts", parts)
			}
		})
	}
}

// TestKept holds what is kept against all draws.
func TestKept(t *testing.T) {
	dir := t.TempDir()
	read := func(r *Record, name string) *trace.Store {
		to := filepath.Join(dir, name)
		if _, err := Execute(t.Context(), normal{}, Work{Dir: to, Version: "v"}, r, "", false,
			ticks(), nil); err != nil {
			t.Fatal(err)
		}
		s, err := trace.Open(Draws(to))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	array := func(s *trace.Store, group, name string) *trace.Array {
		a, err := s.Read(group, name)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	all := array(read(keeping(t, func(*Record) {}), "all"), "posterior", "x")
	chains := [][]float64{make([]float64, 300), make([]float64, 300)}
	for _, k := range keeps {
		r := keeping(t, k.set)
		r.CheckpointEvery = 60
		s := read(r, k.name)
		if r.Reservoir > 0 {
			x, number := array(s, "posterior", "x"), array(s, "sample_stats", "draw_number")
			if want := int(min(r.Reservoir, 300)); x.Draws != want {
				t.Fatalf("%s: %d draws, want %d", k.name, x.Draws, want)
			}
			for c := range 2 {
				last := -1.0
				for d := range x.Draws {
					n := number.At(c, d)[0]
					if !slices.Equal(x.At(c, d), all.At(c, int(n))) {
						t.Fatalf("%s: draw %d of chain %d is not number %v of all", k.name, d, c, n)
					}
					if gap := n - last; gap < 1 || d > 0 && gap > 300/float64(x.Draws)+1 {
						t.Errorf("%s: draw %v follows %v", k.name, n, last)
					}
					last = n
				}
			}
			if r.Reservoir < 300 && number.At(0, 3)[0] == number.At(1, 3)[0] &&
				number.At(0, 4)[0] == number.At(1, 4)[0] {
				t.Errorf("%s: both chains have the same phase", k.name)
			}
		}
		if !r.KeepMoments {
			continue
		}
		m, err := ReadMoments(s, "x", 0, 2)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 2 {
			all.Series(i, chains)
			got, want := m.Join(i), diagnose.Summarize(chains)
			if math.Abs(got.Mean-want.Mean) > 1e-12 || math.Abs(got.SD-want.SD) > 1e-12 {
				t.Errorf("%s: mean %v, sd %v, want %v, %v", k.name, got.Mean, got.SD, want.Mean, want.SD)
			}
			if r.Sketch == 0 {
				if m.Sketched() || !math.IsNaN(got.Quantile[2]+got.MCSEMean+got.Rhat) {
					t.Errorf("%s: %+v without a sketch", k.name, got)
				}
				continue
			}
			if rhat := diagnose.RhatBasic(chains); math.Abs(got.Rhat-rhat) > 0.01 {
				t.Errorf("%s: R-hat %v, of all draws %v", k.name, got.Rhat, rhat)
			}
			if ratio := got.ESSMean / diagnose.ESSMean(chains); ratio < 0.4 || ratio > 2.5 {
				t.Errorf("%s: effective size %v, of all draws %v", k.name, got.ESSMean,
					diagnose.ESSMean(chains))
			}
			for j, p := range sketch.Targets {
				low := diagnose.Quantile(chains, max(p-got.Bound[j]-0.01, 0))
				high := diagnose.Quantile(chains, min(p+got.Bound[j]+0.01, 1))
				if x := got.Quantile[j]; x < low || x > high || got.Bound[j] > 0.25 {
					t.Errorf("%s: quantile %v is %v, bounds %v and %v", k.name, p, x, low, high)
				}
			}
		}
	}
}

// TestSketchRoom: a run that would not fit on the disk is told by what its sketches take too.
func TestSketchRoom(t *testing.T) {
	size := func(set func(*Record)) (numbers, bytes float64) {
		return storeSize(normal{}, keeping(t, set))
	}
	files := float64(fileBytes * 2 * (2 + 2*6)) // of arrays: two counts, and six of each output
	_, moments := size(keeps[0].set)
	_, sketches := size(keeps[1].set)
	if want := files + 2*8*2 + 2*3*(2*8+5*8+12*16); sketches-moments != want {
		t.Errorf("sketches take %v, want %v", sketches-moments, want)
	}
	all, _ := size(func(*Record) {})
	if thin, _ := size(keeps[4].set); thin >= all/3 {
		t.Errorf("70 draws of 300 are %v numbers, all %v", thin, all)
	}
}
