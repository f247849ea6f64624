package special

import (
	"math"
	"testing"
)

// Choices are made by the value of a number: both zeros are false, and NaN is true.
func TestChoicesOfZeros(t *testing.T) {
	tiny, minus, quiet := math.SmallestNonzeroFloat64, math.Copysign(0, -1), math.NaN()
	values := []float64{0, minus, tiny, -tiny, 1, -1, math.Inf(1), math.Inf(-1), quiet}
	for _, c := range values {
		for _, x := range values {
			want := x
			if c == 0 {
				want = -x
			}
			if got := Select(c, x, -x); math.Float64bits(got) != math.Float64bits(want) {
				t.Errorf("Select(%v, %v, %v) = %v", c, x, -x, got)
			}
			product := c * x
			if c == 0 {
				product = 0
			}
			same := math.Float64bits(Mul0(c, x)) == math.Float64bits(product)
			if !same && product == product { // the bits of a NaN are the machine's
				t.Errorf("Mul0(%v, %v) = %v, want %v", c, x, Mul0(c, x), product)
			}
		}
	}
}
