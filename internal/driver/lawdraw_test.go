package driver_test

import (
	"math"
	"slices"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
)

// TestLawDrawer: draws have the law's moments, depend on the seed and on the draws before alone,
// and are of the arguments that are given.
func TestLawDrawer(t *testing.T) {
	draws := func(seed uint64) (all []float64) {
		d := &driver.LawDrawer{Seed: seed}
		for range 4000 {
			x, err := d.Draw("normal.sample(a, b)", []string{"a", "b"}, [][]int{{2}, {}},
				[][]float64{{1, -3}, {0.5}})
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, x...)
		}
		return all
	}
	x := draws(3)
	if !slices.Equal(x, draws(3)) || slices.Equal(x, draws(4)) {
		t.Error("draws do not follow the seed")
	}
	for k, mean := range []float64{1, -3} {
		sum, square := 0.0, 0.0
		for i := k; i < len(x); i += 2 {
			sum += x[i]
			square += (x[i] - mean) * (x[i] - mean)
		}
		n := float64(len(x) / 2)
		if math.Abs(sum/n-mean) > 5*0.5/math.Sqrt(n) || math.Abs(square/n-0.25) > 0.04 {
			t.Errorf("mean %v and variance %v, want %v and 0.25", sum/n, square/n, mean)
		}
	}
	d := &driver.LawDrawer{Seed: 1}
	x, err := d.Draw("poisson.sample(a)", []string{"a"}, [][]int{{}}, [][]float64{{7}})
	if err != nil || len(x) != 1 || x[0] != math.Floor(x[0]) {
		t.Errorf("poisson: %v, %v", x, err)
	}
	if _, err := d.Draw("sphinx.sample(1)", nil, nil, nil); err == nil {
		t.Error("an unknown law draws")
	}
}
