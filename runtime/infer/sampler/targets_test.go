package sampler

import (
	"math"

	"github.com/sgppl/sgppl/runtime/engine/target"
)

// gaussian is a closed-form target: n rows y_i ~ N(x, diag(rowVar)) and a
// prior x ~ N(0, diag(priorVar)); without rows it is the prior. Its blocks are
// given by their lengths.
type gaussian struct {
	blocks   []target.Block
	dim      int
	priorVar []float64
	rowVar   float64
	y        [][]float64
}

func newGaussian(priorVar []float64, lens ...int) *gaussian {
	g := &gaussian{dim: len(priorVar), priorVar: priorVar, rowVar: 1}
	if len(lens) == 0 {
		lens = []int{g.dim}
	}
	at := 0
	for i, n := range lens {
		g.blocks = append(g.blocks, target.Block{
			Name: string(rune('a' + i)), Offset: at, Len: n,
			Geometry: target.Geometry{Kind: "euclidean", Points: 1, Dim: n},
		})
		at += n
	}
	return g
}

// withRows gives it n rows, spread by the golden ratio.
func (g *gaussian) withRows(n int, rowVar float64) *gaussian {
	g.rowVar = rowVar
	for i := range n {
		row := make([]float64, g.dim)
		for j := range row {
			_, f := math.Modf(float64(i*g.dim+j+1) * 0.6180339887498949)
			row[j] = 2*f - 0.5
		}
		g.y = append(g.y, row)
	}
	return g
}

// moments of the posterior π of coordinate j.
func (g *gaussian) moments(j int) (mean, variance float64) {
	precision, sum := 1/g.priorVar[j], 0.0
	for _, row := range g.y {
		precision += 1 / g.rowVar
		sum += row[j] / g.rowVar
	}
	return sum / precision, 1 / precision
}

func (g *gaussian) Name() string           { return "gaussian" }
func (g *gaussian) Dim() int               { return g.dim }
func (g *gaussian) Blocks() []target.Block { return g.blocks }
func (g *gaussian) OutputLen() int         { return g.dim }
func (g *gaussian) Rows() int              { return len(g.y) }
func (g *gaussian) RowAxis() string        { return "N" }
func (g *gaussian) Outputs() []target.Output {
	return []target.Output{{Name: "x", Shape: []int{g.dim}, Len: g.dim}}
}

func (g *gaussian) NewEvaluator(capacity int) target.Evaluator { return &gaussianEval{g} }

type gaussianEval struct{ *gaussian }

func (g *gaussianEval) LogDensityGradient(
	x []float64, rows []int, scale, jacobian float64, grad []float64,
) float64 {
	f := 0.0
	for j := range x {
		grad[j] = -x[j] / g.priorVar[j]
		f -= 0.5 * x[j] * x[j] / g.priorVar[j]
	}
	one := func(row []float64) {
		for j := range x {
			d := row[j] - x[j]
			grad[j] += scale * d / g.rowVar
			f -= scale * 0.5 * d * d / g.rowVar
		}
	}
	if rows == nil {
		for _, row := range g.y {
			one(row)
		}
	}
	for _, i := range rows {
		one(g.y[i])
	}
	return f
}

func (g *gaussianEval) Gradient(x []float64, rows []int, scale, jacobian float64, grad []float64) {
	g.LogDensityGradient(x, rows, scale, jacobian, grad)
}

func (g *gaussianEval) LogDensity(x []float64, rows []int, scale, jacobian float64) float64 {
	return g.LogDensityGradient(x, rows, scale, jacobian, make([]float64, len(x)))
}

func (g *gaussianEval) Constrain(x, out []float64)                    { copy(out, x) }
func (g *gaussianEval) Unconstrain(out, x []float64) error            { copy(x, out); return nil }
func (g *gaussianEval) LogLik(x []float64, rows []int, out []float64) {}

// well is a target of one coordinate with any potential.
type well struct {
	gaussian
	force func(x float64) float64 // −U'
	u     func(x float64) float64
}

func newWell(u, force func(float64) float64) *well {
	return &well{gaussian: *newGaussian([]float64{1}), u: u, force: force}
}

// doubleWell is U = (x+4)(x+1)(x−1)(x−3)/14 + ½ (Ding et al. 2014).
func doubleWell() *well {
	return newWell(
		func(x float64) float64 { return (x+4)*(x+1)*(x-1)*(x-3)/14 + 0.5 },
		func(x float64) float64 { return -(4*x*x*x + 3*x*x - 26*x - 1) / 14 })
}

func (w *well) NewEvaluator(int) target.Evaluator { return &wellEval{gaussianEval{&w.gaussian}, w} }

type wellEval struct {
	gaussianEval
	w *well
}

func (e *wellEval) Gradient(x []float64, rows []int, scale, jacobian float64, grad []float64) {
	grad[0] = e.w.force(x[0])
}
func (e *wellEval) LogDensity(x []float64, rows []int, scale, jacobian float64) float64 {
	return -e.w.u(x[0])
}
