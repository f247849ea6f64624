package special_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sgppl/sgppl/runtime/math/special"
)

// TestBinomialLaw: draws have the binomial law, on both sides of where the way of
// drawing changes, by Pearson's statistic (Wilson and Hilferty's approximation).
func TestBinomialLaw(t *testing.T) {
	const draws = 20000
	for i, c := range []struct{ n, p float64 }{{1, 0.3}, {7, 0.5}, {40, 0.1}, {40, 0.26},
		{100, 0.0999}, {100, 0.1001}, {100, 0.7}, {1000, 0.5}, {1e5, 0.002}, {2e4, 0.999}} {
		r := rand.New(rand.NewPCG(41, uint64(i)))
		seen := map[float64]float64{}
		for range draws {
			g := special.BitsOf(r.Float64())
			seen[g.Binomial(c.n, c.p)]++
		}
		var stat, cells, o, e, all float64
		for k := 0.0; k <= c.n; k++ {
			o, e = o+seen[k], e+draws*math.Exp(special.LogBinomial(k, c.n, c.p))
			all += seen[k]
			if e >= 20 && draws-all >= 20 || k == c.n {
				stat, cells, o, e = stat+(o-e)*(o-e)/e, cells+1, 0, 0
			}
		}
		k := cells - 1
		if z := (math.Cbrt(stat/k) - (1 - 2/(9*k))) / math.Sqrt(2/(9*k)); !(math.Abs(z) <= 4) ||
			all != draws {
			t.Errorf("%v of %v: chi-square off by %v standard deviations, %v of %v draws", c.p, c.n,
				z, all, draws)
		}
	}
}

// TestBinomialEnds: no trials, certainty, and probabilities that are none.
func TestBinomialEnds(t *testing.T) {
	for _, c := range []struct{ n, p, want float64 }{{0, 0.5, 0}, {5, 0, 0}, {5, 1, 5}, {5, 2, 5},
		{5, -1, 0}, {5, math.NaN(), 0}, {math.NaN(), 0.5, 0}, {1 << 52, 1, 1 << 52}} {
		g := special.BitsOf(0.3)
		if got := g.Binomial(c.n, c.p); got != c.want {
			t.Errorf("%v of %v: %v, not %v", c.p, c.n, got, c.want)
		}
	}
	for _, n := range []float64{3, 100, 1e6, 1 << 52} {
		for _, p := range []float64{1e-300, 1e-17, 1e-9, 0.5, 1 - 1e-16} {
			g := special.BitsOf(0.7)
			if k := g.Binomial(n, p); !(k >= 0 && k <= n && k == math.Trunc(k)) {
				t.Errorf("%v of %v: %v", p, n, k)
			}
		}
	}
}
