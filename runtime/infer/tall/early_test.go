package tall

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestEarlyReport: the report of a short first round is hardly ever off where there is no
// bias: its pieces of chains are much alike, and say little of the error of their mean.
func TestEarlyReport(t *testing.T) {
	const runs, chains, draws, numbers = 100, 4, 60, 8
	pl := &Plan{Step: 0.7, Every: 1}
	off := 0
	for seed := range uint64(runs) {
		r := rand.New(rand.NewPCG(seed, 5))
		var hs []*history
		for range chains {
			h := &history{}
			x, delta := make([]float64, numbers), make([]float64, numbers)
			for i := range draws + 50 {
				for j := range numbers { // Δ moves slowly, as the pairs do
					x[j] = 0.7*x[j] + math.Sqrt(1-0.49)*r.NormFloat64()
					delta[j] = 0.85*delta[j] + 0.3*math.Sqrt(1-0.85*0.85)*r.NormFloat64()
				}
				if i < 50 {
					continue
				}
				for j := range numbers {
					h.fine = append(h.fine, x[j])
					h.coarse = append(h.coarse, x[j]+delta[j])
				}
			}
			hs = append(hs, h)
		}
		if report(hs, numbers, draws, pl.spacing()).Verdict(0.1) == "off" {
			off++
		}
	}
	if off > runs/20 {
		t.Errorf("off in %d of %d runs without bias", off, runs)
	}
}
