package kernel_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sgppl/sgppl/runtime/math/kernel"
)

// TestCategoryExact holds draws against the definition, where sums are exact:
// weights are whole numbers, and u is of few bits.
func TestCategoryExact(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 0))
	for n := 1; n < 40; n++ {
		for range 50 {
			w, total := make([]float64, n), 0.0
			for i := range w {
				w[i] = float64(r.IntN(4))
				total += w[i]
			}
			if total == 0 {
				w[r.IntN(n)], total = 1, 1
			}
			u := float64(r.IntN(64)) / 64
			want, sum := -1, 0.0
			for k, x := range w {
				if sum += x; sum > u*total {
					want = k
					break
				}
			}
			if got := kernel.Category(w, u); got != float64(want) {
				t.Fatalf("%v at %v: %v, want %d", w, u, got, want)
			}
		}
	}
}

// TestCategoryFrequencies: as often as the weights say.
func TestCategoryFrequencies(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 0))
	w := []float64{0.3, 0, 1.7, 2.5, 0.01, 4, 0.25, 0, 1e-3, 3}
	total := 0.0
	for _, x := range w {
		total += x
	}
	const draws = 40000
	count := make([]float64, len(w))
	for range draws {
		count[int(kernel.Category(w, r.Float64()))]++
	}
	for k, c := range count {
		p := w[k] / total
		if sd := math.Sqrt(draws * p * (1 - p)); math.Abs(c-draws*p) > 5*sd {
			t.Errorf("category %d: %v draws, want %.0f ± %.0f", k, c, draws*p, sd)
		}
	}
}

// TestCategoryEnds: a category without weight is never drawn, and what no
// number says gives one all the same.
func TestCategoryEnds(t *testing.T) {
	nan, below := math.NaN(), math.Nextafter(1, 0)
	for _, c := range []struct {
		w    []float64
		u    float64
		want float64
	}{
		{[]float64{0, 0, 2, 0}, 0, 2},
		{[]float64{0, 0, 2, 0}, below, 2},
		{[]float64{1, 1, 1, 1, 1, 1, 0}, 1, 5}, // beyond all: the last of them
		{[]float64{0, 0, 0, 0, 0}, 0.5, 0},
		{[]float64{nan, nan}, 0.5, 0},
		{[]float64{1, nan, 1}, 0.5, 2},
		{[]float64{1, 1}, nan, 1},
		{[]float64{math.Inf(1), 1}, 0.5, 1},
		{nil, 0.5, 0},
	} {
		if got := kernel.Category(c.w, c.u); got != c.want {
			t.Errorf("%v at %v: %v, want %v", c.w, c.u, got, c.want)
		}
	}
	// Weights of all sizes: whatever is rounded, one with weight is drawn.
	r := rand.New(rand.NewPCG(7, 0))
	for range 2000 {
		w := make([]float64, 1+r.IntN(33))
		for i := range w {
			if r.IntN(3) > 0 {
				w[i] = math.Exp(40 * r.NormFloat64())
			}
		}
		w[r.IntN(len(w))] = 1
		for _, u := range []float64{0, r.Float64(), below} {
			if k := kernel.Category(w, u); !(w[int(k)] > 0) {
				t.Fatalf("%v at %v: %v, which has no weight", w, u, k)
			}
		}
	}
}

func TestCategories(t *testing.T) {
	dst := make([]float64, 6)
	kernel.Categories(dst, []float64{1, 1, 0, 1, 3, 1}, []float64{0.6, 0.4, 0, 0.9, 0.7, 0.8}, 3, 2, 2)
	if want := []float64{1, 0, 1, 1, 0, 1}; !slices.Equal(dst, want) {
		t.Errorf("%v, want %v", dst, want)
	}
}

func TestAddAt(t *testing.T) {
	x := []float64{1, 2, 3, 4, 5, 6}
	dst := make([]float64, 6)
	kernel.AddAt(dst, x, []float64{2, -1}, []float64{10, 20}, 2, 3)
	if want := []float64{1, 2, 13, 4, 5, 6}; !slices.Equal(dst, want) {
		t.Errorf("%v, want %v", dst, want)
	}
	kernel.AddAt(x, x, []float64{0, 1}, []float64{-1, 0.5}, 2, 3)
	if want := []float64{0, 2, 3, 4, 5.5, 6}; !slices.Equal(x, want) {
		t.Errorf("%v, want %v", x, want)
	}
	before := slices.Clone(x)
	for _, at := range []float64{3, -1, 0.5, math.NaN(), math.Inf(1), math.Inf(-1), 1e300} {
		kernel.AddAt(x, x, []float64{at, at}, []float64{1, 1}, 2, 3)
		if !slices.Equal(x, before) {
			t.Fatalf("something was added at %v: %v", at, x)
		}
	}
	kernel.AddAt(nil, nil, nil, nil, 0, 3)
}

func BenchmarkCategory(b *testing.B) {
	for _, n := range []int{2, 30, 128} {
		b.Run(map[int]string{2: "2", 30: "30", 128: "128"}[n], func(b *testing.B) {
			r := rand.New(rand.NewPCG(8, 0))
			w, u := make([]float64, n), make([]float64, 1<<12)
			for i := range w {
				w[i] = r.Float64()
			}
			for i := range u {
				u[i] = r.Float64()
			}
			sum := 0.0
			for i := range b.N {
				sum += kernel.Category(w, u[i&(1<<12-1)])
			}
			if sum < 0 {
				b.Fatal(sum)
			}
		})
	}
}
