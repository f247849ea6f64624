package special

import (
	"math"
	"testing"
)

// The choices in single precision are those in double precision of the same
// numbers, bit for bit.
func TestChoices32(t *testing.T) {
	inf := float32(math.Inf(1))
	nan := float32(math.NaN())
	xs := []float32{0, float32(math.Copysign(0, -1)), 1, -1, 0.1, -3.5, 2, 1e-40, -1e-40, 3e38, inf,
		-inf, nan}
	same := func(what string, got float32, want float64, args ...float32) {
		t.Helper()
		if got != got && want != want {
			return
		}
		if math.Float32bits(got) != math.Float32bits(float32(want)) {
			t.Errorf("%s%v = %v, not %v", what, args, got, want)
		}
	}
	for _, x := range xs {
		same("Abs", Abs32(x), math.Abs(float64(x)), x)
		same("Sqrt", Sqrt32(x), math.Sqrt(float64(x)), x)
		same("Sign", Sign32(x), Sign(float64(x)), x)
		same("Relu", Relu32(x), Relu(float64(x)), x)
		for _, y := range xs {
			same("Min", Min32(x, y), Min(float64(x), float64(y)), x, y)
			same("Max", Max32(x, y), Max(float64(x), float64(y)), x, y)
			same("Mul0", Mul032(x, y), Mul0(float64(x), float64(y)), x, y)
			same("Bool", Bool32(x < y), Bool(x < y), x, y)
			for _, c := range xs {
				same("Select", Select32(c, x, y), Select(float64(c), float64(x), float64(y)), c, x, y)
			}
		}
	}
}
