package tall

import (
	"context"
	"fmt"
	"math"

	"github.com/sgppl/sgppl/runtime/rng"
	"github.com/sgppl/sgppl/runtime/target"
)

const (
	modePasses  = 40   // full passes at most
	modeEnds    = 0.01 // of ‖Lᵀ∇f‖²/d, where the search ends
	hessianRows = 5000 // at least, and 10 for each coordinate
)

// A centre is the mode of the posterior, or where the search for it ended.
type centre struct {
	white  *Whitening // about the mode
	found  bool
	passes int    // over all rows
	why    string // of a search that found none
}

// hessianSize is how many rows a second derivative is computed from.
func hessianSize(d int) int { return max(hessianRows, 10*d) }

// findCentre looks for the mode by L-BFGS on all rows, in coordinates in which some of
// the rows have the second derivative −I: these some may miss rows that matter much, so
// Newton's own steps may be far too long.
func findCentre(ctx context.Context, t target.Target, e target.DifferenceEvaluator, x []float64, stream rng.Stream) (*centre, error) {
	d := len(x)
	c := &centre{white: NewWhitening(x, d <= denseLimit)}
	c.rescale(t, e, stream)
	at, z, g := make([]float64, d), make([]float64, d), make([]float64, d)
	rescaled := false
	for {
		_, passes, arrived := climb(func(z, grad []float64) float64 {
			if ctx.Err() != nil {
				return math.NaN()
			}
			c.white.Point(z, at)
			f := e.LogDensityGradient(at, nil, 1, 1, g)
			c.white.Pull(g, grad)
			return f
		}, z, modePasses-c.passes, func(grad []float64, gain float64) bool {
			return dot(grad, grad) < modeEnds*float64(d) || !rescaled && gain < float64(d)
		})
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		c.passes += passes
		c.white.Point(z, at)
		copy(c.white.Mean, at)
		clear(z)
		if !arrived {
			c.why = fmt.Sprintf("the search for the mode has not ended after %d passes", c.passes)
			return c, nil
		}
		c.rescale(t, e, stream)
		if rescaled {
			c.found = true
			return c, nil
		}
		rescaled = true
	}
}

// rescale makes L Lᵀ the inverse of minus the second derivative at the mean, of some
// rows.
func (c *centre) rescale(t target.Target, e target.DifferenceEvaluator, stream rng.Stream) {
	w := c.white
	d := len(w.Mean)
	est := newEstimator(e, &Anchor{w.Mean, make([]float64, d)}, w)
	b := someRows(t.Rows(), hessianSize(d), stream)
	adaptToCurvature(w, est, b)
}

// someRows is a minibatch of m rows drawn evenly; all rows where there are no more.
func someRows(n, m int, stream rng.Stream) *Batch {
	if n > m {
		return fixedBatch(EvenSizes(n), m, stream)
	}
	b := &Batch{rows: make([]int, n), weights: make([]float64, n)}
	for i := range b.rows {
		b.rows[i], b.weights[i] = i, 1
	}
	return b
}

// adaptToCurvature changes L such that the second derivative at the mean, by z and
// of the rows of b, is −I. Where it is not negative definite, a ridge makes it so. Of a
// diagonal L only the diagonal of the second derivative counts.
func adaptToCurvature(w *Whitening, e *estimator, b *Batch) {
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
				w.Diag[i] *= 1 / sqrt(x)
			}
		}
		return
	}
	a := h.matrix(z)
	scale := 0.0
	for i := range d {
		scale += abs(a[i*d+i]) / float64(d)
	}
	for ridge := 1e-6 * scale; ridge < 1e6*scale; ridge *= 4 {
		if c, ok := inverseFactor(a, d); ok {
			w.Compose(c)
			return
		}
		for i := range d {
			a[i*d+i] += ridge
		}
	}
}
