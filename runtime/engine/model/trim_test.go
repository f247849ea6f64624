package model

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestCut: pieces have all rows once, from the shortest, and no way to cut them
// is cheaper.
func TestCut(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		most := 1 << r.IntN(12)
		lengths := make([]float64, 1+r.IntN(60))
		for i := range lengths {
			lengths[i] = float64(int(float64(most) * math.Pow(r.Float64(), 4)))
		}
		c := &trim{dims: []string{"W"}, lengths: [][]float64{lengths},
			full: map[string]int{"W": most}}
		rows := r.Perm(len(lengths))[:1+r.IntN(min(len(lengths), 9))]
		got := slices.Clone(c.cut(rows))
		cost, start := 0.0, 0
		for start < len(got) {
			end, longest := c.end(start), 0.0
			for _, row := range got[start:end] {
				longest = max(longest, c.longest(row))
			}
			cost += float64(end-start+pieceCost) * longest
			start = end
		}
		sorted := c.sorted(rows)
		best := math.Inf(1)
		for cuts := range 1 << (len(rows) - 1) { // bit i: a cut behind row i
			total, from := 0.0, 0
			for i, row := range sorted {
				if cuts>>i&1 == 1 || i == len(sorted)-1 {
					total += float64(i+1-from+pieceCost) * c.longest(row)
					from = i + 1
				}
			}
			best = min(best, total)
		}
		if cost != best {
			t.Errorf("lengths of %v: cost %v, the least is %v", rows, cost, best)
		}
		slices.Sort(got)
		want := slices.Sorted(slices.Values(rows))
		if !slices.Equal(got, want) {
			t.Fatalf("%v of the rows %v", got, want)
		}
		if n := testing.AllocsPerRun(3, func() { c.cut(rows) }); n != 0 {
			t.Fatalf("%v allocations", n)
		}
	}
}
