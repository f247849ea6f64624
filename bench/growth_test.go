package bench

import (
	"fmt"
	"math"
	"testing"

	"github.com/sgppl/sgppl/bench/internal/logistic32"
	"github.com/sgppl/sgppl/runtime/dynamics/batch"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// BenchmarkGrowth is a step of mSGNHT in single precision on ever more rows, shuffled: those of
// a9a over and over, so that only their number differs. slope is that of the logarithm of the
// time over the logarithm of the number of rows. All sizes take turns.
func BenchmarkGrowth(b *testing.B) {
	one := load()
	for _, batch := range []int{10, 100, 1000} {
		b.Run(fmt.Sprintf("batch=%d", batch), func(b *testing.B) {
			var sides []side
			var sizes []float64
			for _, rows := range []int{8000, 64000, 512000, 2000000} {
				x, y := repeated(one.sparse, one.label, rows)
				m, err := logistic32.New(logistic32.Data{X: x, Y: y})
				if err != nil {
					b.Fatal(err)
				}
				c := chain(b, m.Target(), settingsOf("msgnht", batch))
				advance := func(steps int) {
					if err := c.Advance(int64(steps)); err != nil {
						b.Fatal(err)
					}
				}
				advance(1) // the first shuffle
				sides = append(sides, side{fmt.Sprintf("rows%d", rows), advance})
				sizes = append(sizes, math.Log(float64(rows)))
			}
			// A tenth of the steps is a pass over the largest of them, with its shuffle.
			calls := phases * (2000000 / batch)
			times := compare(b, calls, sides, 0)
			b.ReportMetric(slope(sizes, times), "slope")
		})
	}
}

// TestArrangedRows: gradients of minibatches of many rows have the same bits whether the evaluator
// is told where the rows lie or has to look for them, and are those of the same rows among few.
func TestArrangedRows(t *testing.T) {
	const rows, size, few = 70_000, 100, 1000
	part := &data.CSR{Rows: few, Cols: 123, Indptr: []int{0}}
	label := make([]bool, few)
	for i := range few {
		for j := i % 9; j < 123; j += 9 + i%5 {
			part.Index = append(part.Index, int32(j))
		}
		part.Indptr = append(part.Indptr, len(part.Index))
		label[i] = i%3 == 0
	}
	bind := func(rows int) target.Target {
		x, y := repeated(part, label, rows)
		m, err := logistic32.New(logistic32.Data{X: x, Y: y})
		if err != nil {
			t.Fatal(err)
		}
		return m.Target()
	}
	m, small := bind(rows), bind(few)
	told, looks, other := m.NewEvaluator(size), m.NewEvaluator(size), small.NewEvaluator(size)
	fetcher := told.(target.Fetcher)
	batches := batch.New(rows, size, batch.Shuffle, rng.New(1, 0, rng.Batch))
	x, zero := [124]float64{}, [124]float64{}
	for i := range x {
		x[i] = math.Sin(float64(i))
	}
	var early [124]float64 // before records are arranged
	list, scale := batches.At(0)
	looks.Gradient(x[:], list, scale, 1, early[:])
	if !fetcher.Fetches(true) {
		t.Error("many rows are not asked for")
	}
	for k := int64(0); k < 2*batches.PerPass(); k += 7 {
		list, scale := batches.At(k)
		fetcher.Coming(batches.Coming())
		places, soon := batches.Places()
		if len(places) != len(list) {
			t.Fatalf("%d rows have %d places", len(list), len(places))
		}
		fetcher.Lie(list, places, soon)
		var grad [3][124]float64
		told.Gradient(x[:], list, scale, 1, grad[0][:])
		looks.Gradient(x[:], list, scale, 1, grad[1][:])
		var same [size]int
		for i, r := range list {
			same[i] = r % few
		}
		other.Gradient(x[:], same[:len(list)], scale, 1, grad[2][:])
		if grad[0] != grad[1] || grad[0] != grad[2] || grad[0] == zero || k == 0 && grad[0] != early {
			t.Fatalf("batch %d: gradients differ", k)
		}
		// Other rows than those that the evaluator was told of.
		told.Gradient(x[:], same[:len(list)], scale, 1, grad[1][:])
		if grad[1] != grad[2] {
			t.Fatalf("batch %d: gradients of other rows differ", k)
		}
	}
}

// repeated returns as many rows, those of x again and again, each with its label.
func repeated(x *data.CSR, label []bool, rows int) (*data.CSR, []bool) {
	out := &data.CSR{Rows: rows, Cols: x.Cols, Indptr: make([]int, 1, rows+1)}
	y := make([]bool, rows)
	for i := range rows {
		k := i % x.Rows
		out.Index = append(out.Index, x.Index[x.Indptr[k]:x.Indptr[k+1]]...)
		out.Indptr = append(out.Indptr, len(out.Index))
		y[i] = label[k]
	}
	return out, y
}

// slope is the regression coefficient of log y on x.
func slope(x, y []float64) float64 {
	var mx, my, xy, xx float64
	for i := range x {
		mx += x[i] / float64(len(x))
		my += math.Log(y[i]) / float64(len(x))
	}
	for i := range x {
		xy += (x[i] - mx) * (math.Log(y[i]) - my)
		xx += (x[i] - mx) * (x[i] - mx)
	}
	return xy / xx
}
