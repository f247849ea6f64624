package kernel

import (
	"fmt"
	"testing"

	"github.com/sgppl/sgppl/internal/cputime"
)

var sink float64

// TestAllocations: no kernel allocates.
func TestAllocations(t *testing.T) {
	g := source(9)
	x, y, d := normals(g, 1000), normals(g, 1000), normals(g, 1000)
	a := Matrix{normals(g, 40*40), 40}
	b := Matrix{normals(g, 40*40), 40}
	c := Matrix{normals(g, 40*40), 40}
	r := randomRows(g, 10, 100, 14, true)
	if n := testing.AllocsPerRun(20, func() {
		Softplus(d, x)
		sink = Sum(x) + Dot(x, y) + Max(x) + LogSumExp(x)
		SumAxis(d, x, 10, 10, 10)
		LogSumExpAxis(d, x, 10, 10, 10)
		Gemv(d, x, y, 10, 100, true)
		GemvT(d, x, y, 10, 100, false)
		Gemm(c, a, b, 40, 40, 40, false, true, false)
		SparseMulVec(d, r, x, false)
		SparseMulMat(d, r, x, 5, true)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkLevel1(b *testing.B) {
	g := source(10)
	for _, n := range []int{10, 124, 1000, 100000} {
		x, y := normals(g, n), normals(g, n)
		x32, y32 := single(x), single(y)
		for _, c := range []struct {
			name string
			f    func()
		}{
			{"Sum", func() { sink = Sum(x) }}, {"Sum32", func() { sink = Sum32(x32) }},
			{"Dot", func() { sink = Dot(x, y) }}, {"Dot32", func() { sink = Dot32(x32, y32) }},
			{"Axpy", func() { Axpy(1e-9, x, y) }}, {"Axpy32", func() { Axpy32(1e-9, x32, y32) }},
			{"LogSumExp", func() { sink = LogSumExp(x) }},
		} {
			b.Run(fmt.Sprint(c.name, "/", n), func(b *testing.B) {
				begin := cputime.Now()
				for b.Loop() {
					c.f()
				}
				b.ReportMetric(float64((cputime.Now()-begin).Nanoseconds())/float64(b.N)/float64(n),
					"ns/elt")
			})
		}
	}
}

func BenchmarkGemv(b *testing.B) {
	g := source(10)
	for _, s := range [][2]int{{10, 123}, {100, 123}, {600, 200}} {
		m, n := s[0], s[1]
		a, x, y, d := normals(g, m*n), normals(g, n), normals(g, m), normals(g, max(m, n))
		a32, x32, y32, d32 := single(a), single(x), single(y), single(d)
		for _, c := range []struct {
			name string
			f    func()
		}{
			{"N", func() { Gemv(d, a, x, m, n, false) }},
			{"T", func() { GemvT(d, a, y, m, n, false) }},
			{"N32", func() { Gemv32(d32, a32, x32, m, n, false) }},
			{"T32", func() { GemvT32(d32, a32, y32, m, n, false) }},
		} {
			b.Run(fmt.Sprintf("%s/%dx%d", c.name, m, n), func(b *testing.B) {
				begin := cputime.Now()
				for b.Loop() {
					c.f()
				}
				b.ReportMetric(float64((cputime.Now()-begin).Nanoseconds())/float64(b.N)/float64(m*n),
					"ns/elt")
			})
		}
	}
}

// BenchmarkGemm has the products of networks; bench/peers/gemm.c has the same in C.
func BenchmarkGemm(b *testing.B) {
	g := source(10)
	for _, s := range [][3]int{{10, 10, 10}, {100, 400, 784}, {100, 400, 400}, {784, 400, 100},
		{100, 10, 400}, {512, 512, 512}, {1024, 1024, 1024}} {
		m, n, k := s[0], s[1], s[2]
		x, y, z := normals(g, m*k), normals(g, k*n), normals(g, m*n)
		x32, y32, z32 := single(x), single(y), single(z)
		for mode, name := range []string{"AB", "AtB", "ABt"} {
			transA, transB := mode == 1, mode == 2
			lda, ldb := k, n
			if transA {
				lda = m
			}
			if transB {
				ldb = k
			}
			run := func(b *testing.B, f func()) {
				begin := cputime.Now()
				for b.Loop() {
					f()
				}
				b.ReportMetric(2*float64(m*n*k)*float64(b.N)/float64((cputime.Now()-
					begin).Nanoseconds()), "GFLOP/s")
			}
			b.Run(fmt.Sprintf("f64/%s/%dx%dx%d", name, m, n, k), func(b *testing.B) {
				run(b, func() {
					Gemm(Matrix{z, n}, Matrix{x, lda}, Matrix{y, ldb}, m, n, k, transA, transB, false)
				})
			})
			b.Run(fmt.Sprintf("f32/%s/%dx%dx%d", name, m, n, k), func(b *testing.B) {
				run(b, func() {
					Gemm32(Matrix32{z32, n}, Matrix32{x32, lda}, Matrix32{y32, ldb}, m, n, k,
						transA, transB, false)
				})
			})
		}
	}
}

func single(x []float64) []float32 {
	y := make([]float32, len(x))
	for i, v := range x {
		y[i] = float32(v)
	}
	return y
}

// BenchmarkSparse has rows like those of a9a: 14 ones in 123 columns.
func BenchmarkSparse(b *testing.B) {
	g := source(10)
	r := Rows{}
	const rows = 100
	for i := range rows {
		r.Lo, r.Hi = append(r.Lo, 14*i), append(r.Hi, 14*i+14)
		for j := range 14 {
			r.Index = append(r.Index, int32(j*8+g.IntN(8)))
		}
	}
	v := r
	v.Value = normals(g, len(r.Index))
	w, d := normals(g, 123), normals(g, rows)
	for _, c := range []struct {
		name string
		f    func()
	}{
		{"MulVec/ones", func() { SparseMulVec(d, r, w, false) }},
		{"MulVec/values", func() { SparseMulVec(d, v, w, false) }},
		{"MulVecT/ones", func() { SparseMulVecT(w, r, d, false) }},
		{"MulVecT/values", func() { SparseMulVecT(w, v, d, false) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			begin := cputime.Now()
			for b.Loop() {
				c.f()
			}
			// a row
			b.ReportMetric(float64((cputime.Now()-begin).Nanoseconds())/float64(b.N)/rows, "ns/elt")
		})
	}
}

// BenchmarkSparseMat has the pixels of handwritten digits, 150 of 784 not 0,
// and a layer of 400.
func BenchmarkSparseMat(b *testing.B) {
	g := source(10)
	const rows, columns, h = 100, 784, 400
	r := Rows{}
	for range rows {
		r.Lo = append(r.Lo, len(r.Index))
		for c := range columns {
			if g.IntN(columns) < 150 {
				r.Index = append(r.Index, int32(c))
			}
		}
		r.Hi = append(r.Hi, len(r.Index))
	}
	r.Value = normals(g, len(r.Index))
	w, d := normals(g, columns*h), normals(g, rows*h)
	r32 := Rows32{Lo: r.Lo, Hi: r.Hi, Index: r.Index, Value: single(r.Value)}
	w32, d32 := single(w), single(d)
	for _, c := range []struct {
		name string
		f    func()
	}{
		{"Mul", func() { SparseMulMat(d, r, w, h, false) }},
		{"MulT", func() { SparseMulMatT(w, r, d, h, false) }},
		{"Mul32", func() { SparseMulMat32(d32, r32, w32, h, false) }},
		{"MulT32", func() { SparseMulMatT32(w32, r32, d32, h, false) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			begin := cputime.Now()
			for b.Loop() {
				c.f()
			}
			b.ReportMetric(float64((cputime.Now()-
				begin).Nanoseconds())/float64(b.N)/float64(len(r.Index)*h), "ns/elt")
		})
	}
}

// BenchmarkLine is what a recurrence of 200 units does at every step: one row
// times each of three matrices, which the second level of cache holds.
func BenchmarkLine(b *testing.B) {
	const n, matrices = 200, 3
	g := source(12)
	w, x, y := normals(g, matrices*n*n), normals(g, n), make([]float64, n)
	w32, x32, y32 := single(w), single(x), single(y)
	for _, c := range []struct {
		name string
		f    func(k int)
	}{
		{"f64", func(k int) {
			Gemm(Matrix{y, n}, Matrix{x, n}, Matrix{w[k*n*n:], n}, 1, n, n, false, false, false)
		}},
		{"f32", func(k int) {
			Gemm32(Matrix32{y32, n}, Matrix32{x32, n}, Matrix32{w32[k*n*n:], n}, 1, n, n, false,
				false, false)
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			begin := cputime.Now()
			for b.Loop() {
				for k := range matrices {
					c.f(k)
				}
			}
			b.ReportMetric(float64((cputime.Now()-begin).Nanoseconds())/float64(b.N)/(matrices*n*n),
				"ns/elt")
		})
	}
}

// BenchmarkPack packs rows like those of a9a, an op of all rows.
func BenchmarkPack(b *testing.B) {
	r, columns := categories(source(17), 32561, []int{5, 8, 5, 16, 5, 7, 14, 6, 5, 2, 2, 2, 5, 41})
	for b.Loop() {
		Pack(r, columns, 1024)
	}
}
