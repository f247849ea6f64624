package rng

import (
	"math"
	"testing"

	"github.com/sgppl/sgppl/runtime/math/cpu"
)

// Bulk calls give the same bits at every level, whatever their length, and
// touch nothing beyond their end.
func TestLevelsAgree(t *testing.T) {
	defer func(l cpu.Level) { level = l }(level)
	for step := range uint64(300) {
		n := int(step * 7 % 263)
		if step%50 == 0 {
			n = 40000 + int(step)
		}
		s := New(11, int(step%3), Test)
		var want [2][]float64
		var want32 []float32
		for _, l := range cpu.Levels() {
			level = l
			for i, fill := range []func(uint64, []float64){s.Normals, s.Uniforms} {
				x := make([]float64, n+1)
				x[n] = 42
				fill(step, x[:n])
				if l == cpu.Portable {
					want[i] = x
				}
				for j, w := range want[i] {
					if math.Float64bits(x[j]) != math.Float64bits(w) {
						t.Fatalf("%v, call %d: element %d of %d is %v, want %v", l, i, j, n, x[j], w)
					}
				}
			}
			x := make([]float32, n+1)
			x[n] = 42
			s.Normals32(step, x[:n])
			if l == cpu.Portable {
				want32 = x
			}
			for j, w := range want32 {
				if math.Float32bits(x[j]) != math.Float32bits(w) {
					t.Fatalf("%v, single precision: element %d of %d is %v, want %v", l, j, n, x[j], w)
				}
			}
		}
	}
}

// A pair in single precision is that of the formula, to rounding; also where u
// is smallest, largest, and around powers of two.
func TestBoxMuller32(t *testing.T) {
	source := New(12, 0, Test).At(0)
	words := []uint32{0, 1, 2, 3, 1 << 31, 1<<31 - 1, 1<<32 - 1, 1<<32 - 2, 0xb504f333, 0xb504f300,
		0x5a827999, 1 << 30, 3 << 30}
	for range 200000 {
		w := source.Uint64()
		words = append(words, uint32(w)>>(w>>58&15))
	}
	for i, a := range words {
		b := words[(i*7+3)%len(words)]
		x, y := boxMuller32(a, b)
		u := float64(float32(int32(a>>1|1))) * 0x1p-31
		r := math.Sqrt(-2 * math.Log(u))
		sin, cos := math.Sincos(math.Pi / 2 * (float64(float32(int32(b&^3|2))) * 0x1p-32))
		if b&1 != 0 {
			cos = -cos
		}
		if b&2 != 0 {
			sin, cos = cos, sin
		}
		if math.Abs(float64(x)-r*cos) > 3e-7*(r+1e-10) ||
			math.Abs(float64(y)-r*sin) > 3e-7*(r+1e-10) {
			t.Fatalf("boxMuller32(%#x, %#x) = %v, %v, want %v, %v", a, b, x, y, r*cos, r*sin)
		}
	}
}
