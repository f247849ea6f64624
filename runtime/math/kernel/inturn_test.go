package kernel_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sgppl/sgppl/runtime/math/kernel"
)

// turns are n categories of k kinds to be drawn in turn, for each of a batch: weights that are
// spread out or whole, some of them 0, and counts that start anywhere.
func turns(r *rand.Rand, batch, n, k int, whole bool) (w, z, u, c, a, s []float64) {
	number := func(most float64) float64 {
		if whole {
			return float64(r.IntN(int(most)))
		}
		return most * r.Float64()
	}
	fill := func(n int, f func() float64) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = f()
		}
		return x
	}
	w = fill(batch*n*k, func() float64 {
		if r.IntN(5) == 0 {
			return 0
		}
		return number(6)
	})
	z = fill(batch*n, func() float64 { return float64(r.IntN(k + 1)) }) // some of no kind
	u = fill(batch*n, func() float64 {
		if whole {
			return float64(r.IntN(64)) / 64
		}
		return []float64{r.Float64(), 0, 1 - 0x1p-53}[max(0, r.IntN(20)-17)]
	})
	c = fill(batch*n, func() float64 { return float64(r.IntN(3)) })
	a = fill(batch*k, func() float64 { return number(2) })
	s = fill(batch*k, func() float64 { return float64(r.IntN(9)) })
	return w, z, u, c, a, s
}

// nearSums makes the uniform numbers such that bounds are near a sum of weights, whose rounding
// then decides. The counts must not change.
func nearSums(r *rand.Rand, w, u, a, s []float64, batch, n, k int) {
	for i := range batch * n {
		sum, total, upTo := 0.0, 0.0, r.IntN(k)
		for j := range k {
			total += float64(w[i*k+j] * (a[i/n*k+j] + s[i/n*k+j]))
			if j <= upTo {
				sum = total
			}
		}
		if u[i] = sum / total; !(u[i] >= 0 && u[i] < 1) {
			u[i] = 1 - 0x1p-53
		}
	}
}

// stepByStep is DrawInTurn by the kernels of single draws.
func stepByStep(w, z, u, c, a, s []float64, batch, n, k int) (drawn, counts []float64) {
	drawn, counts = make([]float64, batch*n), slices.Clone(s)
	weight := make([]float64, k)
	for b := range batch {
		own := counts[b*k:][:k]
		for i := b * n; i < (b+1)*n; i++ {
			kernel.AddAt(own, own, z[i:i+1], []float64{-c[i]}, 1, k)
			for j := range weight {
				weight[j] = float64(w[i*k+j] * (a[b*k+j] + own[j]))
			}
			drawn[i] = kernel.Category(weight, u[i])
			kernel.AddAt(own, own, drawn[i:i+1], c[i:i+1], 1, k)
		}
	}
	return drawn, counts
}

// TestDrawInTurn: the bits of one draw after another, for numbers of kinds around those of a
// vector, with weights whose sums are exact and others, some of which are all 0 or no number.
func TestDrawInTurn(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	for k := 1; k < 72; k++ {
		for round := range 12 {
			batch, n := 1+r.IntN(3), r.IntN(30)
			w, z, u, c, a, s := turns(r, batch, n, k, round%2 == 0)
			if round == 10 && n > 0 {
				clear(w[r.IntN(n)*k:][:k])
			}
			if round == 11 && n > 0 {
				w[r.IntN(n*k)] = math.NaN()
			}
			if round == 8 || round == 9 {
				clear(c)
				nearSums(r, w, u, a, s, batch, n, k)
			}
			dst := make([]float64, batch*(n+2*k))
			kernel.DrawInTurn(dst, w, z, u, c, a, s, batch, n, k)
			drawn, counts := stepByStep(w, z, u, c, a, s, batch, n, k)
			for b := range batch {
				own := dst[b*(n+2*k):]
				if !slices.Equal(own[:n], drawn[b*n:][:n]) {
					t.Fatalf("%d of %d kinds: %v, want %v", n, k, own[:n], drawn[b*n:][:n])
				}
				if !slices.Equal(own[n:][:k], counts[b*k:][:k]) {
					t.Fatalf("%d of %d kinds: counts %v, want %v", n, k, own[n:][:k], counts[b*k:][:k])
				}
			}
		}
	}
}

// BenchmarkDrawInTurn draws the topics of 200 words once, of thirty and of a hundred.
func BenchmarkDrawInTurn(b *testing.B) {
	for _, k := range []int{30, 50, 100} {
		b.Run(map[int]string{30: "30", 50: "50", 100: "100"}[k], func(b *testing.B) {
			const n = 200
			w, z, u, c, a, s := turns(rand.New(rand.NewPCG(1, 1)), 1, n, k, false)
			dst := make([]float64, n+2*k)
			for b.Loop() {
				kernel.DrawInTurn(dst, w, z, u, c, a, s, 1, n, k)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/draw")
		})
	}
}
