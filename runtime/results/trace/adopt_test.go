package trace

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/sgppl/sgppl/internal/faults"
)

// TestAdoptCut: the power is lost at any call of Adopt. The store has all draws that it
// had before, and the groups are there or are not.
func TestAdoptCut(t *testing.T) {
	cuts := 0
	for _, seed := range []uint64{0, 5} {
		root := t.TempDir()
		on, err := faults.New(root, faults.None, 0, seed)
		if err != nil {
			t.Fatal(err)
		}
		make := func(name string, v Variable) *Store {
			s, err := CreateOn(on, filepath.Join(root, name), []Variable{v}, 2, 3, 2, nil)
			if err != nil {
				t.Fatal(err)
			}
			for c := range 2 {
				a, err := s.Appender(c, 0)
				if err != nil {
					t.Fatal(err)
				}
				for d := range 3 {
					a.Put(0, []float64{float64(10*c + d), 0.5}[:v.Len()])
					if err := a.Next(); err != nil {
						t.Fatal(err)
					}
				}
				if err := a.Close(); err != nil {
					t.Fatal(err)
				}
			}
			return s
		}
		draws := make("draws", Variable{Group: "posterior", Name: "mu"})
		if err := draws.Sync(); err != nil {
			t.Fatal(err)
		}
		part := make("part", Variable{Group: "log_likelihood", Name: "y", Dims: []string{"N"},
			Shape: []int{2}})
		var left []faults.Tree
		on.Watch = func(_ int, _ string, of func(faults.Mode) faults.Tree) {
			left = append(left, of(faults.Lose), of(faults.Reorder))
		}
		if err := draws.Adopt(part, "log_likelihood"); err != nil {
			t.Fatal(err)
		}
		on.Watch = nil
		left = append(left, on.Tree())
		with := 0
		at, seen := t.TempDir(), map[[32]byte]bool{}
		for i, tree := range left {
			if seen[tree.Sum()] {
				continue
			}
			seen[tree.Sum()] = true
			if err := tree.Put(at); err != nil {
				t.Fatal(err)
			}
			s, err := Open(filepath.Join(at, "draws"))
			if err != nil {
				t.Fatalf("seed %d, cut %d: %v", seed, i, err)
			}
			for _, v := range s.Variables() {
				a, err := s.Read(v.Group, v.Name)
				if err != nil || a.Chains != 2 || a.Draws != 3 {
					t.Fatalf("seed %d, cut %d: %s: %v", seed, i, v.Name, err)
				}
				for k := range 6 {
					if x := a.At(k/3, k%3)[0]; math.Float64bits(x) !=
						math.Float64bits(float64(10*(k/3)+k%3)) {
						t.Fatalf("seed %d, cut %d: draw %d of %s is %g", seed, i, k, v.Name, x)
					}
				}
				if v.Group == "log_likelihood" {
					with++
				}
			}
			if problems := s.Verify().Problems; len(problems) > 0 {
				t.Fatalf("seed %d, cut %d: %v", seed, i, problems)
			}
			os.RemoveAll(filepath.Join(at, "draws"))
		}
		if cuts += len(seen); with < 1 || with > len(seen)/2 {
			t.Errorf("seed %d: %d of %d stores have what was adopted", seed, with, len(seen))
		}
	}
	if cuts < 50 {
		t.Errorf("%d cuts", cuts)
	}
}
