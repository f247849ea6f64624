package adapt

import (
	"math"
	"testing"
)

// M⁻¹ of each kind of metric is L Lᵀ, and too many numbers are none.
func TestInverse(t *testing.T) {
	diagonal := NewMetric(3, false)
	copy(diagonal.SD, []float64{1, 2, 3})
	dense := NewMetric(2, true)
	copy(dense.L, []float64{2, 0, 1, 3})
	low := NewFoundMetric(2)
	low.SetDirections([]float64{1, 2}, []float64{0.6, 0.8}, []float64{9})
	// S (I + (λ−1) u uᵀ) S
	a, b, c := 1+8*0.36, 8*0.48, 1+8*0.64
	for _, x := range []struct {
		name string
		m    *Metric
		want []float64
	}{
		{"diagonal", diagonal, []float64{1, 4, 9}},
		{"dense", dense, []float64{4, 2, 2, 10}},
		{"low rank", low, []float64{a, 2 * b, 2 * b, 4 * c}},
	} {
		got := x.m.Inverse(len(x.want))
		if len(got) != len(x.want) {
			t.Fatalf("%s: %v", x.name, got)
		}
		for i := range got {
			if math.Abs(got[i]-x.want[i]) > 1e-12 {
				t.Errorf("%s: %v, want %v", x.name, got, x.want)
			}
		}
		if got := x.m.Inverse(len(x.want) - 1); got != nil {
			t.Errorf("%s: %v where fewer numbers are wanted", x.name, got)
		}
	}
}
