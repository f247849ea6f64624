package kernel

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sgppl/sgppl/runtime/math/special"
)

// entrywise are the ops with their functions.
var entrywise = map[Op]func(x, y, z float64) float64{
	OpCopy:   func(x, _, _ float64) float64 { return x },
	OpAdd:    func(x, y, _ float64) float64 { return x + y },
	OpSub:    func(x, y, _ float64) float64 { return x - y },
	OpMul:    func(x, y, _ float64) float64 { return x * y },
	OpDiv:    func(x, y, _ float64) float64 { return x / y },
	OpMul0:   func(x, y, _ float64) float64 { return special.Mul0(x, y) },
	OpEq:     func(x, y, _ float64) float64 { return special.Bool(x == y) },
	OpNe:     func(x, y, _ float64) float64 { return special.Bool(x != y) },
	OpLt:     func(x, y, _ float64) float64 { return special.Bool(x < y) },
	OpLe:     func(x, y, _ float64) float64 { return special.Bool(x <= y) },
	OpLarger: func(x, y, _ float64) float64 { return max(x, y) },
	OpAddFinite: func(x, y, _ float64) float64 {
		if math.IsInf(x, 0) {
			return x
		}
		return x + y
	},
	OpSelect: special.Select,
	OpNeg:    func(x, _, _ float64) float64 { return -x },
	OpAbs:    func(x, _, _ float64) float64 { return math.Abs(x) },
	OpSqrt:   func(x, _, _ float64) float64 { return math.Sqrt(x) },
}

// operands are three arrays of n numbers, special ones among them.
func operands(r *rand.Rand, n int) (x [3][]float64) {
	odd := []float64{0, math.Copysign(0, -1), 1, math.Inf(1), math.Inf(-1), math.NaN(), 1e-310, 1e308}
	for k := range x {
		x[k] = make([]float64, n)
		for i := range x[k] {
			x[k][i] = 3 * r.NormFloat64()
			if r.IntN(3) == 0 {
				x[k][i] = odd[r.IntN(len(odd))]
			}
		}
	}
	return x
}

func sameBits(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b
}

// Every op has the bits of its function at every level and length, also in place, and touches
// nothing beyond.
func TestEntrywise(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(4, 1))
		for op, f := range entrywise {
			for n := range 70 {
				x := operands(r, n)
				dst := make([]float64, n+1)
				dst[n] = 9
				Entrywise(op, dst[:n], x[0], x[1], x[2])
				for i := range n {
					if want := f(x[0][i], x[1][i], x[2][i]); !sameBits(dst[i], want) {
						t.Fatalf("op %d of %v, %v, %v is %v, not %v", op, x[0][i], x[1][i], x[2][i],
							dst[i], want)
					}
				}
				if dst[n] != 9 {
					t.Fatalf("op %d of %d entries writes beyond", op, n)
				}
				Entrywise(op, x[0], x[0], x[1], x[2])
				for i := range n {
					if !sameBits(dst[i], x[0][i]) {
						t.Fatalf("op %d in place of %d entries", op, n)
					}
				}
			}
		}
	})
}

// A loop computes its body for every entry, whatever the number of entries, and allocates nothing.
func TestLoop(t *testing.T) {
	// Registers: x, y, out, the numbers 2 and 0.5, scratch.
	body := []Instruction{{OpMul, 5, 0, 3, 0}, {OpSub, 6, 5, 1, 0}, {OpMul, 2, 6, 4, 0},
		{OpNeg, 1, 2, 0, 0}}
	atLevels(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(4, 2))
		for _, n := range []int{0, 1, 15, 16, 127, 128, 129, 400} {
			x := operands(r, n)
			y := append([]float64(nil), x[1]...)
			scratch, out := make([]float64, 4*Strip), make([]float64, n)
			Loop(body, n, scratch, []float64{2, 0.5}, x[0], y, out)
			for i := range n {
				want := (x[0][i]*2 - x[1][i]) * 0.5
				if !sameBits(out[i], want) || !sameBits(y[i], -want) {
					t.Fatalf("entry %d of %d: %v and %v, not %v", i, n, out[i], y[i], want)
				}
			}
		}
		x := operands(r, 300)
		scratch := make([]float64, 4*Strip)
		if a := testing.AllocsPerRun(10, func() {
			Loop(body, 300, scratch, []float64{2, 0.5}, x[0], x[1], x[2])
		}); a != 0 {
			t.Errorf("%v allocations", a)
		}
	})
}
