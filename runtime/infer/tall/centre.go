package tall

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/sgppl/sgppl/runtime/infer/tall/chart"
	"github.com/sgppl/sgppl/runtime/infer/tall/control"
	"github.com/sgppl/sgppl/runtime/infer/tall/pick"
	"github.com/sgppl/sgppl/runtime/infer/tall/whitening"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

const (
	modePasses  = 40   // most full passes
	modeEnds    = 0.01 // the search ends at this ‖Lᵀ∇f‖²/d
	hessianRows = 5000 // least number of rows; at least 10 for each coordinate
	// bySizeRows is the number of rows per coordinate if they are drawn by size. With 10, none of the
	// rows of 2 % of the groups of a hierarchy is drawn, and the step is a tenth of that with 30.
	bySizeRows = 30
	// nearRows is the largest number of rows with which the search approaches the mode before it uses
	// all; nearShare is the ratio of all rows to them.
	nearRows, nearShare = 1 << 17, 10
	// nearWindows is the largest number of windows of a stream that these rows make up.
	nearWindows = 8
	// factor on the number of rows if they have kinks, since few of them have information
	kinkedRows = 4
)

// A centre is the mode of the posterior, or where the search for it ended.
type centre struct {
	white  *whitening.Map // coordinates about the mode
	rows   []float64      // the gradient of all rows there
	found  bool
	kinked bool   // the rows have kinks
	passes int    // passes over all rows
	count  int64  // further rows evaluated
	why    string // the reason why no mode was found
}

// hessianSize returns the number of rows from which a second derivative is computed.
func hessianSize(d int) int { return max(hessianRows, 10*d) }

// findCentre searches for the mode by L-BFGS on all rows, in coordinates in which the second
// derivative of some of the rows is −I. These rows may miss others that matter much, so that plain
// Newton steps may be far too long.
func findCentre(
	ctx context.Context, p *passes, x []float64, stream, near rng.Stream,
) (*centre, error) {
	d := len(x)
	c := &centre{white: whitening.New(x, d <= denseLimit), rows: make([]float64, chart.StateLen(p.t))}
	if err := c.rescale(p, stream, true); err != nil {
		return nil, err
	}
	rescaled := false
	m := min(p.t.Rows()/nearShare, nearRows)
	if p.hold > 0 { // rows may be wide, and are held in memory
		m = min(m, nearWindows*p.hold)
	}
	if m > hessianSize(d) {
		var err error
		if rescaled, err = c.approach(ctx, p, m, near); err != nil {
			return nil, err
		}
		if err := c.rescale(p, stream, false); err != nil {
			return nil, err
		}
	}
	at, z, g := make([]float64, d), make([]float64, d), make([]float64, d)
	last, value := []float64(nil), 0.0 // where the log density was computed last, and its value
	var failed error
	for {
		before := c.passes
		_, _, arrived := climb(func(z, grad []float64) float64 {
			c.white.Point(z, at)
			if !slices.Equal(at, last) {
				last = append(last[:0], at...)
				c.passes++
				if value, failed = p.densityGradient(ctx, at, g, c.rows); failed != nil {
					return math.NaN()
				}
			}
			c.white.Pull(g, grad)
			return value
		}, z, modePasses-before+1, func(grad []float64, gain float64) bool {
			return dot(grad, grad) < modeEnds*float64(d) || !rescaled && gain < float64(d)
		})
		if failed != nil {
			return nil, failed
		}
		c.white.Point(z, at)
		copy(c.white.Mean, at)
		clear(z)
		if !arrived {
			c.why = fmt.Sprintf("the search for the mode has not ended after %d passes", c.passes)
			return c, nil
		}
		if err := c.rescale(p, stream, false); err != nil {
			return nil, err
		}
		if rescaled {
			c.found = true
			return c, nil
		}
		rescaled = true
	}
}

// approach searches for the mode of some of the rows, with weights that stand for all rows. From
// there, few passes over all rows are needed. It returns false, and does not move, if this search
// does not end.
func (c *centre) approach(
	ctx context.Context, p *passes, rows int, stream rng.Stream,
) (bool, error) {
	of, err := pick.Some(p.t, rows, float64(p.t.Rows())/float64(rows), stream)
	if err != nil {
		return false, err
	}
	e := of.NewEvaluator(1024)
	d := len(c.white.Mean)
	at, z, g := make([]float64, d), make([]float64, d), make([]float64, d)
	_, count, arrived := climb(func(z, grad []float64) float64 {
		if ctx.Err() != nil {
			return math.NaN()
		}
		c.white.Point(z, at)
		f := e.LogDensityGradient(at, nil, 1, 1, g)
		c.white.Pull(g, grad)
		return f
	}, z, modePasses, func(grad []float64, _ float64) bool {
		return dot(grad, grad) < modeEnds*float64(d)
	})
	c.count += int64(count) * int64(rows)
	if arrived {
		c.white.Point(z, at)
		copy(c.white.Mean, at)
	}
	return arrived, ctx.Err()
}

// rescale sets L such that L Lᵀ is the inverse of minus the second derivative of some rows at the
// mean. The first call also looks for kinks.
func (c *centre) rescale(p *passes, stream rng.Stream, first bool) error {
	w := c.white
	size := hessianSize(len(w.Mean))
	if first {
		est, b, err := c.somewhere(p, kinkRows, stream)
		if err != nil {
			return err
		}
		c.kinked = newHessian(est, b).kinks()
		c.count += est.Count
	}
	if c.kinked {
		size *= kinkedRows
	}
	est, b, err := c.somewhere(p, size, stream)
	if err != nil {
		return err
	}
	if first && c.kinked {
		adaptToKinks(w, est, b)
	}
	est.Kinked = c.kinked
	adaptToCurvature(w, est, b)
	c.count += est.Count
	return nil
}

// somewhere returns an estimator about the mean, with a batch of rows that are drawn evenly.
func (c *centre) somewhere(
	p *passes,
	size int,
	stream rng.Stream,
) (*control.Estimator, *control.Batch, error) {
	b := someRows(p.t.Rows(), size, stream)
	if err := p.have(p.evals[0], b); err != nil {
		return nil, nil, err
	}
	// the gradient of all rows has no effect on differences
	at := &control.Anchor{X: c.white.Mean}
	if in, ok := p.evals[0].(*chart.Evaluator); ok {
		// except in charts, whose curvature it enters
		at.Rows = in.RowsAt(c.white.Mean, b.Rows, b.Weights[0])
		c.count += int64(len(b.Rows))
	}
	est := control.New(p.evals[0], at, c.white)
	est.All = p.t.Rows()
	return est, b, nil
}

// someRows returns a minibatch of m rows drawn evenly, or all rows if there are at most m.
func someRows(n, m int, stream rng.Stream) *control.Batch {
	if n > m {
		return fixedBatch(pick.EvenSizes(n), m, stream)
	}
	b := &control.Batch{Rows: make([]int, n), Weights: make([]float64, n)}
	for i := range b.Rows {
		b.Rows[i], b.Weights[i] = i, 1
	}
	return b
}

// adaptToCurvature changes L such that the second derivative of the rows of b with respect to z, at
// the mean, is −I. If it is not negative definite, a ridge makes it so. A diagonal L uses only its
// diagonal.
func adaptToCurvature(w *whitening.Map, e *control.Estimator, b *control.Batch) {
	d := len(w.Mean)
	h := newHessian(e, b)
	z := make([]float64, d)
	if w.Chol == nil {
		// The diagonal from products with random signs: E[s ∘ H s] = diag H.
		diag, s, out := make([]float64, d), make([]float64, d), make([]float64, d)
		const turns = 32
		for _, p := range signProbes(d, turns, rng.New(1, 0, purposeHessian)) {
			copy(s, p)
			h.along(z, s, out)
			for i := range diag {
				diag[i] += float64(float64(s[i]*out[i]) / turns)
			}
		}
		for i, x := range diag {
			if x > 1e-6 {
				w.Diag[i] *= 1 / math.Sqrt(x)
			}
		}
		return
	}
	a := h.matrix(z)
	scale := 0.0
	for i := range d {
		scale += math.Abs(a[i*d+i]) / float64(d)
	}
	for ridge := 1e-6 * scale; ridge < 1e6*scale; ridge *= 4 {
		if c, ok := whitening.InverseFactor(a, d); ok {
			w.Compose(c)
			return
		}
		for i := range d {
			a[i*d+i] += ridge
		}
	}
}
