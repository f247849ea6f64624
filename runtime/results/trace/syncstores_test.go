package trace

import (
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"testing"

	"github.com/sgppl/sgppl/internal/faults"
)

// TestSyncStoresCut: the process dies, or the power is lost, while stores are made durable and
// checkpoints written that count their draws. A checkpoint that is there is whole, and its draws
// are there; once all is done, all of it stays.
func TestSyncStoresCut(t *testing.T) {
	const draws = 4
	root, at := t.TempDir(), t.TempDir()
	on, err := faults.New(root, faults.None, 0, 5)
	if err != nil {
		t.Fatal(err)
	}
	var stores []*Store
	for _, name := range []string{"s", "w"} {
		s, err := CreateOn(on, filepath.Join(root, name), []Variable{
			{Group: "posterior", Name: "a"}, {Group: "posterior", Name: "n", DType: Int64},
		}, 2, draws, 3, nil)
		if err != nil {
			t.Fatal(err)
		}
		for c := range 2 {
			a, err := s.Appender(c, 0)
			if err != nil {
				t.Fatal(err)
			}
			for d := range draws {
				a.Put(0, []float64{float64(10*c + d)})
				a.Put(1, []float64{float64(d)})
				if err := a.Next(); err != nil {
					t.Fatal(err)
				}
			}
			if err := a.Close(); err != nil {
				t.Fatal(err)
			}
		}
		stores = append(stores, s)
	}
	var points []Checkpoint
	for c := range 2 {
		points = append(points, Checkpoint{CheckpointPath(root, c), 1, 5, func(w io.Writer) error {
			_, err := io.WriteString(w, "state")
			return err
		}})
	}
	left, last := map[[32]byte]faults.Tree{}, faults.Tree{}
	on.Watch = func(_ int, _ string, of func(faults.Mode) faults.Tree) {
		for _, mode := range []faults.Mode{faults.Kill, faults.Lose, faults.Reorder} {
			last = of(mode)
			left[last.Sum()] = last
		}
	}
	if err := SyncStores(stores, points...); err != nil {
		t.Fatal(err)
	}
	if err := on.SyncDir(root); err != nil { // the state after the last call
		t.Fatal(err)
	}
	if len(left) < 30 {
		t.Fatalf("%d states", len(left))
	}
	left[[32]byte{}] = last
	without := 0
	for sum, tree := range left {
		if err := tree.Put(at); err != nil {
			t.Fatal(err)
		}
		there := 0
		for c := range 2 {
			_, state, err := ReadCheckpoint(on, CheckpointPath(at, c))
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil || string(state) != "state" {
				t.Fatalf("checkpoint %d: %q, %v", c, state, err)
			}
			there++
			for _, name := range []string{"s", "w"} {
				s, err := Open(filepath.Join(at, name))
				if err != nil {
					t.Fatal(err)
				}
				if n, err := s.Kept(c); err != nil || n != draws {
					t.Fatalf("chain %d has %d draws, %v", c, n, err)
				}
				if problems := s.Verify().Problems; len(problems) > 0 {
					t.Fatal(problems)
				}
			}
		}
		if there == 0 {
			without++
		}
		if sum == [32]byte{} && there != 2 {
			t.Errorf("%d checkpoints at the end", there)
		}
	}
	if without == 0 || without == len(left) {
		t.Errorf("%d of %d states have no checkpoint", without, len(left))
	}
}
