package bench

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/internal/reference"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
)

// BenchmarkEmbedding is the gradient of the clustering of unit vectors (a
// simplex, spheres and concentrations at once) on a minibatch of 1,000 rows:
// its cost a row and coordinate should not depend on the dimension.
func BenchmarkEmbedding(b *testing.B) {
	const rows, clusters = 4000, 20
	text, err := os.ReadFile(filepath.Join(reference.Root(b), "examples", "models",
		"embedding_mixture.sg"))
	if err != nil {
		b.Fatal(err)
	}
	c, diags := driver.Compile(source.New("embedding_mixture.sg", string(text)), driver.Options{})
	if c == nil {
		b.Fatal(diags)
	}
	for _, d := range []int{64, 384, 768} {
		b.Run(fmt.Sprintf("d=%d", d), func(b *testing.B) {
			r := rand.New(rand.NewPCG(uint64(d), 1))
			x := unitVectors(r, rows, d)
			bound, _, errs := data.Validate(&c.Spec.Schema,
				map[string]*data.Value{"x": data.Dense(x, rows, d)},
				map[string]int{"K": clusters}, data.Options{})
			if errs != nil {
				b.Fatal(errs)
			}
			m, err := c.VM(bound, nil)
			if err != nil {
				b.Fatal(err)
			}
			const batch = 1000
			e := m.Evaluator(batch)
			state := make([]float64, m.Dim())
			for _, block := range m.Blocks() {
				if block.Geometry.Kind == "sphere" {
					copy(state[block.Offset:], unitVectors(r, block.Geometry.Points, d))
				}
			}
			grad := make([]float64, m.Dim())
			at := r.Perm(rows)[:batch]
			b.ResetTimer()
			for range b.N {
				e.Gradient(state, at, rows/batch, 1, grad)
			}
			ns := float64(b.Elapsed().Nanoseconds()) / float64(b.N) / batch
			b.ReportMetric(ns, "ns/row")
			b.ReportMetric(ns/float64(d*clusters), "ns/row/coordinate/cluster")
		})
	}
}

func unitVectors(r *rand.Rand, n, d int) []float64 {
	x := make([]float64, n*d)
	for i := range n {
		row, s := x[i*d:(i+1)*d], 0.0
		for k := range row {
			row[k] = r.NormFloat64()
			s += row[k] * row[k]
		}
		for k := range row {
			row[k] /= math.Sqrt(s)
		}
	}
	return x
}
