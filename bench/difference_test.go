package bench

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/sgppl/sgppl/bench/internal/logistic"
	"github.com/sgppl/sgppl/bench/internal/logisticdense"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/target"
)

// BenchmarkDifference is a gradient with a control variate of 100 rows of a logistic
// regression on 20 columns, against two gradients of these rows, one at the state
// and one at the anchor. Of sparse columns 4 of the 20 are stored. The data of 2,000
// rows are in a processor's cache, those of 100,000 hardly.
func BenchmarkDifference(b *testing.B) {
	for _, rows := range []int{2_000, 100_000} {
		benchmarkDifference(b, rows)
	}
}

func benchmarkDifference(b *testing.B, rows int) {
	const columns, batch = 20, 100
	r := rand.New(rand.NewPCG(1, 2))
	x, y := make([][]float64, rows), make([]bool, rows)
	csr := &data.CSR{Rows: rows, Cols: columns, Indptr: []int{0}}
	for n := range x {
		x[n], y[n] = make([]float64, columns), r.IntN(2) == 0
		for p := range x[n] {
			x[n][p] = r.NormFloat64()
			if p%5 == n%5 {
				csr.Index, csr.Value = append(csr.Index, int32(p)), append(csr.Value, x[n][p])
			}
		}
		csr.Indptr = append(csr.Indptr, len(csr.Index))
	}
	dense, err := logisticdense.New(logisticdense.Data{X: x, Y: y})
	if err != nil {
		b.Fatal(err)
	}
	sparse, err := logistic.New(logistic.Data{X: csr, Y: y})
	if err != nil {
		b.Fatal(err)
	}
	taken, weights := make([]int, batch), make([]float64, batch)
	at, anchor, grad := make([]float64, columns+1), make([]float64, columns+1),
		make([]float64, columns+1)
	for i := range at {
		at[i] = 0.1 * r.NormFloat64()
	}
	for i := range weights {
		weights[i] = float64(rows) / batch
	}
	draw := func() {
		for i := range taken {
			taken[i] = r.IntN(rows)
		}
	}
	for _, m := range []struct {
		name string
		of   target.Target
	}{{"dense", dense.Target()}, {"sparse", sparse.Target()}} {
		b.Run(fmt.Sprintf("%s/rows=%d", m.name, rows), func(b *testing.B) {
			e := m.of.NewEvaluator(batch)
			d, ok := target.DifferenceOf(m.of.NewEvaluator(batch))
			if !ok {
				b.Fatal("no difference")
			}
			compare(b, 100, []side{
				{"difference", each(func() {
					draw()
					d.Difference(at, anchor, taken, weights, 1, grad)
				})},
				{"gradients", each(func() {
					draw()
					e.Gradient(at, taken, weights[0], 1, grad)
					e.Gradient(anchor, taken, weights[0], 1, grad)
				})},
				{"gradient", each(func() {
					draw()
					e.Gradient(at, taken, weights[0], 1, grad)
				})},
			}, 1)
		})
	}
}
