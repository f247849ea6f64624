package vm

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sgppl/sgppl/ir"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// A vector form gives the bits of its op's function, special values included.
func TestVectors(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	odd := []float64{0, math.Copysign(0, -1), 1, -1, math.Inf(1), math.Inf(-1), math.NaN(), 1e-310,
		700, -750}
	for name, f := range vectors {
		op, ok := ir.Lookup(name)
		if !ok || op.Class != ir.Map {
			t.Errorf("%s is no map of the op table", name)
			continue
		}
		const n = 259 // no multiple of what a kernel takes at a time
		var x [3][]float64
		for k := range x {
			x[k] = make([]float64, n)
			for i := range x[k] {
				x[k][i] = 3 * r.NormFloat64()
				if r.IntN(3) == 0 {
					x[k][i] = odd[r.IntN(len(odd))]
				}
			}
		}
		dst := make([]float64, n)
		f(dst, x[0], x[1], x[2])
		for i, got := range dst {
			want := op.Eval([3]float64{x[0][i], x[1][i], x[2][i]})
			if math.Float64bits(got) != math.Float64bits(want) && !(got != got && want != want) {
				t.Errorf("%s(%v, %v, %v) = %v, the table says %v", name, x[0][i], x[1][i], x[2][i],
					got, want)
				break
			}
		}
	}
}

// In single precision a vector form gives what the op's function gives, in
// double precision, rounded once; exp has a function of its own.
func TestVectors32(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 3))
	odd := []float32{0, float32(math.Copysign(0, -1)), 1, -1, float32(math.Inf(1)),
		float32(math.Inf(-1)), float32(math.NaN()), 1e-40, 80, -100, 3e38}
	for name := range vectors {
		if vectors32[name] == nil {
			t.Errorf("%s has no form in single precision", name)
		}
	}
	for name, f := range vectors32 {
		op, ok := ir.Lookup(name)
		if !ok || op.Class != ir.Map {
			t.Errorf("%s is no map of the op table", name)
			continue
		}
		const n = 259
		var x [3][]float32
		for k := range x {
			x[k] = make([]float32, n)
			for i := range x[k] {
				x[k][i] = float32(3 * r.NormFloat64())
				if r.IntN(3) == 0 {
					x[k][i] = odd[r.IntN(len(odd))]
				}
			}
		}
		dst := make([]float32, n)
		f(dst, x[0], x[1], x[2])
		for i, got := range dst {
			want := float32(op.Eval([3]float64{float64(x[0][i]), float64(x[1][i]),
				float64(x[2][i])}))
			if name == "exp" {
				want = special.Exp32(x[0][i])
			}
			if math.Float32bits(got) != math.Float32bits(want) && !(got != got && want != want) {
				t.Errorf("%s(%v, %v, %v) = %v, the table says %v", name, x[0][i], x[1][i], x[2][i],
					got, want)
				break
			}
		}
	}
}
