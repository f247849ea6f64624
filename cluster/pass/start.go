package pass

import (
	"context"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/tall"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// purposeStart numbers the streams of the states that chains start from.
const purposeStart rng.Purpose = purposePilot + 1

// Starts are states for chains of a posterior whose rows enter by sums: about its mode, as
// wide as the curvature says. Of very many rows the posterior is so narrow that chains from
// random states may not come to it in a warm-up. It is nil where there is no such mode, as of
// hierarchies, and on curved spaces.
func Starts(ctx context.Context, t target.Target, seed uint64, chains int) ([][]float64, error) {
	for _, b := range t.Blocks() {
		if b.Geometry.Kind != "euclidean" {
			return nil, nil
		}
	}
	at, err := tall.Locate(ctx, &asOne{t}, tall.Settings{Seed: seed, Radius: 2}, loop.Options{})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil || !at.Mode {
		return nil, nil // chains start as they do without
	}
	var out [][]float64
	for k := range chains {
		z, x := make([]float64, t.Dim()), make([]float64, t.Dim())
		rng.New(seed, k, purposeStart).Normals(0, z)
		at.White.Point(z, x)
		out = append(out, x)
	}
	return out, nil
}

// asOne has all rows of a target, which its full passes take together, as one row.
type asOne struct{ target.Target }

// Rows implements target.Target.
func (t *asOne) Rows() int { return 1 }

// NewEvaluator implements target.Target.
func (t *asOne) NewEvaluator(int) target.Evaluator {
	d := t.Dim()
	return &oneRow{Evaluator: t.Target.NewEvaluator(1), all: make([]float64, d),
		rest: make([]float64, d), there: make([]float64, d)}
}

type oneRow struct {
	target.Evaluator
	all, rest, there []float64
}

var none = []int{}

// LogDensityGradient implements target.Evaluator.
func (e *oneRow) LogDensityGradient(
	x []float64, rows []int, scale, jacobian float64, grad []float64,
) float64 {
	if rows != nil {
		scale *= float64(len(rows))
	}
	if scale == 1 {
		return e.Evaluator.LogDensityGradient(x, nil, 1, jacobian, grad)
	}
	rest := e.Evaluator.LogDensityGradient(x, none, 1, jacobian, e.rest)
	if scale == 0 {
		copy(grad, e.rest)
		return rest
	}
	f := e.Evaluator.LogDensityGradient(x, nil, 1, jacobian, e.all)
	for i, r := range e.rest {
		grad[i] = r + float64(scale*(e.all[i]-r))
	}
	return rest + float64(scale*(f-rest))
}

// LogDensity implements target.Evaluator.
func (e *oneRow) LogDensity(x []float64, rows []int, scale, jacobian float64) float64 {
	return e.LogDensityGradient(x, rows, scale, jacobian, e.there)
}

// Gradient implements target.Evaluator.
func (e *oneRow) Gradient(x []float64, rows []int, scale, jacobian float64, grad []float64) {
	e.LogDensityGradient(x, rows, scale, jacobian, grad)
}

// LogLik implements target.Evaluator.
func (e *oneRow) LogLik(x []float64, rows []int, out []float64) {
	f := e.LogDensity(x, nil, 1, 1) - e.LogDensity(x, none, 1, 1)
	for i := range rows {
		out[i] = f
	}
}

// HasDifference implements target.DifferenceEvaluator.
func (e *oneRow) HasDifference() bool { return true }

// Difference implements target.DifferenceEvaluator.
func (e *oneRow) Difference(
	x, anchor []float64, rows []int, weights []float64, jacobian float64, grad []float64,
) {
	total := 0.0
	for _, w := range weights[:len(rows)] {
		total += w
	}
	e.LogDensityGradient(anchor, nil, 1, jacobian, e.there)
	e.LogDensityGradient(anchor, none, 1, jacobian, grad)
	for i, g := range grad {
		e.there[i] -= g // of the rows at the anchor
	}
	e.LogDensityGradient(x, nil, total, jacobian, grad)
	for i, g := range e.there {
		grad[i] -= float64(total * g)
	}
}
