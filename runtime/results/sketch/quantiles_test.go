package sketch

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// sequences are draws in orders and of laws that sketches might not like.
var sequences = []struct {
	name string
	next func(r *rand.Rand, i int, last float64) float64
}{
	{"normal", func(r *rand.Rand, _ int, _ float64) float64 { return r.NormFloat64() }},
	{"far from 0", func(r *rand.Rand, _ int, _ float64) float64 { return 1e9 + r.NormFloat64() }},
	{"heavy tails", func(r *rand.Rand, _ int, _ float64) float64 {
		return math.Tan(math.Pi * (r.Float64() - 0.5))
	}},
	{"slow chain", func(r *rand.Rand, _ int, last float64) float64 {
		return 0.95*last + r.NormFloat64()
	}},
	{"discrete", func(r *rand.Rand, _ int, _ float64) float64 { return float64(r.IntN(4)) }},
	{"coin", func(r *rand.Rand, _ int, _ float64) float64 { return float64(r.IntN(2)) }},
	{"rising", func(_ *rand.Rand, i int, _ float64) float64 { return float64(i) }},
	{"falling", func(_ *rand.Rand, i int, _ float64) float64 { return -float64(i) }},
	{"to and fro", func(_ *rand.Rand, i int, _ float64) float64 {
		return float64(i) * float64(1-i%2*2)
	}},
	{"constant", func(_ *rand.Rand, _ int, _ float64) float64 { return -3.25 }},
	{"drifting", func(r *rand.Rand, i int, _ float64) float64 {
		return float64(i)/100 + r.NormFloat64()
	}},
}

// draws are n of a sequence in each of the numbers of a sketch.
func draws(next func(*rand.Rand, int, float64) float64, n, numbers int, seed uint64) [][]float64 {
	r := rand.New(rand.NewPCG(seed, 7))
	out, last := make([][]float64, n), make([]float64, numbers)
	for i := range out {
		out[i] = make([]float64, numbers)
		for j := range last {
			last[j] = next(r, i, last[j])
			out[i][j] = last[j]
		}
	}
	return out
}

// rankError is how far the place of quantile p is from those of x among draws, as a share of them.
// Draws within the rounding of single precision of x count as x.
func rankError(all []float64, x, p float64) float64 {
	below, atMost, n := 0, 0, float64(len(all))
	for _, d := range all {
		near := math.Abs(d-x) <= 1e-6*(1+math.Abs(x-all[0]))
		if d < x && !near {
			below++
		}
		if d <= x || near {
			atMost++
		}
	}
	want := 1 + p*(n-1)
	return max(want-float64(atMost), float64(below)+1-want, 0) / n
}

// TestBounds holds every quantile to its own bound, on draws in any order, of one chain and of
// three joined, and the bounds to what the documentation says of them.
func TestBounds(t *testing.T) {
	const numbers = 8
	for _, c := range []struct {
		entries, n       int
		loosest, typical float64
	}{
		{16, 300, 0.25, 0.017}, {16, 3000, 0.25, 0.017},
		{64, 300, 0.05, 0.004}, {64, 3000, 0.05, 0.004},
	} {
		for _, s := range sequences {
			t.Run(fmt.Sprintf("%d entries, %d draws, %s", c.entries, c.n, s.name),
				func(t *testing.T) {
					var all [3][][]float64
					var sketches [3]*Sketch
					square, count := 0.0, 0.0
					for k := range sketches {
						// chains of different lengths, as of a run that was interrupted
						n := c.n / (k + 1)
						all[k] = draws(s.next, n, numbers, uint64(k))
						sketches[k] = New([]Span{{0, numbers}}, c.entries, int64(c.n))
						for _, d := range all[k] {
							sketches[k].Add(d)
						}
					}
					for i := range numbers {
						for _, chains := range []int{1, 3} {
							var exact []float64
							var known []Chain
							for k := range chains {
								for _, d := range all[k] {
									exact = append(exact, d[i])
								}
								known = append(known, Chain{})
								sketches[k].Chain(i, &known[k])
							}
							for _, p := range []float64{0, 0.01, 0.05, 0.25, 0.5, 0.75,
								0.95, 0.99, 1} {
								x, bound := Quantile(known, p)
								e := rankError(exact, x, p)
								if e > bound+1e-12 {
									t.Fatalf("number %d of %d chains: quantile %v is %v, off by %v "+
										"in rank, bound %v", i, chains, p, x, e, bound)
								}
								if bound > c.loosest {
									t.Errorf("number %d of %d chains: quantile %v has the bound %v, above %v", i, chains, p,
										bound, c.loosest)
								}
								square, count = square+e*e, count+1
							}
						}
					}
					if e := math.Sqrt(square / count); e > c.typical {
						t.Errorf("the error of the rank is %v in the root mean square, above %v", e,
							c.typical)
					}
				})
		}
	}
}

// TestShort: bounds of 16 bits are those of 32 up to the last draw that they count. Draws behind it
// are not taken, in place of bounds that are wrong.
func TestShort(t *testing.T) {
	all := draws(sequences[3].next, maxShort, 1, 4)
	short, long := New([]Span{{0, 1}}, 16, maxShort), New([]Span{{0, 1}}, 16, maxShort+1)
	for _, d := range all {
		short.Add(d)
		long.Add(d)
	}
	if !bytes.Equal(encoded(t, short), encoded(t, long)) {
		t.Error("sketches of 16 and of 32 bits differ")
	}
	for range 100 {
		short.Add([]float64{1e3})
	}
	var c Chain
	short.Chain(0, &c)
	if top := c.High[len(c.High)-1]; top != maxShort {
		t.Errorf("the largest rank is %v", top)
	}
}

// TestFewDraws: as long as all draws are entries, quantiles are exact, those of type 7.
func TestFewDraws(t *testing.T) {
	for n := 1; n <= 16; n++ {
		k, all := New([]Span{{0, 1}}, 16, 1000), []float64(nil)
		for i := range n {
			x := float64(i * i % 7)
			all = append(all, x)
			k.Add([]float64{x})
		}
		slices.Sort(all)
		var c Chain
		k.Chain(0, &c)
		for _, p := range []float64{0, 0.1, 0.25, 0.5, 0.9, 1} {
			h := p * float64(n-1)
			i := int(h)
			want := all[i]
			if i+1 < n {
				want += (h - float64(i)) * (all[i+1] - all[i])
			}
			if x, bound := Quantile([]Chain{c}, p); math.Abs(x-want) > 1e-6 ||
				bound > 1/float64(n) {
				t.Errorf("%d draws: quantile %v is %v with the bound %v, want %v", n, p,
					x, bound, want)
			}
		}
	}
	if x, bound := Quantile(nil, 0.5); !math.IsNaN(x) || !math.IsNaN(bound) {
		t.Errorf("without draws the median is %v, %v", x, bound)
	}
}
