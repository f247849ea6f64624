package kernel

import (
	"math"
	"testing"
)

func TestNarrowWiden(t *testing.T) {
	src := []float64{0, math.Copysign(0, -1), 1, 0.1, -math.Pi, 1 + 0x1p-24, 1 + 0x3p-24, 1e300, -1e300, 1e-300, math.Inf(1), 0x1p-149, 0x1.8p-149, 16777217, 3, 4, 5, 6, 7}
	for n := range len(src) + 1 {
		dst, back := make([]float32, n), make([]float64, n)
		Narrow(dst, src)
		Widen(back, dst)
		for i, x := range src[:n] {
			if want := float32(x); math.Float32bits(dst[i]) != math.Float32bits(want) {
				t.Errorf("%v narrowed is %v, not %v", x, dst[i], want)
			}
			if back[i] != float64(dst[i]) {
				t.Errorf("%v widened is %v", dst[i], back[i])
			}
		}
	}
}
