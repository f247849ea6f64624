package sketch

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestThinned: of a chain of any length, begun at any draw, what is kept are the multiples of
// the stride, at most as many as were asked for and more than a third of that, with their values.
func TestThinned(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		most := rapid.IntRange(2, 40).Draw(t, "most")
		width := rapid.IntRange(0, 3).Draw(t, "width")
		first := rapid.Int64Range(0, 100).Draw(t, "first")
		n := rapid.Int64Range(0, 2000).Draw(t, "draws")
		k := NewThinned(most, width)
		for i := first; i < first+n; i++ {
			k.Add(i, []float64{float64(i), -float64(i), 1})
		}
		draws, values := k.Draws(), k.Values()
		if len(draws) > most || n > int64(most)*2 && len(draws) < most/3 {
			t.Fatalf("%d kept of %d, at most %d", len(draws), n, most)
		}
		if len(values) != width*len(draws) {
			t.Fatalf("%d values of %d draws of %d", len(values), len(draws), width)
		}
		want := first
		for i, d := range draws {
			for want%k.Stride() != 0 {
				want++
			}
			if d != want || width > 0 && values[i*width] != float64(d) {
				t.Fatalf("draw %d is %d with %v, stride %d", i, d, values[i*width:], k.Stride())
			}
			want++
		}
		if n > 0 && first+n-want >= k.Stride() {
			t.Fatalf("the last of %d draws from %d on is %d, stride %d", n, first,
				want-1, k.Stride())
		}
		if k.Coarsen(k.Stride()); len(k.Draws()) != len(draws) {
			t.Fatal("the same stride changes draws")
		}
		at := rapid.Int64Range(-1, first+n).Draw(t, "at")
		late, x := k.After(at)
		if i, _ := slices.BinarySearch(draws, at+1); !slices.Equal(late, draws[i:]) ||
			!slices.Equal(x, values[i*width:]) {
			t.Fatalf("after %d: %v of %v", at, late, draws)
		}
		k.Cut(at)
		for _, d := range k.Draws() {
			if d >= at {
				t.Fatalf("draw %d after Cut(%d)", d, at)
			}
		}
	})
}

// TestThinnedAllocations: keeping draws allocates nothing, as loops of steps must not.
func TestThinnedAllocations(t *testing.T) {
	k, x, i := NewThinned(64, 4), make([]float64, 4), int64(0)
	if n := testing.AllocsPerRun(1000, func() { k.Add(i, x); i++ }); n != 0 {
		t.Errorf("%v allocations a draw", n)
	}
}
