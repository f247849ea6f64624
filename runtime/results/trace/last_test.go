package trace

import (
	"fmt"
	"path/filepath"
	"testing"
)

// TestLast: of any number of draws in stores and chunks of any length the last
// are kept, in order at the end, whole at any time, and the same when the chain
// was stopped anywhere and went on from an earlier draw.
func TestLast(t *testing.T) {
	dir := t.TempDir()
	names := 0
	for _, c := range []struct{ total, keep, chunk int }{{1, 1, 1}, {4, 3, 2}, {4, 4, 10},
		{7, 3, 1}, {7, 5, 2}, {12, 5, 3}, {12, 4, 10}, {13, 1, 1}} {
		for stop := -1; stop <= c.total; stop += 2 + c.keep%2 {
			names++
			lastRun(t, filepath.Join(dir, fmt.Sprint(names)), c.total, c.keep, c.chunk, stop)
		}
	}
}

func lastRun(t *testing.T, dir string, total, keep, chunk, stop int) {
	t.Helper()
	what := fmt.Sprintf("%d draws, the last %d, chunks of %d, stopped at %d", total, keep, chunk, stop)
	s, err := Create(dir, []Variable{{Group: "g", Name: "x", Shape: []int{2}, Chunk: chunk},
		{Group: "g", Name: "n", DType: Int64, Chunk: chunk}}, 1, keep, 0, nil)
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
	}
	check(err)
	take := func(from, to int) *Appender {
		a, err := s.LastAppender(0, from, total)
		check(err)
		for n := from; n < to; n++ {
			a.Put(0, []float64{float64(n), -float64(n)})
			a.PutScalar(1, float64(n))
			check(a.Next())
		}
		return a
	}
	if stop >= 0 {
		from := stop * 2 / 3 // a checkpoint
		a := take(0, from)
		check(a.Flush())
		take(from, stop) // killed
		if stop%2 == 0 { // or interrupted
			a = take(from, stop)
			check(a.Close())
			check(s.Close())
			lastHeld(t, s, what, stop, min(stop, keep))
			if s, err = Open(dir); err == nil {
				err = s.Resize(keep)
			}
			check(err)
			from = stop
		}
		a = take(from, total)
		check(a.Close())
	} else {
		check(take(0, total).Close())
	}
	check(s.Close())
	x, err := s.Read("g", "x")
	check(err)
	if x.Draws != keep {
		t.Fatalf("%s: %d draws", what, x.Draws)
	}
	for i := range keep {
		if want := float64(total - keep + i); x.At(0, i)[0] != want || x.At(0, i)[1] != -want {
			t.Fatalf("%s: draw %d is %v, not %v: %v", what, i, x.At(0, i), want, x.Data)
		}
	}
	if _, err := s.LastAppender(0, total+1, total); err == nil {
		t.Errorf("%s: goes on after its end", what)
	}
}

// lastHeld: a chain that was interrupted holds recent draws, each whole.
func lastHeld(t *testing.T, s *Store, what string, n, most int) {
	t.Helper()
	x, err := s.Read("g", "x")
	if err != nil {
		t.Fatal(err)
	}
	k, err := s.Read("g", "n")
	if err != nil {
		t.Fatal(err)
	}
	if x.Draws > most || 2*x.Draws < most {
		t.Fatalf("%s: %d draws are held, of %d", what, x.Draws, most)
	}
	seen := map[float64]bool{}
	for i := range x.Draws {
		v := x.At(0, i)[0]
		if v != k.Data[i] || v < float64(n-2*most) || v >= float64(n) || seen[v] {
			t.Fatalf("%s: draw %d is %v and %v of %v", what, i, v, k.Data[i], x.Data)
		}
		seen[v] = true
	}
}
