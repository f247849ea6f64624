package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// laneSum reduces n terms in so many lanes, halves added to halves in the end.
func laneSum[T float32 | float64](count, n int, term func(int) T) T {
	l := make([]T, count)
	for j := range n {
		l[j%count] += term(j)
	}
	for ; len(l) > 1; l = l[:len(l)/2] {
		for i := range len(l) / 2 {
			l[i] += l[i+len(l)/2]
		}
	}
	return l[0]
}

// Sums, dots and products of a matrix and a vector have the bits of their
// definitions in both precisions at every level and length, with NaN, infinities
// and signed zeros too, and touch nothing else.
func TestLevel1(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		for trial := range 700 {
			g := rand.New(rand.NewPCG(uint64(trial), 7))
			n, m := g.IntN(70), g.IntN(14)
			if trial%50 == 0 {
				n = 3000
			}
			at := g.IntN(5)
			wild := trial%3 == 0
			level1[float64](t, g, n, m, at, wild, 8,
				func(x, y float64) float64 {
					return float64(x * y)
				}, Gemv, GemvT, Ger, Axpy, addTo64)
			level1[float32](t, g, n, m, at, wild, 16,
				func(x, y float32) float32 { return float32(x * y) }, Gemv32, GemvT32, Ger32,
				Axpy32, addTo32)
			x, y := random[float64](g, n, wild), random[float64](g, n+1, wild)
			agree(t, fmt.Sprint("Sum and Dot of ", n), []float64{Sum(x), Dot(x, y)}, []float64{
				laneSum(8, n, func(j int) float64 { return x[j] }),
				laneSum(8, n, func(j int) float64 { return float64(x[j] * y[j]) })})
			p, q := random[float32](g, n, wild), random[float32](g, n+1, wild)
			agree(t, fmt.Sprint("Sum32 and Dot32 of ", n), []float64{Sum32(p), Dot32(p, q)},
				[]float64{
					laneSum(8, n, func(j int) float64 { return float64(p[j]) }),
					laneSum(8, n, func(j int) float64 { return float64(p[j]) * float64(q[j]) })})
		}
	})
}

func level1[T float32 | float64](t *testing.T, g *rand.Rand, n, m, at int, wild bool, lanes int,
	mul func(x, y T) T,
	gemv, gemvT func(dst, a, x []T, m, n int, acc bool), ger func(c, x, y []T, m, n int, acc bool),
	axpy func(a T, x, y []T), addTo func(dst, x []T)) {
	a, x, y := random[T](g, m*n+at, wild)[at:], random[T](g, n+at, wild)[at:], random[T](g, m, wild)
	guarded := func(n int) ([]T, []T) {
		full := random[T](g, n+at+3, wild)
		return full[at : at+n], append([]T{}, full[at:]...)
	}
	check := func(what string, got, want []T) {
		t.Helper()
		agree(t, fmt.Sprintf("%s %dx%d in %T", what, m, n, want),
			got[:len(want):cap(got)][:len(want)], want)
	}
	for _, acc := range []bool{false, true} {
		d, w := guarded(m)
		for i := range m {
			s := laneSum(lanes, n, func(j int) T { return mul(a[i*n+j], x[j]) })
			if acc {
				s += w[i]
			}
			w[i] = s
		}
		gemv(d, a, x, m, n, acc)
		check("Gemv", d, w)

		d, w = guarded(n)
		for j := range n {
			if !acc {
				w[j] = 0
			}
			for i := range m {
				w[j] += mul(y[i], a[i*n+j])
			}
		}
		gemvT(d, a, y, m, n, acc)
		check("GemvT", d, w)

		d, w = guarded(m * n)
		for i := range m * n {
			p := mul(y[i/n], x[i%n])
			if acc {
				p += w[i]
			}
			w[i] = p
		}
		ger(d, y, x, m, n, acc)
		check("Ger", d, w)
	}
	d, w := guarded(n)
	f := T(g.NormFloat64())
	for j := range n {
		w[j] += mul(f, x[j])
	}
	axpy(f, x, d)
	check("Axpy", d, w)
	d, w = guarded(n)
	for j := range n {
		w[j] += x[j]
	}
	addTo(d, x)
	check("addTo", d, w)
	if n > 0 && math.IsNaN(float64(d[0])) && !wild {
		t.Fatal("NaN out of nothing")
	}
}
