package run

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

// TestWatched: small arrays are watched whole, large ones evenly, missing entries last, and
// names are those of the store.
func TestWatched(t *testing.T) {
	outputs := []target.Output{{Name: "y.missing", Shape: []int{3}, Len: 3},
		{Name: "w", Shape: []int{100, 200}, Offset: 3, Len: 20000},
		{Name: "b", Offset: 20003, Len: 1}, {Name: "none", Shape: []int{0}, Offset: 20004},
		{Name: "v", Shape: []int{500}, Offset: 20004, Len: 500}}
	list, of := Watched(outputs, nil)
	if of != 20504 || len(list) != WatchedNumbers {
		t.Fatalf("%d of %d", len(list), of)
	}
	count := map[string]int{}
	for _, n := range list {
		count[n.Array]++
		for _, o := range outputs {
			if o.Name != n.Array {
				continue
			}
			if n.at != o.Offset+n.Element || n.Element >= o.Len {
				t.Errorf("%+v of %+v", n, o)
			}
			for i, name := range (trace.Variable{Name: o.Name, Shape: o.Shape}).Elements() {
				if i == n.Element && name != n.Name {
					t.Errorf("%s is called %s", name, n.Name)
				}
			}
		}
	}
	if count["b"] != 1 || count["y.missing"] != 3 || count["w"] != 22 || count["v"] != 22 ||
		list[len(list)-1].Array != "y.missing" {
		t.Errorf("%v", count)
	}
	if list, of := Watched(outputs, []string{"b"}); of != 1 || len(list) != 1 {
		t.Errorf("of what is kept: %v of %d", list, of)
	}
}

// tree has the content of all files of a directory but those that tell the time.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == recordName || d.Name() == logName ||
			filepath.Ext(d.Name()) == ".ckpt" {
			return err
		}
		b, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		out[rel] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestWatchedRun: events of a run that is watched tell its draws as they are stored, in
// order, after an interrupt too, through JSON; the run directory has the same bytes as without.
func TestWatchedRun(t *testing.T) {
	at := t.TempDir()
	plain := filepath.Join(at, "plain")
	if _, err := Execute(t.Context(), normal{}, Work{Dir: plain, Version: "v"},
		record(t, normal{}), "", false, ticks(), nil); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(at, "watched")
	told := make([]Drawn, 2)
	w := Work{Dir: dir, Version: "v", Watch: true, ProgressEvery: 2 * time.Millisecond}
	ctx, cancel := context.WithCancel(t.Context())
	events := func(e Event) {
		b, err := json.Marshal(e)
		if err != nil {
			t.Error(err)
		}
		var back Event
		if err := json.Unmarshal(b, &back); err != nil {
			t.Error(err)
		}
		if d := back.Drawn; d != nil {
			x := &told[back.Chain]
			x.Draws, x.Values = append(x.Draws, d.Draws...), append(x.Values, d.Values...)
		}
		if back.Draws > 40 {
			cancel()
		}
	}
	r, err := Execute(ctx, normal{}, w, record(t, normal{}), "", false, ticks(), events)
	if n := len(told[0].Draws) + len(told[1].Draws); err == nil || n == 0 {
		t.Fatalf("%v after %d draws", err, n)
	}
	w.ID = r.ID
	if _, err := Continue(t.Context(), normal{}, w, ticks(), events); err != nil {
		t.Fatal(err)
	}
	s, err := trace.Open(Draws(dir))
	if err != nil {
		t.Fatal(err)
	}
	x, err := s.Read("posterior", "x")
	if err != nil {
		t.Fatal(err)
	}
	for c, d := range told {
		if !slices.IsSorted(d.Draws) || len(d.Draws) != 300 || d.Draws[299] != 299 ||
			len(d.Values) != 3*len(d.Draws) {
			t.Fatalf("chain %d: %d draws told, %d values", c, len(d.Draws), len(d.Values))
		}
		for i, n := range d.Draws {
			want := x.At(c, int(n))[1]
			if got := d.Values[3*i+1]; got < want-1e-5*max(1, -want, want) ||
				got > want+1e-5*max(1, -want, want) {
				t.Fatalf("chain %d, draw %d: %g was told, %g is stored", c, n, got, want)
			}
		}
	}
	a, b := tree(t, plain), tree(t, dir)
	for name, text := range a {
		if b[name] != text {
			t.Errorf("%s differs", name)
		}
	}
	if len(a) != len(b) {
		t.Errorf("%d files, watched %d", len(a), len(b))
	}
}
