package diagnose

import (
	"math"
	"math/rand/v2"
	"testing"
)

func uniformRanks(r *rand.Rand, sample, values int) []int {
	out := make([]int, sample)
	for i := range out {
		out[i] = r.IntN(values)
	}
	return out
}

// The exact coverage is what a simulation of uniform ranks finds, and at least
// what was asked for, by little where ranks are many.
func TestRankBandCoverage(t *testing.T) {
	for _, c := range []struct {
		sample, values int
		coverage       float64
		loss           float64 // how much more the band may cover, as counts are whole
	}{
		{1, 2, 0.9, 0.1}, {10, 4, 0.9, 0.07}, {50, 20, 0.95, 0.02}, {100, 100, 0.99, 0.002},
		{500, 100, 0.99, 0.001}, {500, 100, 0.9995, 0.0001},
	} {
		b := NewRankBand(c.sample, c.values, c.coverage)
		if b.Coverage < c.coverage || b.Coverage > c.coverage+c.loss {
			t.Errorf("%d ranks of %d values: the band of %v covers %v", c.sample, c.values,
				c.coverage, b.Coverage)
		}
		r := rand.New(rand.NewPCG(20220402, uint64(c.sample)))
		const n = 20000
		inside := 0
		for range n {
			if b.Inside(uniformRanks(r, c.sample, c.values)) {
				inside++
			}
		}
		if got, se := float64(inside)/n,
			math.Sqrt(b.Coverage*(1-b.Coverage)/n); math.Abs(got-b.Coverage) > 4*se+1e-9 {
			t.Errorf("%d ranks of %d values: %v of the samples are inside, the recursion says %v",
				c.sample, c.values, got, b.Coverage)
		}
	}
}

// Every sequence of three ranks of three values, by hand.
func TestRankBandEnumerated(t *testing.T) {
	for _, gamma := range []float64{0.05, 0.1, 0.3, 0.6, 0.9} {
		b := newRankLaw(3, 3).band(gamma)
		inside := 0
		for k := range 27 {
			if b.Inside([]int{k % 3, k / 3 % 3, k / 9}) {
				inside++
			}
		}
		if want := float64(inside) / 27; math.Abs(b.Coverage-want) > 1e-14 {
			t.Errorf("γ = %v: coverage %v, and %v of all samples are inside", gamma,
				b.Coverage, want)
		}
	}
}

// P is a p-value: uniform from below, and it agrees with the band.
func TestRankTest(t *testing.T) {
	const sample, values, n = 60, 20, 4000
	test, band := NewRankTest(sample, values), NewRankBand(sample, values, 0.9)
	r := rand.New(rand.NewPCG(7, 7))
	var low [3]int
	for range n {
		ranks := uniformRanks(r, sample, values)
		p := test.P(ranks)
		if (p > 1-band.Coverage+1e-9) != band.Inside(ranks) {
			t.Fatalf("p = %v, and inside the band of %v is %v", p, band.Coverage,
				band.Inside(ranks))
		}
		for i, a := range []float64{0.5, 0.1, 0.01} {
			if p <= a {
				low[i]++
			}
		}
	}
	for i, a := range []float64{0.5, 0.1, 0.01} {
		if got, se := float64(low[i])/n, math.Sqrt(a*(1-a)/n); got > a+4*se || got < a/2 {
			t.Errorf("p ≤ %v in %v of the samples", a, got)
		}
	}
}

// What ranks look like when something is wrong is outside.
func TestRankTestFinds(t *testing.T) {
	const sample, values = 200, 100
	r := rand.New(rand.NewPCG(8, 8))
	test, band := NewRankTest(sample, values), NewRankBand(sample, values, 0.99)
	for name, u := range map[string]func() float64{
		// a posterior too narrow: ∪
		"narrow": func() float64 { return 0.5 + 0.5*math.Cos(math.Pi*r.Float64()) },
		"wide":   func() float64 { return (r.Float64() + r.Float64()) / 2 },
		"low":    func() float64 { return math.Pow(r.Float64(), 1.5) },
		"stuck":  func() float64 { return math.Max(r.Float64(), 0.1) },
	} {
		ranks := make([]int, sample)
		for i := range ranks {
			ranks[i] = min(int(values*u()), values-1)
		}
		if p := test.P(ranks); p > 0.01 || band.Inside(ranks) {
			t.Errorf("%s: p = %v", name, p)
		}
	}
	hist := RankHistogram([]int{0, 49, 50, 99, 99}, 100, 2)
	if hist[0] != 2 || hist[1] != 3 {
		t.Errorf("histogram %v", hist)
	}
}

func BenchmarkRankBand(b *testing.B) {
	for b.Loop() {
		NewRankBand(500, 100, 0.99)
	}
}

func BenchmarkRankTest(b *testing.B) {
	test := NewRankTest(500, 100)
	ranks := uniformRanks(rand.New(rand.NewPCG(1, 1)), 500, 100)
	for b.Loop() {
		test.P(ranks)
	}
}
