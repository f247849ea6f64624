package kernel

import (
	"math/rand/v2"
	"testing"
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
				if op == OpSum || op == OpDot {
					continue // TestLoopSums
				}
				if op < opFunctions {
					Entrywise(op, want, x[0], x[1], x[2])
				} else {
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
	// Registers: x, y, the number 0.5, two sums, scratch.
	body := []Instruction{{OpMul, 5, 0, 2, 0}, {OpDot, 4, 5, 1, 0}, {OpSum, 3, 5, 0, 0}}
	atLevels(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(4, 6))
		for _, n := range []int{0, 1, 3, 7, 8, 9, 100, 127, 128, 129, 300} {
			x, y, half := make([]float64, n), make([]float64, n), make([]float64, n)
			for i := range x {
				x[i], y[i] = r.NormFloat64(), r.NormFloat64()
				half[i] = x[i] * 0.5
			}
			scratch := make([]float64, 4*Strip)
			var sums [2]float64
			run := func() { LoopSums(body, n, scratch, []float64{0.5}, sums[:], x, y) }
			run()
			if a, b := Sum(half), Dot(half, y); sums[0] != a || sums[1] != b {
				t.Fatalf("sums of %d entries are %v, not %v and %v", n, sums, a, b)
			}
			if a := testing.AllocsPerRun(10, run); a != 0 {
				t.Errorf("%v allocations", a)
			}
		}
	})
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
