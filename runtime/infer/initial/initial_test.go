package initial

import (
	"math"
	"slices"
	"testing"

	"github.com/sgppl/sgppl/runtime/math/rng"
)

// Every law has the mean and the variance that it states, and is a function of the stream.
func TestLaws(t *testing.T) {
	for _, c := range []struct {
		name     string
		args     []float64
		mean, sd float64
		within   float64 // of the mean; 0: anywhere
	}{
		{Constant, []float64{2.5}, 2.5, 0, 1e-300},
		{"normal", []float64{-1, 0.3}, -1, 0.3, 0},
		{"uniform", []float64{2, 4}, 3, 2 / math.Sqrt(12), 1},
		{"glorot", []float64{100, 20}, 0, math.Sqrt(2. / 120), math.Sqrt(6. / 120)},
		{"he", []float64{50}, 0, math.Sqrt(2. / 50), 0},
		{"orthogonal", nil, 0, math.Sqrt(1. / 200), 1},
	} {
		l, ok := Lookup(c.name)
		if !ok || len(l.Args) != len(c.args) || l.Doc == "" {
			t.Fatalf("%s: %v", c.name, l)
		}
		draw := func(chain int) []float64 {
			src := rng.New(7, chain, rng.Init).At(0)
			out := make([]float64, 100*200)
			l.Draw(c.args, []int{100, 200}, &src, out)
			return out
		}
		x := draw(0)
		if !slices.Equal(x, draw(0)) || c.sd > 0 && slices.Equal(x, draw(1)) {
			t.Errorf("%s: the draw is no function of seed and chain", c.name)
		}
		var sum, square float64
		for _, v := range x {
			sum += v - c.mean
			square += (v - c.mean) * (v - c.mean)
			if c.within > 0 && math.Abs(v-c.mean) > c.within {
				t.Fatalf("%s: %v is further than %v from %v", c.name, v, c.within, c.mean)
			}
		}
		n := float64(len(x))
		if got := sum / n; math.Abs(got) > 5*c.sd/math.Sqrt(n) {
			t.Errorf("%s: the mean is %v beside %v", c.name, got, c.mean)
		}
		if got := math.Sqrt(square / n); math.Abs(got-c.sd) > 0.03*c.sd {
			t.Errorf("%s: the standard deviation is %v, want %v", c.name, got, c.sd)
		}
	}
	if len(Laws()) != 6 {
		t.Errorf("%d laws, the test knows 6", len(Laws()))
	}
}

// Matrices of either shape have orthonormal rows or columns, each one of a family its own.
func TestOrthogonal(t *testing.T) {
	for _, shape := range [][]int{{3, 4, 7}, {2, 7, 4}, {5, 5}, {1, 1}, {0, 3}, {2, 3, 0}} {
		count := 1
		for _, n := range shape {
			count *= n
		}
		src := rng.New(3, 1, rng.Init).At(0)
		out := make([]float64, count)
		l, _ := Lookup("orthogonal")
		l.Draw(nil, shape, &src, out)
		r, c := shape[len(shape)-2], shape[len(shape)-1]
		if count == 0 {
			continue
		}
		for at := 0; at < count; at += r * c {
			m := out[at:][:r*c]
			get := func(v, i int) float64 {
				if r <= c {
					return m[v*c+i]
				}
				return m[i*c+v]
			}
			for u := range min(r, c) {
				for v := range u + 1 {
					dot, want := 0.0, 0.0
					for i := range max(r, c) {
						dot += get(u, i) * get(v, i)
					}
					if u == v {
						want = 1
					}
					if math.Abs(dot-want) > 1e-14 {
						t.Errorf("%v: vectors %d and %d have the product %v", shape, u, v, dot)
					}
				}
			}
			if at > 0 && m[0] == out[0] {
				t.Errorf("%v: two members are equal", shape)
			}
		}
	}
}
