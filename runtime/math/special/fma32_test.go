package special

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// FMA32 rounds once: against exact arithmetic, near ties above all.
func TestFMA32(t *testing.T) {
	t.Run("here", func(t *testing.T) { testFMA32(t, FMA32) })
	t.Run("soft", func(t *testing.T) { testFMA32(t, softFMA32) })
}

func testFMA32(t *testing.T, fma32 func(x, y, z float32) float32) {
	g := rand.New(rand.NewPCG(6, 6))
	for range 200000 {
		x, y := math.Float32frombits(g.Uint32()), math.Float32frombits(g.Uint32())
		z := math.Float32frombits(g.Uint32())
		switch g.IntN(4) {
		case 0: // a product far below half a unit of z, next to a tie
			z = float32(math.Ldexp(float64(1<<23+g.IntN(1<<23)), g.IntN(40)-170))
			x = float32(math.Ldexp(1+float64(g.IntN(3)-1)*0x1p-23, -60))
			y = float32(math.Ldexp(float64(1+g.IntN(3)), g.IntN(40)-110))
		case 1:
			x = float32(g.IntN(1<<24)) * 0x1p-75
			y = float32(g.IntN(1<<24)) * 0x1p-75
			z = math.Float32frombits(g.Uint32() & (1<<24 - 1))
		case 2:
			z = float32(-float64(x) * float64(y))
		}
		if x-x != 0 || y-y != 0 || z-z != 0 {
			continue
		}
		e := new(big.Float).SetPrec(600).Mul(big.NewFloat(float64(x)), big.NewFloat(float64(y)))
		e.Add(e, big.NewFloat(float64(z)))
		want, _ := e.Float32()
		if got := fma32(x, y, z); got != want {
			t.Fatalf("fma32(%x, %x, %x) = %x, want %x", x, y, z, got, want)
		}
	}
	inf := float32(math.Inf(1))
	for _, c := range [][4]float32{{inf, 1, 1, inf}, {1, 1, -inf, -inf},
		{math.MaxFloat32, 2, 0, inf}, {math.MaxFloat32, 1, math.MaxFloat32, inf}} {
		if got := fma32(c[0], c[1], c[2]); got != c[3] {
			t.Errorf("fma32(%v, %v, %v) = %v", c[0], c[1], c[2], got)
		}
	}
	if v := fma32(inf, 0, 1); v == v {
		t.Errorf("fma32(∞, 0, 1) = %v", v)
	}
}
