package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// definite is a positive definite matrix with rubbish above the diagonal,
// which no kernel may read.
func definite(g *rand.Rand, n int) []float64 {
	x, a := normals(g, n*n), make([]float64, n*n)
	for i := range n {
		for j := range n {
			if a[i*n+j] = math.NaN(); j <= i {
				a[i*n+j] = Dot(x[i*n:][:n], x[j*n:][:n])
			}
		}
		a[i*n+i] += float64(n)
	}
	return a
}

var matrixSizes = []int{0, 1, 2, 3, 4, 5, 8, 9, 17, 33}

// The factor has the bits of its definition, and gives the matrix back.
func TestCholesky(t *testing.T) {
	g := rand.New(rand.NewPCG(5, 1))
	for _, n := range matrixSizes {
		const batch = 3
		var a []float64
		for range batch {
			a = append(a, definite(g, n)...)
		}
		l := make([]float64, batch*n*n)
		Cholesky(l, a, batch, n)
		for m := range batch {
			a, l := a[m*n*n:][:n*n], l[m*n*n:][:n*n]
			for i := range n {
				for j := range n {
					got, want, back := l[i*n+j], 0.0, 0.0
					if j <= i {
						want = a[i*n+j] -
							lanes(j, func(k int) float64 { return float64(l[i*n+k] * l[j*n+k]) })
						if i == j {
							want = math.Sqrt(want)
						} else {
							want /= l[j*n+j]
						}
						back = Dot(l[i*n:][:j+1], l[j*n:])
						if math.Abs(back-a[i*n+j]) > 1e-13*float64(n+1)*(1+math.Abs(a[i*n+j])) {
							t.Errorf("n = %d: (L Lᵀ)[%d, %d] = %v, want %v", n, i, j, back,
								a[i*n+j])
						}
					}
					if got != want {
						t.Errorf("n = %d: L[%d, %d] = %v, want %v", n, i, j, got, want)
					}
				}
			}
		}
		again := append([]float64(nil), a...)
		Cholesky(again, again, batch, n)
		same(t, fmt.Sprintf("in place, n = %d", n), again, l)
	}
}

func same(t *testing.T, what string, got, want []float64) {
	t.Helper()
	for i := range want {
		if math.Float64bits(got[i]) != math.Float64bits(want[i]) {
			t.Errorf("%s: [%d] = %v, want %v", what, i, got[i], want[i])
			return
		}
	}
}

// A matrix without factor is NaN, and its neighbours are not.
func TestCholeskyNotDefinite(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, bad := range [][]float64{
		{1, 0, 2, 1}, {0, 0, 0, 1}, {-1, 0, 0, 1}, {1, 0, 1, 1}, {nan, 0, 0, 1}, {1, 0, nan, 1},
		{inf, 0, 0, 1}, {1, 0, 0, inf},
	} {
		good := []float64{4, 9, 2, 2}
		a := append(append(append([]float64(nil), good...), bad...), good...)
		l := make([]float64, 12)
		Cholesky(l, a, 3, 2)
		same(t, fmt.Sprint(bad), l, []float64{2, 0, 1, 1, nan, 0, nan, nan, 2, 0, 1, 1})
	}
}

// The cotangent agrees with differences of a weighted sum of the factor.
func TestCholeskyAdjoint(t *testing.T) {
	g := rand.New(rand.NewPCG(6, 1))
	for _, n := range matrixSizes[:7] {
		a, w, l, c := definite(g, n), normals(g, n*n), make([]float64, n*n), make([]float64, n*n)
		f := func() float64 {
			Cholesky(l, a, 1, n)
			return Dot(w, l)
		}
		f()
		CholeskyAdjoint(c, l, w, 1, n)
		inPlace := append([]float64(nil), w...)
		CholeskyAdjoint(inPlace, l, inPlace, 1, n)
		same(t, "in place", inPlace, c)
		for i := range n {
			for j := range n {
				k := i*n + j
				if j > i {
					if c[k] != 0 {
						t.Errorf("n = %d: cotangent %v above the diagonal", n, c[k])
					}
					continue
				}
				const h = 1e-5
				at := a[k]
				a[k] = at + h
				up := f()
				a[k] = at - h
				down := f()
				a[k] = at
				if want := (up - down) / (2 * h); math.Abs(c[k]-want) > 1e-7*(1+math.Abs(want)) {
					t.Errorf("n = %d: cotangent [%d, %d] = %v, differences give %v", n, i, j, c[k], want)
				}
			}
		}
	}
}

// Solutions, with the definition's bits, for every arrangement of triangles
// and right-hand sides.
func TestTriangularSolve(t *testing.T) {
	g := rand.New(rand.NewPCG(7, 1))
	for _, n := range matrixSizes {
		const outer, batch, inner = 2, 3, 6 // four at once and two
		var l []float64
		for range batch {
			l = append(l, definite(g, n)...)
		}
		b := normals(g, outer*batch*inner*n)
		x, y := make([]float64, len(b)), make([]float64, len(b))
		TriangularSolve(x, l, b, outer, batch, inner, n)
		TriangularSolveT(y, l, b, outer, batch, inner, n)
		for r := range outer * batch * inner {
			tri, b, x, y := l[r/inner%batch*n*n:][:n*n], b[r*n:][:n], x[r*n:][:n], y[r*n:][:n]
			for i := range n {
				want := b[i]
				if n > shortTriangle {
					want -= lanes(i, func(k int) float64 { return float64(tri[i*n+k] * x[k]) })
				} else {
					for k := range i {
						want -= float64(tri[i*n+k] * x[k])
					}
				}
				if want /= tri[i*n+i]; x[i] != want {
					t.Errorf("n = %d: x[%d] = %v, want %v", n, i, x[i], want)
				}
				back := b[i]
				for k := n - 1; k > i; k-- {
					back -= float64(tri[k*n+i] * y[k])
				}
				if back /= tri[i*n+i]; y[i] != back {
					t.Errorf("n = %d, transposed: x[%d] = %v, want %v", n, i, y[i], back)
				}
			}
		}
		again := append([]float64(nil), b...)
		TriangularSolve(again, l, again, outer, batch, inner, n)
		same(t, "in place", again, x)
		copy(again, b)
		TriangularSolveT(again, l, again, outer, batch, inner, n)
		same(t, "in place, transposed", again, y)
	}
}

// BenchmarkTriangularRows solves for the rows of a minibatch by one triangle.
func BenchmarkTriangularRows(b *testing.B) {
	g := rand.New(rand.NewPCG(9, 2))
	const rows = 1024
	for _, n := range []int{2, 5, 10, 30} {
		l, y := definite(g, n), normals(g, rows*n)
		x := make([]float64, len(y))
		for name, solve := range map[string]func(dst, l, b []float64, outer, batch, inner,
			n int){"solve": TriangularSolve, "solveT": TriangularSolveT} {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				for b.Loop() {
					solve(x, l, y, 1, 1, rows, n)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/rows, "ns/row")
			})
		}
	}
}

func TestMatricesDoNotAllocate(t *testing.T) {
	g := rand.New(rand.NewPCG(8, 1))
	const n = 9
	a, l, b := definite(g, n), make([]float64, n*n), normals(g, n)
	if count := testing.AllocsPerRun(10, func() {
		Cholesky(l, a, 1, n)
		CholeskyAdjoint(a, l, l, 1, n)
		TriangularSolve(b, l, b, 1, 1, 1, n)
		TriangularSolveT(b, l, b, 1, 1, 1, n)
	}); count != 0 {
		t.Errorf("%v allocations", count)
	}
}

func BenchmarkCholesky(b *testing.B) {
	g := rand.New(rand.NewPCG(9, 1))
	for _, n := range []int{11, 50, 200} {
		a, l, c, x := definite(g, n), make([]float64, n*n), make([]float64, n*n), normals(g, n)
		Cholesky(l, a, 1, n)
		for _, k := range []struct {
			name string
			call func()
		}{
			{"factor", func() { Cholesky(l, a, 1, n) }},
			{"adjoint", func() { CholeskyAdjoint(c, l, l, 1, n) }},
			{"solve", func() { TriangularSolve(c[:n], l, x, 1, 1, 1, n) }},
			{"solveT", func() { TriangularSolveT(c[:n], l, x, 1, 1, 1, n) }},
		} {
			b.Run(fmt.Sprintf("%s/%d", k.name, n), func(b *testing.B) {
				for b.Loop() {
					k.call()
				}
			})
		}
	}
}
