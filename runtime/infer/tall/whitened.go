package tall

import (
	"github.com/sgppl/sgppl/runtime/dynamics/manifold"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/tall/chart"
	"github.com/sgppl/sgppl/runtime/infer/tall/control"
	"github.com/sgppl/sgppl/runtime/infer/tall/pick"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// A whitened is a target in the coordinates of a set-up, with gradients of minibatches that use its
// anchor, for samplers that know neither. Its blocks keep their names, and all are flat.
type whitened struct {
	target.Target             // in charts, if blocks are curved
	setup         *Setup      // nil for a target that is used only to check settings
	sizes         *pick.Sizes // of minibatches
}

// Whitened returns the target in the coordinates of the set-up, for minibatches of batch rows in
// addition to those that are always taken. With order "size" rows are drawn by size, otherwise
// evenly.
func (s *Setup) Whitened(t target.Target, batch int, order string) target.Target {
	out := &whitened{Target: t, setup: s, sizes: pick.EvenSizes(t.Rows())}
	if s.middle != nil {
		out.Target = chart.About(t, s.middle)
	}
	if order == "size" && s.class != nil {
		out.sizes = pick.NewSizes(s.class, batch)
	}
	return out
}

// LikeWhitened returns a target with the blocks that Whitened will have, for checking settings
// before there is a set-up.
func LikeWhitened(t target.Target) target.Target {
	out := &whitened{Target: t}
	if chart.Curved(t) {
		out.Target = chart.About(t, nil)
	}
	return out
}

// AlwaysOf returns how many rows are in every minibatch of such a target.
func (s *Setup) AlwaysOf(batch int, order string) int {
	if order != "size" || s.class == nil {
		return 0
	}
	return len(pick.NewSizes(s.class, batch).Always())
}

// Starts returns states of Whitened near the posterior, one for each chain.
func (s *Setup) Starts() [][]float64 { return s.starts }

// Blocks implements target.Target.
func (t *whitened) Blocks() []target.Block {
	var out []target.Block
	for _, b := range t.Target.Blocks() {
		b.Geometry = target.Geometry{Kind: manifold.Table[0].Kind, Points: 1, Dim: b.Len}
		out = append(out, b)
	}
	return out
}

// DrawRows fills rows with independent draws; gradients are for rows that are drawn so.
func (t *whitened) DrawRows(src *rng.Source, rows []int) { t.sizes.Draw(src, rows, nil) }

// NewEvaluator implements target.Target.
func (t *whitened) NewEvaluator(capacity int) target.Evaluator {
	d, n := t.Target.Dim(), capacity+len(t.sizes.Always())
	e, _ := target.DifferenceOf(t.Target.NewEvaluator(n))
	return &whitenedEvaluator{DifferenceEvaluator: e, of: t,
		est:  control.New(e, t.setup.anchor, t.setup.white),
		full: make([]float64, d), rows: make([]int, 0, n), weights: make([]float64, 0, n)}
}

type whitenedEvaluator struct {
	target.DifferenceEvaluator
	of      *whitened
	est     *control.Estimator
	full    []float64 // a gradient with respect to the target's own coordinates
	rows    []int
	weights []float64
	ahead   target.Fetcher // is told which rows come; nil: that gains nothing
}

// Fetches implements target.Fetcher.
func (e *whitenedEvaluator) Fetches(bool) bool {
	e.ahead = control.Ahead(e.DifferenceEvaluator)
	return e.ahead != nil
}

// Coming implements target.Fetcher.
func (e *whitenedEvaluator) Coming(next, after []int) { e.ahead.Coming(next, after) }

// Lie implements target.Fetcher. Rows are read by their numbers, in another list.
func (e *whitenedEvaluator) Lie(_, _, _ []int) {}

// Gradient implements target.Evaluator. For rows that were drawn for a minibatch, or are a part of
// one, it is the estimate with the anchor. The weight of the estimate, 1 for a minibatch, is scale
// times the number of rows divided by that of all rows.
func (e *whitenedEvaluator) Gradient(
	z []float64, rows []int, scale, jacobian float64, grad []float64,
) {
	w := e.of.setup.white
	if len(rows) == 0 { // nil stands for all rows, an empty list for none
		w.Point(z, e.est.X)
		e.DifferenceEvaluator.Gradient(e.est.X, rows, scale, jacobian, e.full)
		w.Pull(e.full, grad)
		return
	}
	s := e.of.sizes
	part := scale * float64(len(rows)) / float64(e.of.Rows())
	e.rows = append(append(e.rows[:0], rows...), s.Always()...)
	e.weights = e.weights[:0]
	for _, row := range rows {
		e.weights = append(e.weights, part/(float64(len(rows))*s.Probability(row)))
	}
	for range s.Always() {
		e.weights = append(e.weights, part)
	}
	e.est.Weighted(z, e.rows, e.weights, jacobian, part, grad)
}

// LogDensity implements target.Evaluator.
func (e *whitenedEvaluator) LogDensity(z []float64, rows []int, scale, jacobian float64) float64 {
	e.of.setup.white.Point(z, e.est.X)
	return e.DifferenceEvaluator.LogDensity(e.est.X, rows, scale, jacobian)
}

// LogDensityGradient implements target.Evaluator.
func (e *whitenedEvaluator) LogDensityGradient(
	z []float64, rows []int, scale, jacobian float64, grad []float64,
) float64 {
	w := e.of.setup.white
	w.Point(z, e.est.X)
	f := e.DifferenceEvaluator.LogDensityGradient(e.est.X, rows, scale, jacobian, e.full)
	w.Pull(e.full, grad)
	return f
}

// Constrain implements target.Evaluator.
func (e *whitenedEvaluator) Constrain(z, out []float64) {
	e.of.setup.white.Point(z, e.est.X)
	e.DifferenceEvaluator.Constrain(e.est.X, out)
}

// LogLik implements target.Evaluator.
func (e *whitenedEvaluator) LogLik(z []float64, rows []int, out []float64) {
	e.of.setup.white.Point(z, e.est.X)
	e.DifferenceEvaluator.LogLik(e.est.X, rows, out)
}
