package flow

import (
	"math"
	"testing"
)

// TestFiniteLarge: numbers whose sum overflows are finite, and Inf − Inf is not.
func TestFiniteLarge(t *testing.T) {
	for n := 2; n < 40; n++ {
		x := make([]float64, n)
		for i := range x {
			x[i] = math.MaxFloat64 * float64(1-2*(i/3%2))
		}
		if !finite(x) {
			t.Errorf("%d large numbers are called not finite", n)
		}
		for i := range x {
			j := (i + 1) % n
			a, b := x[i], x[j]
			x[i], x[j] = math.Inf(1), math.Inf(-1)
			if finite(x) {
				t.Errorf("infinities at %d and %d of %d are called finite", i, j, n)
			}
			x[i], x[j] = a, b
		}
	}
}
