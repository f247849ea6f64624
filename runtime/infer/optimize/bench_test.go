package optimize

import (
	"testing"

	"github.com/sgppl/sgppl/runtime/engine/target"
)

// flat has many coordinates and a gradient that costs nothing.
type flat struct {
	logistic
	n int
}

func (f *flat) Dim() int { return f.n }
func (f *flat) Blocks() []target.Block {
	return []target.Block{{Name: "w", Len: f.n,
		Geometry: target.Geometry{Kind: "euclidean", Points: 1, Dim: f.n}}}
}
func (f *flat) NewEvaluator(int) target.Evaluator                                { return f }
func (f *flat) Gradient(x []float64, _ []int, _, _ float64, grad []float64)      { copy(grad, x) }
func (f *flat) LogDensity(x []float64, _ []int, scale, jacobian float64) float64 { return 0 }

// BenchmarkStep is a step without its gradient, at the size of the network
// 784-400-400-10.
func BenchmarkStep(b *testing.B) {
	const n = 478410
	for i := range Table {
		b.Run(Table[i].Name, func(b *testing.B) {
			c := config(Table[i].Name, 1e-9, 1<<40)
			c.Batch, c.CheckEvery, c.Average = 0, 1<<39, 0
			ch := mustChain(b, &flat{n: n}, nil, c, 0)
			for b.Loop() {
				mustSteps(b, ch, 1)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/coordinate")
		})
	}
}
