package bench

import (
	"fmt"
	"math"
	"testing"

	"github.com/sgppl/sgppl/bench/internal/logistic32"
	"github.com/sgppl/sgppl/runtime/engine/data"
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
