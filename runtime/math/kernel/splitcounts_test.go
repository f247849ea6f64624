package kernel_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sgppl/sgppl/runtime/math/kernel"
)

// split parts one count among classes.
func split(n float64, w, s []float64, u float64) []float64 {
	dst := make([]float64, len(w))
	kernel.SplitCounts(dst, []float64{n}, w, s, []float64{u}, 1, 1, len(w))
	return dst
}

// pearson is how many standard deviations Pearson's statistic is off its mean
// (Wilson and Hilferty's approximation); neighbours are joined until each
// expects ten.
func pearson(observed, expected []float64) float64 {
	var o, e []float64
	a, b := 0.0, 0.0
	for i := range observed {
		if a, b = a+observed[i], b+expected[i]; b >= 10 {
			o, e, a, b = append(o, a), append(e, b), 0, 0
		}
	}
	last := len(o) - 1
	o[last], e[last] = o[last]+a, e[last]+b
	stat, k := 0.0, float64(last)
	for i := range o {
		stat += (o[i] - e[i]) * (o[i] - e[i]) / e[i]
	}
	return (math.Cbrt(stat/k) - (1 - 2/(9*k))) / math.Sqrt(2/(9*k))
}

func lgamma(x float64) float64 { v, _ := math.Lgamma(x); return v }

// multinomial is the probability of parts of a count.
func multinomial(parts, p []float64) float64 {
	n, l := 0.0, 0.0
	for j, y := range parts {
		n, l = n+y, l-lgamma(y+1)
		if y > 0 {
			l += y * math.Log(p[j])
		}
	}
	return math.Exp(l + lgamma(n+1))
}

// TestSplitCountsLaw: parts of small counts have the multinomial law, outcome by
// outcome, and the marginals of large ones are binomial, of single classes and
// of several together.
func TestSplitCountsLaw(t *testing.T) {
	w, s := []float64{0, 0.4, 2, 0, 1.5, 3, 0.1, 0}, []float64{1, 2, 0.5, 3, 0.4, 1, 1, 0}
	p, total := make([]float64, len(w)), 0.0
	for j := range w {
		p[j] = w[j] * s[j]
		total += p[j]
	}
	for j := range p {
		p[j] /= total
	}
	const draws = 40000
	for _, n := range []float64{1, 2, 7} {
		r := rand.New(rand.NewPCG(31, uint64(n)))
		seen := map[[8]float64]float64{}
		for range draws {
			seen[[8]float64(split(n, w, s, r.Float64()))]++
		}
		var observed, expected []float64
		parts := make([]float64, len(w))
		var each func(j int, left float64)
		each = func(j int, left float64) {
			if j == len(w)-1 {
				parts[j] = left
				key := [8]float64(parts)
				if q := multinomial(parts, p); q > 0 {
					observed, expected = append(observed, seen[key]), append(expected, draws*q)
					delete(seen, key)
				}
				return
			}
			for y := 0.0; y <= left; y++ {
				parts[j] = y
				each(j+1, left-y)
			}
		}
		each(0, n)
		if len(seen) > 0 {
			t.Errorf("n = %v: parts without probability: %v", n, seen)
		}
		if z := pearson(observed, expected); !(math.Abs(z) < 4.5) {
			t.Errorf("n = %v: chi-square off by %v standard deviations, %d outcomes", n, z,
				len(observed))
		}
	}
	for _, n := range []int{31, 95, 96, 130, 1000, 50000} {
		testManyCounts(t, n, w, s, p)
	}
}

// testManyCounts holds how many of n counts each class has, and some classes have
// together, against binomial laws.
func testManyCounts(t *testing.T, n int, w, s, p []float64) {
	const draws = 5000
	sets := [][]int{{1}, {2}, {4}, {5}, {6}, {1, 5}, {2, 4, 6}, {1, 2, 4}}
	counts := make([][]float64, len(sets))
	for i := range counts {
		counts[i] = make([]float64, n+1)
	}
	r := rand.New(rand.NewPCG(32, uint64(n)))
	for range draws {
		y := split(float64(n), w, s, r.Float64())
		for i, set := range sets {
			sum := 0.0
			for _, j := range set {
				sum += y[j]
			}
			counts[i][int(sum)]++
		}
	}
	for i, set := range sets {
		q := 0.0
		for _, j := range set {
			q += p[j]
		}
		expected := make([]float64, n+1)
		for k := range expected {
			expected[k] = draws * multinomial([]float64{float64(k), float64(n - k)},
				[]float64{q, 1 - q})
		}
		if z := pearson(counts[i], expected); !(math.Abs(z) <= 4) {
			t.Errorf("n = %d, classes %v: chi-square off by %v standard deviations", n, set, z)
		}
	}
}

// TestSplitCountsEnds: nothing is lost whatever the weights, classes of weight 0
// get nothing, and where no class has a weight, or one is no number, all are
// equally likely.
func TestSplitCountsEnds(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 0))
	for range 3000 {
		k := 1 + r.IntN(20)
		w, s := make([]float64, k), make([]float64, k)
		for j := range w {
			if s[j] = math.Exp(20 * r.NormFloat64()); r.IntN(3) > 0 {
				w[j] = math.Exp(20 * r.NormFloat64())
			}
		}
		w[r.IntN(k)] = 1
		n := []float64{0, 1, 2, 3, 50, 1000, 1e9, 1 << 52}[r.IntN(8)]
		for _, u := range []float64{0, r.Float64(), math.Nextafter(1, 0), 1} {
			sum := 0.0
			for j, y := range split(n, w, s, u) {
				if sum += y; y != math.Trunc(y) || y < 0 || y > 0 && w[j] == 0 {
					t.Fatalf("class %d of %v·%v has %v of %v", j, w, s, y, n)
				}
			}
			if sum != n {
				t.Fatalf("%v of %v are left, of weights %v·%v at %v", sum, n, w, s, u)
			}
		}
	}
	for _, w := range [][]float64{{0, 0, 0, 0}, {math.Inf(1), 1, 0, 1}, {math.NaN(), 1, 1, 1}} {
		count := make([]float64, 4)
		for range 4000 {
			for j, y := range split(5, w, []float64{1, 1, 1, 1}, r.Float64()) {
				count[j] += y
			}
		}
		for j, c := range count {
			if sd := math.Sqrt(20000 * 0.25 * 0.75); !(math.Abs(c-5000) < 5*sd) {
				t.Errorf("weights %v: class %d has %v of 20000", w, j, c)
			}
		}
	}
	for _, n := range []float64{0, math.NaN(), -1} {
		if y := split(n, []float64{1, 2}, []float64{1, 1}, 0.5); !slices.Equal(y, []float64{0, 0}) {
			t.Errorf("a count of %v has the parts %v", n, y)
		}
	}
}

// TestSplitCountsBatch: arrays of a batch are parted each for itself, sums go
// over the counts of one, and nothing is allocated.
func TestSplitCountsBatch(t *testing.T) {
	const batch, m, k = 3, 4, 5
	r := rand.New(rand.NewPCG(34, 0))
	n, w, s, u := make([]float64, batch*m), make([]float64, batch*m*k), make([]float64, batch*k),
		make([]float64, batch*m)
	for i := range n {
		n[i], u[i] = float64(r.IntN(5)), r.Float64()
	}
	for i := range w {
		w[i] = r.Float64()
	}
	for i := range s {
		s[i] = r.Float64()
	}
	dst := make([]float64, batch*k)
	for i := range dst {
		dst[i] = math.NaN() // it is overwritten
	}
	kernel.SplitCounts(dst, n, w, s, u, batch, m, k)
	for b := range batch {
		want := make([]float64, k)
		for i := b * m; i < (b+1)*m; i++ {
			for j, y := range split(n[i], w[i*k:(i+1)*k], s[b*k:(b+1)*k], u[i]) {
				want[j] += y
			}
		}
		if !slices.Equal(dst[b*k:(b+1)*k], want) {
			t.Errorf("array %d: %v, want %v", b, dst[b*k:(b+1)*k], want)
		}
	}
	if a := testing.AllocsPerRun(20, func() {
		kernel.SplitCounts(dst, n, w, s, u, batch, m,
			k)
	}); a != 0 {
		t.Errorf("%v allocations", a)
	}
	kernel.SplitCounts(nil, nil, nil, nil, nil, 0, 3, 2)
}

func BenchmarkSplitCounts(b *testing.B) {
	const m, k = 100, 128
	r := rand.New(rand.NewPCG(35, 0))
	n, w, s, u, dst := make([]float64, m), make([]float64, m*k), make([]float64, k),
		make([]float64, m), make([]float64, k)
	for i := range n {
		n[i] = 1 + float64(r.IntN(10)/8)
	}
	for i := range w {
		w[i] = r.Float64()
	}
	for j := range s {
		s[j] = r.Float64()
	}
	for b.Loop() {
		for i := range u {
			u[i] = r.Float64()
		}
		kernel.SplitCounts(dst, n, w, s, u, 1, m, k)
	}
}

// BenchmarkSplitMany parts one large count.
func BenchmarkSplitMany(b *testing.B) {
	const k = 128
	r := rand.New(rand.NewPCG(36, 0))
	w, s, dst := make([]float64, k), make([]float64, k), make([]float64, k)
	for i := range w {
		w[i], s[i] = r.Float64(), r.Float64()
	}
	for _, n := range []float64{20, 40, 100, 300, 1000, 100000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				kernel.SplitCounts(dst, []float64{n}, w, s, []float64{r.Float64()}, 1, 1, k)
			}
		})
	}
}
