package kernel

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/sgppl/sgppl/runtime/math/cpu"
)

// The pass over rows of a logistic regression has the bits of its parts in portable Go, in both
// precisions at every level, also where numbers are so large that assembly leaves them to Go.
func TestSparseLogit(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		for trial := range 200 {
			g := rand.New(rand.NewPCG(uint64(trial), 21))
			p, most, n := 1+g.IntN(40), g.IntN(30), g.IntN(30)
			if trial%20 == 19 {
				n = 1000 + g.IntN(2000)
			}
			r := randomRows(g, n, p, most, trial%3 == 0)
			if trial%3 == 1 {
				r.Narrow = narrowColumns(r.Index)
			}
			r32 := Rows32{Lo: r.Lo, Hi: r.Hi, Index: r.Index, Narrow: r.Narrow}
			if r.Value != nil {
				r32.Value = single(r.Value)
			}
			bias := g.NormFloat64()
			if trial%5 == 0 {
				bias *= 700
			}
			wild := trial%4 == 0
			logitAgrees(t, fmt.Sprintf("trial %d", trial), random[float64](g, p, wild),
				random[float64](g, n, false), random[float64](g, p, wild),
				func(grad, w, y, d []float64) wide { return SparseLogit(grad, &r, w, bias, y, d) },
				func(grad, w, y, d []float64) wide {
					logitParts64(grad, r, w, bias, y, d)
					return Sum(d)
				})
			logitAgrees(t, fmt.Sprintf("trial %d", trial), random[float32](g, p, wild),
				random[float32](g, n, false), random[float32](g, p, wild),
				func(grad, w, y, d []float32) wide { return SparseLogit32(grad, &r32, w, bias, y, d) },
				func(grad, w, y, d []float32) wide {
					logitParts32(grad, r32, w, float32(bias), y, d)
					return Sum32(d)
				})
		}
	})
}

func narrowColumns(index []int32) []uint8 {
	out := make([]uint8, len(index))
	for i, c := range index {
		out[i] = uint8(c)
	}
	return out
}

func logitAgrees[T float32 | float64](
	t *testing.T, name string, w, y, grad []T, call, parts func(grad, w, y, d []T) wide,
) {
	t.Helper()
	const mark = 42
	got, d := append([]T{}, grad...), make([]T, len(y)+1)
	d[len(y)] = mark
	sum := call(got, w, y, d)
	at := level
	level = cpu.Portable
	want, e := append([]T{}, grad...), make([]T, len(y))
	total := parts(want, w, y, e)
	level = at
	agree(t, name+": the sum", []float64{sum}, []float64{total})
	agree(t, name+": the residuals", d[:len(y)], e)
	agree(t, name+": the gradient", got, want)
	if d[len(y)] != mark {
		t.Errorf("%s: wrote beyond the residuals", name)
	}
}

// A column beyond the coefficients is a panic, whatever the row.
func TestSparseLogitChecksItsIndices(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		for bad := range 20 {
			for _, narrow := range []bool{false, true} {
				r := Rows{}
				for i := range 20 {
					r.Lo, r.Hi = append(r.Lo, 3*i), append(r.Hi, 3*i+3)
					r.Index = append(r.Index, 0, 1, 2)
				}
				r.Index[3*bad+2] = 3
				if narrow {
					r.Narrow = narrowColumns(r.Index)
				}
				if !panics(func() {
					SparseLogit(make([]float64, 3), &r, make([]float64, 3), 0, make([]float64, 20),
						make([]float64, 20))
				}) {
					t.Errorf("row %d names a column that is not there, and nothing happened", bad)
				}
			}
		}
	})
}

func panics(f func()) (did bool) {
	defer func() { did = recover() != nil }()
	f()
	return false
}

// BenchmarkSparseLogit has rows like those of a9a, in minibatches drawn at random.
func BenchmarkSparseLogit(b *testing.B) {
	g := rand.New(rand.NewPCG(1, 1))
	const rows, columns, ones = 32561, 123, 14
	all := Rows32{}
	for i := range rows {
		all.Lo, all.Hi = append(all.Lo, i*ones), append(all.Hi, (i+1)*ones)
		for range ones {
			all.Index = append(all.Index, int32(g.IntN(columns)))
		}
	}
	all.Narrow = narrowColumns(all.Index)
	for _, n := range []int{10, 100, 1000} {
		r := Rows32{Lo: make([]int, n), Hi: make([]int, n), Index: all.Index, Narrow: all.Narrow}
		w, grad := make([]float32, columns), make([]float32, columns)
		y, d := make([]float32, n), make([]float32, n)
		take := func() {
			for i := range n {
				k := g.IntN(rows)
				r.Lo[i], r.Hi[i] = all.Lo[k], all.Hi[k]
			}
		}
		for _, c := range []struct {
			name string
			run  func()
		}{{"fused", func() { SparseLogit32(grad, &r, w, 0.1, y, d) }},
			{"parts", func() { logitParts32(grad, r, w, 0.1, y, d); Sum32(d) }}, {"rows", func() {}}} {
			b.Run(fmt.Sprintf("%s/%d", c.name, n), func(b *testing.B) {
				for range b.N {
					take()
					c.run()
				}
			})
		}
	}
}
