package kernel

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// Products of sparse rows and a dense matrix have the bits of their
// definitions in both precisions at every level and width, and touch nothing
// else.
func TestSparseMat(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		for trial := range 120 {
			g := rand.New(rand.NewPCG(uint64(trial), 11))
			p, h := 1+g.IntN(30), 1+g.IntN(60)
			if trial%4 == 0 {
				h = 100 + g.IntN(500)
			}
			r := randomRows(g, g.IntN(8), p, g.IntN(20), trial%2 == 0)
			sparseMat(t, g, r, r.Value, p, h, fma64,
				func(d, w []float64, acc bool) { SparseMulMat(d, r, w, h, acc) },
				func(d, w []float64, acc bool) { SparseMulMatT(d, r, w, h, acc) })
			r32 := Rows32{Lo: r.Lo, Hi: r.Hi, Index: r.Index}
			if r.Value != nil {
				r32.Value = single(r.Value)
			}
			sparseMat(t, g, r, r32.Value, p, h, fma32,
				func(d, w []float32, acc bool) { SparseMulMat32(d, r32, w, h, acc) },
				func(d, w []float32, acc bool) { SparseMulMatT32(d, r32, w, h, acc) })
		}
	})
}

func sparseMat[T float32 | float64](
	t *testing.T, g *rand.Rand, r Rows, value []T, p, h int, fma func(x, y, z T) T, times,
	timesT func(d, w []T, acc bool),
) {
	at := func(j int) T {
		if value == nil {
			return 1
		}
		return value[j]
	}
	n := r.Len()
	for _, acc := range []bool{false, true} {
		w, x := random[T](g, p*h, true), random[T](g, n*h, true)
		got := random[T](g, n*h+1, false)
		want := append([]T{}, got...)
		for i := range n {
			for k := range h {
				s := want[i*h+k]
				if !acc {
					s = 0
				}
				for j := r.Lo[i]; j < r.Hi[i]; j++ {
					s = fma(at(j), w[int(r.Index[j])*h+k], s)
				}
				want[i*h+k] = s
			}
		}
		times(got[:n*h], w, acc)
		agree(t, fmt.Sprintf("SparseMulMat, h %d in %T", h, got), got, want)

		got = random[T](g, p*h+1, false)
		want = append([]T{}, got...)
		if !acc {
			clear(want[:p*h])
		}
		for i := range n {
			for j := r.Lo[i]; j < r.Hi[i]; j++ {
				for k := range h {
					to := &want[int(r.Index[j])*h+k]
					*to = fma(at(j), x[i*h+k], *to)
				}
			}
		}
		timesT(got[:p*h], x, acc)
		agree(t, fmt.Sprintf("SparseMulMatT, h %d in %T", h, got), got, want)
	}
}

// A product has the bits of Gemm with the zeros written out.
func TestSparseMatIsGemm(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		g := source(12)
		for trial := range 20 {
			n, p, h := 1+g.IntN(40), 1+g.IntN(200), 1+g.IntN(150)
			r := Rows{}
			dense := make([]float64, n*p)
			for i := range n {
				r.Lo = append(r.Lo, len(r.Index))
				for c := range p {
					if g.IntN(4) == 0 {
						v := g.NormFloat64()
						r.Index, r.Value, dense[i*p+c] = append(r.Index, int32(c)),
							append(r.Value, v), v
					}
				}
				r.Hi = append(r.Hi, len(r.Index))
			}
			acc := trial%2 == 0
			w, got := normals(g, p*h), normals(g, n*h)
			want := slices.Clone(got)
			SparseMulMat(got, r, w, h, acc)
			Gemm(Matrix{want, h}, Matrix{dense, p}, Matrix{w, h}, n, h, p, false, false, acc)
			equal(t, "SparseMulMat", got, want)

			d, got := normals(g, n*h), normals(g, p*h)
			want = slices.Clone(got)
			SparseMulMatT(got, r, d, h, acc)
			Gemm(Matrix{want, h}, Matrix{dense, p}, Matrix{d, h}, p, h, n, true, false, acc)
			equal(t, "SparseMulMatT", got, want)
		}
	})
}

// A column index beyond the matrix is told at every level.
func TestSparseChecksItsIndices(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		for _, bad := range []int32{3, -1} {
			for i, f := range []func(r Rows){
				func(r Rows) {
					SparseMulMat(make([]float64, 40), r, make([]float64, 120), 40, false)
				},
				func(r Rows) {
					SparseMulMatT(make([]float64, 120), r, make([]float64, 40), 40, false)
				},
				func(r Rows) { SparseMulVec(make([]float64, 1), r, make([]float64, 3), false) },
				func(r Rows) { SparseMulVecT(make([]float64, 3), r, make([]float64, 1), false) },
			} {
				func() {
					defer func() {
						if recover() == nil {
							t.Errorf("product %d reads column %d of 3", i, bad)
						}
					}()
					f(Rows{Lo: []int{0}, Hi: []int{9}, Index: []int32{0, 1, 2, 0, 1, 2, 0, bad, 1}})
				}()
			}
		}
	})
}

// Products with a vector in single precision have the bits of their definition
// at every level: eight lanes, products rounded.
func TestSparseVec32(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		for trial := range 100 {
			g := rand.New(rand.NewPCG(uint64(trial), 16))
			p := 1 + g.IntN(30)
			r64 := randomRows(g, g.IntN(8), p, g.IntN(40), trial%2 == 0)
			r := Rows32{Lo: r64.Lo, Hi: r64.Hi, Index: r64.Index}
			if r64.Value != nil {
				r.Value = single(r64.Value)
			}
			n := r64.Len()
			for _, acc := range []bool{false, true} {
				w, got := single(normals(g, p)), single(normals(g, n))
				want := append([]float32{}, got...)
				for i := range n {
					var l [8]float32
					for j := r.Lo[i]; j < r.Hi[i]; j++ {
						l[(j-r.Lo[i])%8] += float32(r.factor(j) * w[r.Index[j]])
					}
					s := ((l[0] + l[4]) + (l[2] + l[6])) + ((l[1] + l[5]) + (l[3] + l[7]))
					if acc {
						s += want[i]
					}
					want[i] = s
				}
				SparseMulVec32(got, r, w, acc)
				agree(t, "SparseMulVec32", got, want)

				d, got := single(normals(g, n)), single(normals(g, p))
				want = append([]float32{}, got...)
				if !acc {
					clear(want)
				}
				for i := range n {
					for j := r.Lo[i]; j < r.Hi[i]; j++ {
						want[r.Index[j]] += float32(r.factor(j) * d[i])
					}
				}
				SparseMulVecT32(got, r, d, acc)
				agree(t, "SparseMulVecT32", got, want)
			}
		}
	})
}
