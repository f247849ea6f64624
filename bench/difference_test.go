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
// regression, against two gradients of these rows, one at the state and one at the
// anchor. The rows are 20 numbers, or 4 sparse ones of 20, or 14 ones of 123, as in
// a9a. Those of 2,000 rows are in a processor's cache, those of 100,000 hardly.
func BenchmarkDifference(b *testing.B) {
	for _, form := range []struct {
		name   string
		target func(r *rand.Rand, rows int) (target.Target, error)
	}{
		{"dense", denseRows},
		{"sparse", func(r *rand.Rand, rows int) (target.Target, error) {
			return sparseRows(r, rows, 20, 4, true)
		}},
		{"ones", func(r *rand.Rand, rows int) (target.Target, error) {
			return sparseRows(r, rows, 123, 14, false)
		}},
	} {
		for _, rows := range []int{2_000, 100_000} {
			r := rand.New(rand.NewPCG(1, 2))
			t, err := form.target(r, rows)
			if err != nil {
				b.Fatal(err)
			}
			b.Run(fmt.Sprintf("%s/rows=%d", form.name, rows), func(b *testing.B) {
				benchmarkDifference(b, r, t, rows)
			})
		}
	}
}

func benchmarkDifference(b *testing.B, r *rand.Rand, t target.Target, rows int) {
	const batch = 100
	e := t.NewEvaluator(batch)
	d, ok := target.DifferenceOf(t.NewEvaluator(batch))
	if !ok {
		b.Fatal("no difference")
	}
	taken, weights := make([]int, batch), make([]float64, batch)
	at, anchor, grad := make([]float64, t.Dim()), make([]float64, t.Dim()), make([]float64, t.Dim())
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
}

// denseRows is a regression on 20 columns of normal numbers.
func denseRows(r *rand.Rand, rows int) (target.Target, error) {
	d := logisticdense.Data{X: make([][]float64, rows), Y: make([]bool, rows)}
	for n := range d.X {
		d.X[n], d.Y[n] = make([]float64, 20), r.IntN(2) == 0
		for p := range d.X[n] {
			d.X[n][p] = r.NormFloat64()
		}
	}
	m, err := logisticdense.New(d)
	if err != nil {
		return nil, err
	}
	return m.Target(), nil
}

// sparseRows is a regression on sparse rows with so many entries each, normal numbers or ones.
func sparseRows(r *rand.Rand, rows, columns, entries int, values bool) (target.Target, error) {
	x, y := &data.CSR{Rows: rows, Cols: columns, Indptr: []int{0}}, make([]bool, rows)
	step := columns / entries
	for n := range y {
		y[n] = r.IntN(2) == 0
		for k := range entries {
			x.Index = append(x.Index, int32(k*step+n%step))
			if values {
				x.Value = append(x.Value, r.NormFloat64())
			}
		}
		x.Indptr = append(x.Indptr, len(x.Index))
	}
	m, err := logistic.New(logistic.Data{X: x, Y: y})
	if err != nil {
		return nil, err
	}
	return m.Target(), nil
}
