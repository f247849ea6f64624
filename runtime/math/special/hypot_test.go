package special

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// TestHypot: within two units in the last place of the root of the exact sum, and at the
// ends as in package math.
func TestHypot(t *testing.T) {
	g := rand.New(rand.NewPCG(3, 5))
	for range 2000 {
		x, y := math.Ldexp(g.NormFloat64(), g.IntN(60)-30), math.Ldexp(g.NormFloat64(), g.IntN(60)-30)
		sum := new(big.Float).SetPrec(300)
		for _, v := range []float64{x, y} {
			b := new(big.Float).SetPrec(300).SetFloat64(v)
			sum.Add(sum, b.Mul(b, b))
		}
		want, _ := sum.Sqrt(sum).Float64()
		if got := Hypot(x, y); !(math.Abs(got-want) <= 0x1p-51*want) {
			t.Errorf("Hypot(%g, %g) = %v, want %v", x, y, got, want)
		}
	}
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range [][2]float64{{0, 0}, {inf, nan}, {nan, -inf}, {nan, 1}, {0, nan}, {nan, 0},
		{1e308, 1e308}, {5e-324, 0}, {0, -3}, {-4, 3}, {1e-320, 1e-320}} {
		got, want := Hypot(c[0], c[1]), math.Hypot(c[0], c[1])
		if math.Float64bits(got) != math.Float64bits(want) && !(got != got && want != want) {
			t.Errorf("Hypot(%g, %g) = %v, want %v", c[0], c[1], got, want)
		}
	}
}
