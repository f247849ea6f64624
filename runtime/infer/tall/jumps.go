package tall

import (
	"context"
	"math"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/tall/pick"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

const (
	jumpRows  = 2000 // least number of rows
	jumpPaths = 4
	// jumpPanels is the number of pieces of a path; the gradient is computed at two points of each.
	jumpPanels = 16
	// A path has a jump if the difference between its ends exceeds the integral of the gradient by
	// this much, however many panels there are. Errors from smooth functions or kinks fall faster than
	// the width of the panels.
	jumpSize = 0.1
)

// jumps reports whether the log density has jumps: whether its differences are not the integrals of
// its gradient. Chains on minibatches use the gradient alone, so pairs of chains cannot detect a
// jump. It integrates along paths between random points, at distances of the width of the posterior
// of some of the rows.
func (w *workshop) jumps(ctx context.Context) (bool, error) {
	n, d := w.t.Rows(), len(w.white.Mean)
	m := min(n, max(jumpRows, 10*d))
	of, err := pick.Some(w.t, m, 1, rng.New(w.seed, 0, purposeJumps))
	if err != nil {
		return false, err
	}
	e := of.NewEvaluator(1)
	wide := math.Sqrt(float64(n) / float64(m))
	a, b := make([]float64, d), make([]float64, d)
	normals := rng.New(w.seed, 1, purposeJumps)
	for k := range jumpPaths {
		normals.Normals(uint64(2*k), a)
		normals.Normals(uint64(2*k+1), b)
		for i := range a {
			a[i] *= wide
			b[i] *= wide
		}
		last, jumped := math.Inf(1), true
		for panels := jumpPanels / 4; jumped && panels <= 16*jumpPanels; panels *= 4 {
			left := w.untold(ctx, e, a, b, panels)
			w.count += int64((2*panels + 2) * m)
			jumped = left > jumpSize && left > last/2 || math.IsInf(last, 1)
			last = left
		}
		if err := ctx.Err(); err != nil {
			return false, err
		}
		if jumped {
			return true, nil
		}
	}
	return false, nil
}

// untold returns the part of the difference of the log density between a and b that the integral of
// its gradient along the straight line does not explain, by Gauss's rule with two points in each
// panel.
func (w *workshop) untold(
	ctx context.Context, e target.Evaluator, a, b []float64, panels int,
) float64 {
	d := len(a)
	z, x, grad, pulled, way := make([]float64, d), make([]float64, d), make([]float64, d),
		make([]float64, d), make([]float64, d)
	value := func(z []float64) float64 {
		w.white.Point(z, x)
		return e.LogDensity(x, nil, 1, 1)
	}
	for i := range way {
		way[i] = b[i] - a[i]
	}
	out := value(b) - value(a)
	for p := 0; p < panels && ctx.Err() == nil; p++ {
		for _, side := range []float64{-1, 1} {
			by := (float64(p) + 0.5 + side/(2*math.Sqrt(3))) / float64(panels)
			for i := range z {
				z[i] = a[i] + float64(by*way[i])
			}
			w.white.Point(z, x)
			e.Gradient(x, nil, 1, 1, grad)
			w.white.Pull(grad, pulled)
			out -= dot(pulled, way) / float64(2*panels)
		}
	}
	return math.Abs(out)
}
