package tall

import (
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/tall/pick"
	"github.com/sgppl/sgppl/runtime/infer/tall/whitening"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// An Anchor is a state with the gradient that all rows have there.
type Anchor struct {
	X []float64 // the state θ̂
	// Rows is Σ_i ∇ log p(row i | θ̂), without the prior; in charts it is the gradient by
	// the state of the target that has none, and is pulled back where it is added.
	Rows []float64
}

// A Batch is rows with the weights of their differences.
type Batch struct {
	rows    []int
	weights []float64
	drawn   int // the first so many are drawn; the others are those that are always taken
}

// newBatch makes room for n rows that are drawn, beside those that are always taken.
func newBatch(n int, s *pick.Sizes) *Batch {
	b := &Batch{drawn: n}
	b.rows, b.weights = make([]int, n+len(s.Always())), make([]float64, n+len(s.Always()))
	copy(b.rows[n:], s.Always())
	for i := n; i < len(b.weights); i++ {
		b.weights[i] = 1
	}
	return b
}

// draw draws the rows anew.
func (b *Batch) draw(s *pick.Sizes, src *rng.Source) {
	s.Draw(src, b.rows[:b.drawn], b.weights[:b.drawn])
}

// join makes b the first halves of two batches of as many rows as b, with the weights
// that they have there.
func (b *Batch) join(one, two *Batch) {
	k := b.drawn / 2
	copy(b.rows, one.rows[:k])
	copy(b.weights, one.weights[:k])
	copy(b.rows[k:b.drawn], two.rows[:b.drawn-k])
	copy(b.weights[k:b.drawn], two.weights[:b.drawn-k])
}

// An estimator computes gradients of minibatches in whitened coordinates. It is
// not safe for concurrent use, and allocates only when it is made.
type estimator struct {
	eval    target.DifferenceEvaluator
	charts  *chartedEvaluator // eval, where it is one
	anchor  *Anchor
	white   *whitening.Map
	x, grad []float64
	rows    []int // room for a list
	count   int64 // rows evaluated, each difference twice
	all     int   // rows of the target
	kinked  bool  // see kinks.go
}

func newEstimator(e target.DifferenceEvaluator, a *Anchor, w *whitening.Map) *estimator {
	charts, _ := e.(*chartedEvaluator)
	return &estimator{eval: e, charts: charts, anchor: a, white: w, x: make([]float64, len(a.X)),
		grad: make([]float64, len(a.X))}
}

// gradient writes the estimate of the gradient of the log density by z.
func (e *estimator) gradient(z []float64, rows []int, weights []float64, out []float64) {
	e.weighted(z, rows, weights, 1, 1, out)
	e.count += 2 * int64(len(rows))
}

// weighted is gradient with a weight of log|J|, and one of the rows' part, which weights
// have in them.
func (e *estimator) weighted(
	z []float64, rows []int, weights []float64, jacobian, part float64, out []float64,
) {
	e.white.Point(z, e.x)
	e.eval.Difference(e.x, e.anchor.X, rows, weights, jacobian, e.grad)
	if e.charts != nil {
		e.charts.addRows(e.anchor.Rows, part, e.grad)
	} else {
		for i, g := range e.anchor.Rows {
			e.grad[i] += float64(part * g)
		}
	}
	e.white.Pull(e.grad, out)
}

func (e *estimator) of(z []float64, b *Batch, out []float64) {
	e.gradient(z, b.rows, b.weights, out)
}
