package rng

import (
	"slices"
	"testing"

	"github.com/sgppl/sgppl/runtime/math/cpu"
)

// A sequence gives the bits of the bulk call, at every level and whatever its
// pieces.
func TestSequence(t *testing.T) {
	want := make([]float64, 40000)
	New(4, 1, Test).Normals(7, want)
	want32 := make([]float32, len(want))
	New(4, 1, Test).Normals32(7, want32)
	t.Run("f64", func(t *testing.T) { sequence(t, want) })
	t.Run("f32", func(t *testing.T) { sequence(t, want32) })
}

func sequence[T float32 | float64](t *testing.T, want []T) {
	defer func(l cpu.Level) { level = l }(level)
	var q SequenceOf[T] // begun again while some of its numbers are still to come
	for _, l := range cpu.Levels() {
		level = l
		for _, pieces := range [][]int{{1024}, {16}, {32}, {1, 2, 3}, {124, 900}, {17, 5000, 1},
			{33000}, {1}} {
			q.Begin(New(4, 1, Test), 7)
			for at, i := 0, 0; at < len(want); i++ {
				x := make([]T, min(pieces[i%len(pieces)], len(want)-at)+1)
				x[len(x)-1] = 42
				q.Fill(x[:len(x)-1])
				for j, v := range x[:len(x)-1] {
					if v != want[at+j] {
						t.Fatalf("%v, pieces %v: element %d is %v, want %v", l, pieces, at+j, v,
							want[at+j])
					}
				}
				if x[len(x)-1] != 42 {
					t.Fatal("wrote beyond the piece")
				}
				at += len(x) - 1
				if whole := at%q.round() == 0; whole != (q.Lanes() != nil) {
					t.Fatalf("%v, pieces %v: at %d the lanes are there: %v", l, pieces, at, !whole)
				}
			}
		}
	}
	for _, skipped := range []int{0, q.round(), 3 * q.round(), 1024, 32 * 1024} {
		j := NewJump[T](skipped)
		q.Begin(New(4, 1, Test), 7)
		q.Skip(j)
		rest := make([]T, min(5000, len(want)-skipped))
		q.Fill(rest)
		if !slices.Equal(rest, want[skipped:][:len(rest)]) {
			t.Errorf("after a jump of %d the sequence is another", skipped)
		}
		q.Begin(New(4, 1, Test), 7) // in two jumps
		q.Fill(rest[:q.round()])
		q.Skip(j)
		q.Fill(rest[:q.round()])
		if !slices.Equal(rest[:q.round()], want[skipped+q.round():][:q.round()]) {
			t.Errorf("after a round and a jump of %d the sequence is another", skipped)
		}
	}
	if n := testing.AllocsPerRun(10, func() {
		q.Begin(New(4, 1, Test),
			8)
		q.Fill(want[:100])
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// Normals made ahead are those of the bulk call, whatever the steps that are asked for.
func TestAhead(t *testing.T) {
	t.Run("f64", func(t *testing.T) { ahead(t, Stream.Normals) })
	t.Run("f32", func(t *testing.T) { ahead(t, Stream.Normals32) })
}

func ahead[T float32 | float64](t *testing.T, bulk func(Stream, uint64, []T)) {
	defer func(l cpu.Level) { level = l }(level)
	for _, l := range cpu.Levels() {
		level = l
		for _, n := range []int{0, 1, 16, 124, 300, 1024} {
			a := NewAhead[T](n)
			steps := []uint64{0, 1, 2, 3, 9, 8, 7, 40, 40, 41, 1<<64 - 1, 0, 1 << 40}
			for i, step := range steps {
				s := New(4, i/9, Test) // another stream on the way
				want := make([]T, n)
				bulk(s, step, want)
				if got := a.At(s, step); !slices.Equal(got[:n], want) {
					t.Fatalf("%v: %d normals of step %d are %v, want %v", l, n, step, got[:n], want)
				}
			}
		}
	}
	a, step := NewAhead[T](124), uint64(0)
	if n := testing.AllocsPerRun(20, func() { a.At(New(4, 1, Test), step); step++ }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
