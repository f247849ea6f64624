package sampler

import (
	"github.com/sgppl/sgppl/runtime/engine/target"
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
		c.blocks = append(c.blocks,
			target.Block{Name: string(rune('a' + i)), Offset: c.dim, Len: n, Geometry: g})
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
func (e *curvedEval) LogDensityGradient(
	x []float64, _ []int, _, _ float64, grad []float64,
) float64 {
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

// rowsOnSphere is the posterior of a direction μ: rows x_i ~ vMF(μ, κ) and
// μ ~ vMF(m, κ₀).
type rowsOnSphere struct {
	gaussian
	kappa, kappa0 float64
	prior         []float64
}

func newRows(x [][]float64, kappa float64, prior []float64, kappa0 float64) *rowsOnSphere {
	g := &rowsOnSphere{kappa: kappa, kappa0: kappa0, prior: prior}
	g.dim, g.y = len(prior), x
	g.blocks = []target.Block{{Name: "mu", Len: g.dim, Geometry: sphere(1, g.dim)}}
	return g
}

// noise is the variance of a coordinate of the gradient from batches of so
// many rows without replacement, the mean over coordinates (dynamics: V̂).
func (g *rowsOnSphere) noise(batch int) float64 {
	n, total := float64(len(g.y)), 0.0
	for j := range g.dim {
		var mean, square float64
		for _, row := range g.y {
			mean += row[j] / n
			square += row[j] * row[j] / n
		}
		total += g.kappa * g.kappa * (square - mean*mean) * n / (n - 1)
	}
	b := float64(batch)
	return total / float64(g.dim) * n * n / b * (1 - b/n)
}

func (g *rowsOnSphere) NewEvaluator(int) target.Evaluator {
	return &rowsEval{gaussianEval{&g.gaussian}, g, make([]float64, g.dim)}
}

type rowsEval struct {
	gaussianEval
	g       *rowsOnSphere
	scratch []float64
}

func (e *rowsEval) LogDensityGradient(
	x []float64, rows []int, scale, _ float64, grad []float64,
) float64 {
	g := e.g
	for j, m := range g.prior {
		grad[j] = g.kappa0 * m
	}
	if rows == nil {
		for _, row := range g.y {
			for j, y := range row {
				grad[j] += scale * g.kappa * y
			}
		}
	}
	for _, i := range rows {
		for j, y := range g.y[i] {
			grad[j] += scale * g.kappa * y
		}
	}
	f := 0.0
	for j := range x {
		f += grad[j] * x[j]
	}
	return f
}

func (e *rowsEval) Gradient(x []float64, rows []int, scale, jacobian float64, grad []float64) {
	e.LogDensityGradient(x, rows, scale, jacobian, grad)
}

func (e *rowsEval) LogDensity(x []float64, rows []int, scale, jacobian float64) float64 {
	return e.LogDensityGradient(x, rows, scale, jacobian, e.scratch)
}
