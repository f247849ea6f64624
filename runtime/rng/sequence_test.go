package rng

import (
	"math"
	"testing"

	"github.com/sgppl/sgppl/runtime/cpu"
)

// A sequence gives the bits of the bulk call, at every level and whatever its
// pieces.
func TestSequence(t *testing.T) {
	defer func(l cpu.Level) { level = l }(level)
	want := make([]float64, 40000)
	New(4, 1, Test).Normals(7, want)
	var q Sequence // begun again while some of its numbers are still to come
	for _, l := range cpu.Levels() {
		level = l
		for _, pieces := range [][]int{{1024}, {16}, {1, 2, 3}, {124, 900}, {17, 5000, 1}, {33000}, {1}} {
			q.Begin(New(4, 1, Test), 7)
			for at, i := 0, 0; at < len(want); i++ {
				x := make([]float64, min(pieces[i%len(pieces)], len(want)-at)+1)
				x[len(x)-1] = 42
				q.Fill(x[:len(x)-1])
				for j, v := range x[:len(x)-1] {
					if math.Float64bits(v) != math.Float64bits(want[at+j]) {
						t.Fatalf("%v, pieces %v: element %d is %v, want %v", l, pieces, at+j, v, want[at+j])
					}
				}
				if x[len(x)-1] != 42 {
					t.Fatal("wrote beyond the piece")
				}
				at += len(x) - 1
			}
		}
	}
}
