package tall

import (
	"context"
	"math"

	"github.com/sgppl/sgppl/runtime/dynamics/manifold"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/start"
	"github.com/sgppl/sgppl/runtime/infer/tall/chart"
	"github.com/sgppl/sgppl/runtime/infer/tall/pick"
	"github.com/sgppl/sgppl/runtime/math/rng"
	"github.com/sgppl/sgppl/runtime/math/special"
)

const (
	modeStarts = 16   // number of climbs from random points
	modeSteps  = 100  // most gradients of each
	modeRows   = 2000 // least number of their rows; at least 20 for each coordinate
	// A maximum counts as a separate mode if the log density on the straight line to the best one
	// falls by more than modeDip below both.
	modeDip = 3.0
	// Maxima that are lower than the best one by more than this, on the rows used, have no weight in
	// the posterior of all rows.
	modeDepth = 15.0
	// modePoints is the number of points on the line at which the density is computed.
	modePoints = 15
	// modeDoubts is the number of ends behind a shallow valley that are examined on all rows, with at
	// most modeSteps gradients each.
	modeDoubts = 3
)

// A search has the results of climbs from several random points.
type search struct {
	best  []float64 // the highest end
	value float64
	ends  [][]float64 // ends of the climbs that came near the best
	modes int         // number of maxima that are separated by valleys, with the best
	// doubts are ends behind a valley that may be as deep as modeDip on all rows, though it is not on
	// the rows used.
	doubts  [][]float64
	settled int // number of doubts that were examined on all rows
}

// searchModes climbs from random points on some of the rows, with a weight for each.
func searchModes(
	ctx context.Context, t target.Target, s Settings, o loop.Options,
) (*search, int64, error) {
	n, d := t.Rows(), t.Dim()
	size := min(n, max(modeRows, 20*d))
	of, err := pick.Some(t, size, 1, rng.New(s.Seed, 0, purposePilotRows))
	if err != nil {
		return nil, 0, err
	}
	factors, err := manifold.Product(t.Blocks(), d)
	if err != nil {
		return nil, 0, err
	}
	ends, values, counts := make([][]float64, modeStarts), make([]float64, modeStarts),
		make([]int, modeStarts)
	errs := make([]error, modeStarts)
	evals := make([]target.Evaluator, modeStarts)
	err = loop.Parallel(ctx, modeStarts, o.Threads, func(worker, k int) error {
		if evals[worker] == nil {
			evals[worker] = of.NewEvaluator(1)
		}
		e := evals[worker]
		x, grad := make([]float64, d), make([]float64, d)
		start := start.Law{Init: s.Init, Radius: s.Radius, Seed: s.Seed, Jacobian: 1}
		if errs[k] = start.Place(factors, e, k, x, grad); errs[k] != nil {
			return nil
		}
		values[k], counts[k] = ascend(t, func(x, grad []float64) float64 {
			if ctx.Err() != nil {
				return math.NaN()
			}
			return e.LogDensityGradient(x, nil, 1, 1, grad)
		}, x, modeSteps, 1e-3)
		ends[k] = x
		return nil
	})
	if err != nil {
		return nil, 0, err
	}
	out := &search{value: math.Inf(-1), modes: 1}
	total := int64(0)
	for k, x := range ends {
		total += int64(counts[k] * size)
		if x != nil && values[k] > out.value {
			out.best, out.value = x, values[k]
		}
	}
	if out.best == nil {
		return nil, total, errs[0]
	}
	e := of.NewEvaluator(1)
	for k, x := range ends {
		if x == nil || !(values[k] > out.value-max(s.Depth, modeDepth)) {
			continue
		}
		out.ends = append(out.ends, x)
		dip, passes := valley(t, func(x []float64) float64 { return e.LogDensity(x, nil, 1, 1) }, x,
			out.best, values[k], out.value)
		total += int64(passes * size)
		switch {
		case !(dip < modeDip):
			out.modes++
		case dip > max(modeDip*float64(size)/float64(n), shallow):
			out.doubts = append(out.doubts, x)
		}
	}
	return out, total, nil
}

// shallow is the largest fall of the log density between ends of climbs that reached the same
// maximum.
const shallow = 0.02

// ascend climbs from x, a state of t that it changes, to a maximum of f: until a step gains less
// than ends, or for most gradients. On curved spaces it climbs in charts about its present state,
// and changes the chart when it has come far. f is a density with respect to the measure of the
// space, so its maxima do not depend on charts.
func ascend(
	t target.Target, f objective, x []float64, most int, ends float64,
) (value float64, gradients int) {
	if !chart.Curved(t) {
		value, gradients, _ = climb(f, x, most,
			func(_ []float64, gain float64) bool { return gain < ends })
		return value, gradients
	}
	for far := true; far; {
		c := chart.About(t, x)
		in := c.On(nil)
		u := make([]float64, c.Dim())
		leg, count, _ := climb(func(u, grad []float64) float64 {
			in.Move(u)
			value := f(in.Point, in.Grad)
			in.Pull(in.Grad, 0, grad)
			return value
		}, u, most-gradients, func(_ []float64, gain float64) bool {
			r, _ := in.Farthest(u)
			far = r > farClimb
			return far || gain < ends
		})
		in.Move(u)
		copy(x, in.Point)
		value = leg
		if gradients += count; gradients >= most || !special.Finite(value) {
			break
		}
	}
	return value, gradients
}

// farClimb is the distance from the middle of a chart, a quarter turn, at which a climb changes to
// another chart.
const farClimb = 1

// valley returns how far the log density f falls below both ends on a path from x to y, and how
// often f was computed. It stops when the fall exceeds modeDip. The path is straight, or on a
// sphere the arc of a great circle. If there is no path, the fall is infinite.
func valley(
	t target.Target, f func(x []float64) float64, x, y []float64, fx, fy float64,
) (dip float64, passes int) {
	way, ok := newWay(t, x, y)
	if !ok {
		return math.Inf(1), 0
	}
	for p := 1; p < modePoints && dip < modeDip; p++ {
		passes++
		if fall := min(fx, fy) - f(way.at(float64(p)/modePoints)); !(fall <= dip) {
			dip = fall
		}
	}
	return dip, passes
}

// settle examines the doubtful ends on all rows: it climbs from these, and from the best, to the
// maxima of the posterior, and counts those behind a valley. It returns the number of rows
// evaluated.
func (s *search) settle(ctx context.Context, p *passes) (int64, error) {
	if len(s.doubts) == 0 {
		return 0, nil
	}
	count := 0
	var failed error
	value := func(f float64, err error) float64 {
		if err != nil {
			failed = err
			return math.NaN()
		}
		return f
	}
	rows := make([]float64, len(s.best))
	climbed := func(from []float64) ([]float64, float64) {
		x := append([]float64(nil), from...)
		f, passes := ascend(p.t,
			func(x, grad []float64) float64 { return value(p.densityGradient(ctx, x, grad, rows)) },
			x, modeSteps, 1e-3)
		count += passes
		return x, f
	}
	best, highest := climbed(s.best)
	s.settled = min(len(s.doubts), modeDoubts)
	for k := 0; k < s.settled && failed == nil; k++ {
		x, f := climbed(s.doubts[k*len(s.doubts)/s.settled])
		if math.Abs(f-highest) < modeDepth {
			dip, passes := valley(p.t,
				func(x []float64) float64 { return value(p.density(ctx, x)) }, x, best, f, highest)
			if count += passes; !(dip < modeDip) && failed == nil {
				s.modes++
			}
		}
		if f > highest {
			best, highest = x, f
		}
	}
	return int64(count) * int64(p.t.Rows()), failed
}
