package kernel

import (
	"math"
	"testing"
)

// The factorisations in single precision are near those in double precision of
// the same numbers, for matrices of a condition number below 100.
func TestCholesky32(t *testing.T) {
	state := uint64(4)
	uniform := func() float64 {
		state = state*6364136223846793005 + 1442695040888963407
		return float64(int64(state)>>11) / (1 << 52)
	}
	near := func(what string, n int, got []float32, want []float64) {
		t.Helper()
		largest := 0.0
		for _, w := range want {
			largest = max(largest, math.Abs(w))
		}
		for i, w := range want {
			if d := math.Abs(float64(got[i]) - w); !(d <= 2e-5*largest) {
				t.Fatalf("%s, size %d, entry %d: %v, in double precision %v", what, n, i, got[i], w)
			}
		}
	}
	const batch, inner, outer = 2, 3, 2
	for _, n := range []int{1, 2, 3, 7, 13, 40} {
		a, cot := make([]float64, batch*n*n), make([]float64, batch*n*n)
		for m := range batch {
			for i := range n {
				for j := range i + 1 {
					v := float64(float32(uniform() / float64(n)))
					if i == j {
						v = float64(float32(2 + uniform()))
					}
					a[m*n*n+i*n+j] = v
					cot[m*n*n+i*n+j] = float64(float32(uniform()))
				}
			}
		}
		b := make([]float64, outer*batch*inner*n)
		for i := range b {
			b[i] = float64(float32(uniform()))
		}
		single := func(x []float64) []float32 {
			y := make([]float32, len(x))
			Narrow(y, x)
			return y
		}
		l, c, x := make([]float64, len(a)), make([]float64, len(a)), make([]float64, len(b))
		l32, c32, x32 := single(l), single(c), single(x)
		Cholesky(l, a, batch, n)
		Cholesky32(l32, single(a), batch, n)
		near("factor", n, l32, l)
		CholeskyAdjoint(c, l, cot, batch, n)
		CholeskyAdjoint32(c32, l32, single(cot), batch, n)
		near("cotangent", n, c32, c)
		TriangularSolve(x, l, b, outer, batch, inner, n)
		TriangularSolve32(x32, l32, single(b), outer, batch, inner, n)
		near("solution", n, x32, x)
		TriangularSolveT(x, l, b, outer, batch, inner, n)
		TriangularSolveT32(x32, l32, single(b), outer, batch, inner, n)
		near("solution of the transpose", n, x32, x)
	}
	bad := []float32{1, 0, 2, 1}
	Cholesky32(bad, bad, 1, 2)
	for i, nan := range []bool{true, false, true, true} {
		if (bad[i] != bad[i]) != nan {
			t.Errorf("not definite: entry %d is %v", i, bad[i])
		}
	}
}
