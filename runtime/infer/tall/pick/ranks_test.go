package pick

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sgppl/sgppl/runtime/math/rng"
)

// TestRanks: rows that are looked for by their class are those of the lists, draw for draw.
func TestRanks(t *testing.T) {
	defer func(was int) { LeanRows = was }(LeanRows)
	r := rand.New(rand.NewPCG(5, 1))
	for _, n := range []int{1, 3, rankRows, 5*rankRows + 7} {
		class := make([]uint8, n)
		for i := range class {
			class[i] = uint8(128 + int(3*r.NormFloat64()))
			if i == n/2 {
				class[i] = 250 // is always taken
			}
		}
		var got [2][]int
		var weights [2][]float64
		for k, lean := range []int{n, 0} {
			LeanRows = lean
			s := NewSizes(class, 20)
			if (s.ranks != nil) != (k == 1) {
				t.Fatal("the test does not test what it says")
			}
			rows, w := make([]int, 2000), make([]float64, 2000)
			if src := rng.New(1, 0, rng.Batch).At(0); len(s.classes) > 0 {
				s.Draw(&src, rows, w)
			}
			got[k], weights[k] = append(rows, s.Always()...), w
		}
		if !slices.Equal(got[0], got[1]) || !slices.Equal(weights[0], weights[1]) {
			t.Errorf("%d rows: other draws", n)
		}
	}
}
