package sketch

import (
	"math"
	"testing"
)

// TestReservoir: every draw is as likely as any other, and a chain that goes on takes the same.
func TestReservoir(t *testing.T) {
	for _, c := range []struct{ size, draws int64 }{{1, 1}, {1, 10}, {3, 10}, {10, 10}, {20, 10},
		{7, 1000}, {999, 1000}} {
		seen := make([]float64, c.draws)
		const seeds = 2000
		for seed := range uint64(seeds) {
			r, taken := NewReservoir(c.size, c.draws, seed, 1), int64(0)
			again := NewReservoir(c.size, c.draws, seed, 1)
			for i := range c.draws {
				takes := r.Takes(i)
				if takes {
					taken++
					seen[i]++
				}
				if i >= c.draws/2 && again.Takes(i) != takes {
					t.Fatalf("%+v: resumed it takes another draw", c)
				}
			}
			if taken != min(c.size, c.draws) {
				t.Fatalf("%+v: %d draws", c, taken)
			}
		}
		p := float64(min(c.size, c.draws)) / float64(c.draws)
		for i, n := range seen { // five standard deviations
			if math.Abs(n/seeds-p) > 5*math.Sqrt(p*(1-p)/seeds)+1e-12 {
				t.Errorf("%+v: draw %d is taken in %v of the runs, want %v", c, i, n/seeds, p)
			}
		}
	}
}
