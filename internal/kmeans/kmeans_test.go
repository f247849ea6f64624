package kmeans

import (
	"math"
	"slices"
	"testing"

	"github.com/sgppl/sgppl/runtime/math/rng"
)

func source(seed uint64) *rng.Source {
	src := rng.New(seed, 0, rng.Test).At(0)
	return &src
}

// TestDirections: 20 von Mises–Fisher clusters in R^16 are all found, for every
// seed; centres are of length 1 and near the clusters' means.
func TestDirections(t *testing.T) {
	const k, d, n = 20, 16, 4000
	for seed := range uint64(8) {
		src := source(seed)
		mu, rows := make([]float64, k*d), make([]float64, n*d)
		for i := range k {
			src.UniformSphere(mu[i*d : (i+1)*d])
		}
		for i := range n {
			c := src.IntN(k)
			src.VonMisesFisher(rows[i*d:(i+1)*d], mu[c*d:(c+1)*d], 80)
		}
		got, spread := Centres(rows, d, Options{K: k, Unit: true, Swaps: 2 * k, Lloyd: 20},
			source(100+seed))
		found := map[int]bool{}
		for i := range k {
			x := got[i*d : (i+1)*d]
			if l := dot(x, x); math.Abs(l-1) > 1e-12 {
				t.Fatalf("seed %d: a centre of squared length %v", seed, l)
			}
			best := 0
			for j := range k {
				if dot(x, mu[j*d:(j+1)*d]) > dot(x, mu[best*d:(best+1)*d]) {
					best = j
				}
			}
			if c := dot(x, mu[best*d:(best+1)*d]); c < 0.95 {
				t.Errorf("seed %d: the centre nearest to mean %d has cosine %v with it",
					seed, best, c)
			}
			found[best] = true
		}
		if len(found) != k {
			t.Errorf("seed %d: %d of %d clusters found", seed, len(found), k)
		}
		// E |x − μ|² = 2 (1 − A(κ)), A(80) = 0.9101 in R^16
		if math.Abs(spread-2*(1-0.9101)) > 0.01 {
			t.Errorf("seed %d: spread %v", seed, spread)
		}
	}
}

// TestSmallClusters: clusters of 20 rows are found next to one of 700, which
// two centres would share with almost the same spread.
func TestSmallClusters(t *testing.T) {
	const k, d = 5, 64
	for seed := range uint64(5) {
		src := source(seed)
		var rows []float64
		mu := make([]float64, k*d)
		for c, n := range []int{700, 300, 20, 20, 20} {
			m, x := mu[c*d:(c+1)*d], make([]float64, d)
			src.UniformSphere(m)
			for range n {
				src.VonMisesFisher(x, m, 60)
				rows = append(rows, x...)
			}
		}
		got, _ := Centres(rows, d, Options{K: k, Unit: true, Swaps: 20 * k, Lloyd: 20},
			source(100+seed))
		for c := range k {
			best := 0.0
			for j := range k {
				best = max(best, dot(mu[c*d:(c+1)*d], got[j*d:(j+1)*d]))
			}
			if best < 0.9 {
				t.Errorf("seed %d: no centre is near the mean of cluster %d; the best cosine is %.3f", seed, c,
					best)
			}
		}
	}
}

// TestNumbers: centres of numbers are the means of what is nearest to them.
func TestNumbers(t *testing.T) {
	src := source(1)
	var rows []float64
	for i := range 900 {
		rows = append(rows, 10*float64(i%3)+src.Normal())
	}
	got, spread := Centres(rows, 1, Options{K: 3, Swaps: 6, Lloyd: 50}, source(2))
	total := 0.0
	for _, c := range got {
		s, n := 0.0, 0
		for _, x := range rows {
			if slices.IndexFunc(got, func(o float64) bool {
				return math.Abs(x-o) < math.Abs(x-c)
			}) < 0 {
				s, n = s+x, n+1
				total += (x - c) * (x - c) / 900
			}
		}
		if n < 250 || math.Abs(s/float64(n)-c) > 1e-9 {
			t.Errorf("centre %v is not the mean %v of its %d rows", c, s/float64(n), n)
		}
	}
	if math.Abs(spread-total) > 1e-9 {
		t.Errorf("spread %v, of the centres %v", spread, total)
	}
	again, _ := Centres(rows, 1, Options{K: 3, Swaps: 6, Lloyd: 50}, source(2))
	if !slices.Equal(got, again) {
		t.Error("the same source gives other centres")
	}
}

// TestFewRows: fewer rows than centres, equal rows and rows that cancel are no trouble.
func TestFewRows(t *testing.T) {
	for _, rows := range [][]float64{{1, 0}, {1, 0, 1, 0, 1, 0}, {1, 0, -1, 0},
		{0, 1, 0, -1, 0, 1, 0, -1, 1, 0}} {
		for _, k := range []int{1, 2, 4} {
			got, spread := Centres(rows, 2, Options{K: k, Unit: true, Swaps: 3, Lloyd: 10},
				source(3))
			if len(got) != 2*k || !(spread >= 0) {
				t.Fatalf("%v: centres %v, spread %v", rows, got, spread)
			}
			for i := range k {
				if l := dot(got[2*i:2*i+2], got[2*i:2*i+2]); math.Abs(l-1) > 1e-12 {
					t.Errorf("%v: centre %v", rows, got[2*i:2*i+2])
				}
			}
		}
	}
}

func dot(x, y []float64) (s float64) {
	for i := range x {
		s += x[i] * y[i]
	}
	return s
}
