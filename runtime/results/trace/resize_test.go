package trace

import (
	"path/filepath"
	"testing"

	"github.com/sgppl/sgppl/internal/faults"
)

// TestResizeCut: the process dies, or the power is lost, while Close cuts the axis draw
// to what the chains have. Whoever goes on with the store, and is done, leaves one whose
// files are all as they were written.
func TestResizeCut(t *testing.T) {
	root, at := t.TempDir(), t.TempDir()
	on, err := faults.New(root, faults.None, 0, 3)
	if err != nil {
		t.Fatal(err)
	}
	const draws = 4
	s, err := CreateOn(on, filepath.Join(root, "s"),
		[]Variable{{Group: "posterior", Name: "a"}, {Group: "posterior", Name: "b"}}, 1, draws, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	fill := func(s *Store, from, to int) error {
		a, err := s.Appender(0, from)
		if err != nil {
			return err
		}
		for d := from; d < to; d++ {
			a.Put(0, []float64{float64(d)})
			a.Put(1, []float64{float64(-d)})
			if err := a.Next(); err != nil {
				return err
			}
		}
		return a.Close()
	}
	if err := fill(s, 0, 2); err != nil {
		t.Fatal(err)
	}
	if err := s.Sync(); err != nil {
		t.Fatal(err)
	}
	left := map[[32]byte]faults.Tree{}
	on.Watch = func(_ int, _ string, of func(faults.Mode) faults.Tree) {
		for _, mode := range []faults.Mode{faults.Kill, faults.Lose, faults.Reorder} {
			tree := of(mode)
			left[tree.Sum()] = tree
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if len(left) < 10 {
		t.Fatalf("%d states", len(left))
	}
	for _, tree := range left {
		if err := tree.Put(at); err != nil {
			t.Fatal(err)
		}
		s, err := Open(filepath.Join(at, "s"))
		if err == nil {
			err = s.Resize(draws)
		}
		if err == nil {
			err = fill(s, 2, draws)
		}
		if err == nil {
			err = s.Close()
		}
		if err == nil { // the journal says now that all above is done
			err = s.NumberChains([]int{0})
		}
		if err == nil {
			err = s.Sync()
		}
		if err != nil {
			t.Fatal(err)
		}
		again, err := Open(s.Dir())
		if err != nil {
			t.Fatal(err)
		}
		if problems := again.Verify().Problems; len(problems) > 0 || again.Draws() != draws {
			t.Fatalf("%d draws, %v", again.Draws(), problems)
		}
	}
}
