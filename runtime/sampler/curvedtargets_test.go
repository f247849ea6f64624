package sampler

import (
	"github.com/sgppl/sgppl/runtime/target"
)

// curved is a target by hand: blocks of any geometry, and f with its gradient.
type curved struct {
	gaussian // for what does not matter here
	f        func(x, grad []float64) float64
}

// newCurved lays out blocks one after the other; block i is named a, b, ….
func newCurved(f func(x, grad []float64) float64, geometries ...target.Geometry) *curved {
	c := &curved{f: f}
	for i, g := range geometries {
		n := g.Points * g.Dim * max(g.Cols, 1)
		c.blocks = append(c.blocks, target.Block{Name: string(rune('a' + i)), Offset: c.dim, Len: n, Geometry: g})
		c.dim += n
	}
	return c
}

func sphere(points, dim int) target.Geometry {
	return target.Geometry{Kind: "sphere", Points: points, Dim: dim}
}

func stiefel(points, rows, cols int) target.Geometry {
	return target.Geometry{Kind: "stiefel", Points: points, Dim: rows, Cols: cols}
}

func flat(dim int) target.Geometry {
	return target.Geometry{Kind: "euclidean", Points: 1, Dim: dim}
}

func (c *curved) NewEvaluator(int) target.Evaluator {
	return &curvedEval{gaussianEval{&c.gaussian}, c, make([]float64, c.dim)}
}

type curvedEval struct {
	gaussianEval
	c       *curved
	scratch []float64
}

func (e *curvedEval) Gradient(x []float64, _ []int, _, _ float64, grad []float64) { e.c.f(x, grad) }
func (e *curvedEval) LogDensity(x []float64, _ []int, _, _ float64) float64 {
	return e.c.f(x, e.scratch)
}
func (e *curvedEval) LogDensityGradient(x []float64, _ []int, _, _ float64, grad []float64) float64 {
	return e.c.f(x, grad)
}

// linear is the density e^{a·x}: von Mises and Fisher's law on a sphere, the
// matrix Langevin law on a Stiefel manifold, as long as a point each.
func linear(a []float64) func(x, grad []float64) float64 {
	return func(x, grad []float64) float64 {
		sum := 0.0
		for i, p := range x {
			q := a[i%len(a)]
			sum += p * q
			grad[i] = q
		}
		return sum
	}
}
