package kernel

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sgppl/sgppl/runtime/math/special"
)

// A loop does every op on every entry, whatever the number of entries, as Entrywise and the kernels
// of functions do.
func TestLoopOps(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(4, 3))
		for _, n := range []int{1, 7, 8, 9, 64, 127, 128, 131, 300} {
			x := operands(r, n)
			want, got := make([]float64, n), make([]float64, n+1)
			scratch := make([]float64, 2*Strip)
			for op := range opsEnd {
				switch {
				case op >= opSums && op < opComposed:
					continue // TestLoopSums
				case op < opSums:
					Entrywise(op, want, x[0], x[1], x[2])
				case op < opFunctions:
					for i := range want {
						want[i] = oneAfterTheOther(op, x[0][i], x[1][i], x[2][i])
					}
				default:
					stripFunction(op, want, x[0])
				}
				got[n] = 9
				// the result goes by scratch
				Loop([]Instruction{{op, 4, 0, 1, 2}, {OpCopy, 3, 4, 0, 0}}, n, scratch, nil,
					x[0], x[1], x[2], got[:n])
				for i := range n {
					if !sameBits(got[i], want[i]) {
						t.Fatalf("op %d of %v, %v, %v, entry %d of %d: %v, not %v", op, x[0][i], x[1][i],
							x[2][i], i, n, got[i], want[i])
					}
				}
				if got[n] != 9 {
					t.Fatalf("op %d of %d entries writes beyond", op, n)
				}
			}
		}
	})
}

// oneAfterTheOther is an op of several, of numbers.
func oneAfterTheOther(op Op, x, y, z float64) float64 {
	switch op {
	case OpMulAdd:
		return float64(x*y) + z
	case OpMulSub:
		return float64(x*y) - z
	case OpSubMul:
		return z - float64(x*y)
	case OpGap:
		return -math.Abs(x - y)
	case OpWeight:
		if math.IsInf(x, -1) {
			return 0
		}
	}
	if x < y {
		return z / (1 + z)
	}
	return 1 / (1 + z)
}

// Functions of e^−|x| have the bits of the kernels that compute it themselves.
func TestLoopShares(t *testing.T) {
	// Registers: x, y, six results, the number 0, scratch.
	body := []Instruction{{OpGap, 9, 0, 1, 0}, {OpExp, 9, 9, 0, 0}, {OpShare, 2, 0, 1, 9},
		{OpWeight, 3, 1, 0, 9}, {OpGap, 9, 0, 8, 0}, {OpExp, 9, 9, 0, 0}, {OpShare, 4, 0, 8, 9},
		{OpLog1p, 9, 9, 0, 0}, {OpLarger, 10, 0, 8, 0}, {OpAdd, 5, 10, 9, 0},
		{OpSub, 9, 0, 1, 0}, {OpSigmoid, 6, 9, 0, 0}, {OpSub, 9, 1, 0, 0}, {OpSigmoid, 7, 9, 0, 0}}
	atLevels(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(4, 7))
		x := operands(r, 1000)
		var out [6][]float64
		for k := range out {
			out[k] = make([]float64, 1000)
		}
		Loop(body, 1000, make([]float64, 3*Strip), []float64{0}, x[0], x[1], out[0], out[1], out[2],
			out[3], out[4], out[5])
		for i := range 1000 {
			a, b := x[0][i], x[1][i]
			want := [6]float64{out[4][i], out[5][i], special.Sigmoid(a), special.Softplus(a),
				special.Sigmoid(a - b), special.Sigmoid(b - a)}
			if math.IsInf(b, -1) {
				want[1] = 0
			}
			for k := range out {
				if !sameBits(out[k][i], want[k]) {
					t.Fatalf("result %d of %v and %v: %v, not %v", k, a, b, out[k][i], want[k])
				}
			}
		}
	})
}

// The logarithm of a sum of two exponentials, in instructions, is that of LogSumExp2.
func TestLoopLogSumExp(t *testing.T) {
	// Registers: x, y, out, the number 1, scratch.
	body := []Instruction{{OpLarger, 4, 0, 1, 0}, {OpSub, 5, 0, 1, 0}, {OpAbs, 5, 5, 0, 0},
		{OpNeg, 5, 5, 0, 0}, {OpExp, 5, 5, 0, 0}, {OpAdd, 5, 3, 5, 0}, {OpLog, 5, 5, 0, 0},
		{OpAddFinite, 2, 4, 5, 0}}
	atLevels(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(4, 4))
		x := operands(r, 1000)
		out, scratch := make([]float64, 1000), make([]float64, 3*Strip)
		Loop(body, 1000, scratch, []float64{1}, x[0], x[1], out)
		for i, v := range out {
			if want := LogSumExp2(x[0][i], x[1][i]); !sameBits(v, want) {
				t.Fatalf("of %v and %v: %v, not %v", x[0][i], x[1][i], v, want)
			}
		}
		if a := testing.AllocsPerRun(10, func() {
			Loop(body, 1000, scratch, []float64{1}, x[0], x[1], out)
		}); a != 0 {
			t.Errorf("%v allocations", a)
		}
	})
}

// The sums of a loop are those of Sum and Dot.
func TestLoopSums(t *testing.T) {
	// Registers: x, y, the number 0.5, three sums, scratch.
	body := []Instruction{{OpMul, 6, 0, 2, 0}, {OpDot, 4, 6, 1, 0}, {OpSum, 3, 6, 0, 0},
		{OpDot0, 5, 6, 1, 0}}
	atLevels(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(4, 6))
		for _, n := range []int{0, 1, 3, 7, 8, 9, 100, 127, 128, 129, 300} {
			x, y, half := make([]float64, n), make([]float64, n), make([]float64, n)
			for i := range x {
				x[i], y[i] = r.NormFloat64(), r.NormFloat64()
				half[i] = x[i] * 0.5
			}
			scratch := make([]float64, 5*Strip)
			var sums [3]float64
			run := func() { LoopSums(body, n, scratch, []float64{0.5}, sums[:], x, y) }
			run()
			if a, b := Sum(half), Dot(half, y); sums[0] != a || sums[1] != b {
				t.Fatalf("sums of %d entries are %v, not %v and %v", n, sums, a, b)
			}
			before := sums[2]
			for i := 0; i < n; i += 3 {
				x[i], y[i] = 0, math.Inf(1)
			}
			run()
			for i := 0; i < n; i += 3 {
				y[i] = 1
			}
			if got := sums[2]; got != Dot(halved(x), y) {
				t.Fatalf("of %d entries the guarded sum is %v; with no zeros it was %v", n, got, before)
			}
			if a := testing.AllocsPerRun(10, run); a != 0 {
				t.Errorf("%v allocations", a)
			}
		}
	})
}

// halved is half of each number.
func halved(x []float64) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = v * 0.5
	}
	return out
}

func BenchmarkLoop(b *testing.B) {
	body := []Instruction{{OpSub, 3, 0, 5, 0}, {OpMul, 4, 3, 3, 0}, {OpMul, 7, 4, 6, 0},
		{OpMul, 7, 7, 6, 0}, {OpSub, 7, 7, 5, 0}, {OpAdd, 2, 1, 7, 0}}
	r, x := rand.New(rand.NewPCG(4, 5)), [3][]float64{}
	for k := range x {
		x[k] = make([]float64, 1000)
		for i := range x[k] {
			x[k][i] = 1 + r.Float64()
		}
	}
	y, z := make([]float64, 1000), make([]float64, 1000)
	scratch := make([]float64, 3*Strip)
	for b.Loop() {
		Loop(body, 1000, scratch, []float64{2, 0.5}, x[0], x[1], x[2], y, z)
	}
}
