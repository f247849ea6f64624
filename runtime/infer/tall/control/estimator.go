// Package control has gradients of minibatches with a control variate: the difference of the
// gradients of the rows to those at an anchor, where the gradient of all rows is known.
package control

import (
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/tall/chart"
	"github.com/sgppl/sgppl/runtime/infer/tall/pick"
	"github.com/sgppl/sgppl/runtime/infer/tall/whitening"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// An Anchor is a state at which the gradient of all rows is known.
type Anchor struct {
	X []float64 // the state θ̂
	// Rows is Σ_i ∇ log p(row i | θ̂), without the prior; with charts it is the gradient with respect
	// to the state without charts, and is pulled back when it is added.
	Rows []float64
}

// A Batch has rows with the weights of their differences.
type Batch struct {
	Rows    []int
	Weights []float64
	Drawn   int // the first Drawn rows are drawn; the others are always taken
}

// NewBatch returns a batch for n drawn rows and the rows that are always taken.
func NewBatch(n int, s *pick.Sizes) *Batch {
	b := &Batch{Drawn: n}
	b.Rows, b.Weights = make([]int, n+len(s.Always())), make([]float64, n+len(s.Always()))
	copy(b.Rows[n:], s.Always())
	for i := n; i < len(b.Weights); i++ {
		b.Weights[i] = 1
	}
	return b
}

// Draw draws new rows.
func (b *Batch) Draw(s *pick.Sizes, src *rng.Source) {
	s.Draw(src, b.Rows[:b.Drawn], b.Weights[:b.Drawn])
}

// Join sets b to the first halves of two batches that are as large as b, with the weights of these
// rows.
func (b *Batch) Join(one, two *Batch) {
	k := b.Drawn / 2
	copy(b.Rows, one.Rows[:k])
	copy(b.Weights, one.Weights[:k])
	copy(b.Rows[k:b.Drawn], two.Rows[:b.Drawn-k])
	copy(b.Weights[k:b.Drawn], two.Weights[:b.Drawn-k])
}

// An Estimator computes gradients of minibatches in whitened coordinates. It is
// not safe for concurrent use, and allocates only when it is made.
type Estimator struct {
	Eval    target.DifferenceEvaluator
	charts  *chart.Evaluator // Eval, if it has charts
	Anchor  *Anchor
	White   *whitening.Map
	X, Grad []float64
	Rows    []int // buffer for a list of rows
	Count   int64 // rows evaluated; a difference counts twice
	All     int   // rows of the target
	Kinked  bool  // the density has kinks
}

// New returns an estimator with an anchor, in the coordinates of a map.
func New(e target.DifferenceEvaluator, a *Anchor, w *whitening.Map) *Estimator {
	charts, _ := e.(*chart.Evaluator)
	return &Estimator{Eval: e, charts: charts, Anchor: a, White: w, X: make([]float64, len(a.X)),
		Grad: make([]float64, len(a.X))}
}

// Gradient writes the estimate of the gradient of the log density with respect to z.
func (e *Estimator) Gradient(z []float64, rows []int, weights []float64, out []float64) {
	e.Weighted(z, rows, weights, 1, 1, out)
	e.Count += 2 * int64(len(rows))
}

// Weighted is Gradient with a weight of log|J|, and with one of the anchor's gradient, which
// weights include already.
func (e *Estimator) Weighted(
	z []float64, rows []int, weights []float64, jacobian, part float64, out []float64,
) {
	e.White.Point(z, e.X)
	e.Eval.Difference(e.X, e.Anchor.X, rows, weights, jacobian, e.Grad)
	if e.charts != nil {
		e.charts.AddRows(e.Anchor.Rows, part, e.Grad)
	} else {
		for i, g := range e.Anchor.Rows {
			e.Grad[i] += float64(part * g)
		}
	}
	e.White.Pull(e.Grad, out)
}

// Of is Gradient for a batch.
func (e *Estimator) Of(z []float64, b *Batch, out []float64) {
	e.Gradient(z, b.Rows, b.Weights, out)
}

// Ahead returns what is told of the rows of coming minibatches, so that they are in the processor's
// cache when they are read; nil where that gains nothing.
func Ahead(e target.DifferenceEvaluator) target.Fetcher {
	if c, is := e.(*chart.Evaluator); is {
		e = c.Differences
	}
	if f, is := e.(target.Fetcher); is && f.Fetches(false) {
		return f
	}
	return nil
}
