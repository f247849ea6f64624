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
	modePasses  = 40   // full passes at most
	modeEnds    = 0.01 // of ‖Lᵀ∇f‖²/d, where the search ends
	hessianRows = 5000 // at least, and 10 for each coordinate
	// bySizeRows is how many rows there are for each coordinate where they are drawn by
	// size: with 10, no row of 2 % of the groups of a hierarchy is drawn, and the step is a
	// tenth of what it is with 30.
	bySizeRows = 30
	// nearRows is how many rows bring the search near the mode before it takes all, at most,
	// and nearShare of how many one of them is.
	nearRows, nearShare = 1 << 17, 10
	// nearWindows is how many windows of a stream these rows are at most.
	nearWindows = 8
	kinkedRows  = 4 // times as many of rows with kinks, few of which say something
)

// A centre is the mode of the posterior, or where the search for it ended.
type centre struct {
	white  *whitening.Map // about the mode
	rows   []float64      // the gradient of all rows there
	found  bool
	kinked bool   // the rows have kinks
	passes int    // over all rows
	count  int64  // rows evaluated besides
	why    string // of a search that found none
}

// hessianSize is how many rows a second derivative is computed from.
func hessianSize(d int) int { return max(hessianRows, 10*d) }

// findCentre looks for the mode by L-BFGS on all rows, in coordinates in which some of
// the rows have the second derivative −I: these some may miss rows that matter much, so
// Newton's own steps may be far too long.
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
	if p.hold > 0 { // rows may be wide, and are in memory
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
	last, value := []float64(nil), 0.0 // where the log density was computed last
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

// approach goes to the mode of some of the rows, each in place of as many as make up for
// all: from there few passes over all rows are left. It is false, and stays, where the
// search on some rows does not end.
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

// rescale makes L Lᵀ the inverse of minus the second derivative at the mean, of some
// rows. The first time it looks for kinks.
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

// somewhere is an estimator about the mean with so many of the rows, drawn evenly.
func (c *centre) somewhere(
	p *passes,
	size int,
	stream rng.Stream,
) (*control.Estimator, *control.Batch, error) {
	b := someRows(p.t.Rows(), size, stream)
	if err := p.have(p.evals[0], b); err != nil {
		return nil, nil, err
	}
	// what the rows' gradient is there does not matter to differences
	at := &control.Anchor{X: c.white.Mean}
	if in, ok := p.evals[0].(*chart.Evaluator); ok {
		at.Rows = in.RowsAt(c.white.Mean, b.Rows, b.Weights[0]) // but in charts, which bend it
		c.count += int64(len(b.Rows))
	}
	est := control.New(p.evals[0], at, c.white)
	est.All = p.t.Rows()
	return est, b, nil
}

// someRows is a minibatch of m rows drawn evenly, or all rows if there are at most m.
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

// adaptToCurvature changes L such that the second derivative at the mean, by z and
// of the rows of b, is −I. Where it is not negative definite, a ridge makes it so. Of a
// diagonal L only the diagonal of the second derivative counts.
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
				diag[i] += float64(s[i]*out[i]) / turns
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
