package tall

import (
	"context"
	"math"
	"slices"

	"github.com/sgppl/sgppl/runtime/dynamics/manifold"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/start"
	"github.com/sgppl/sgppl/runtime/infer/tall/pick"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

const (
	rivalStarts = 8     // climbs from random points on the rows with the largest sizes
	rivalSteps  = 60    // most gradients of each
	rivalRows   = 10000 // rows of the climbs that are drawn by size, in addition to the largest ones
	// rivalPasses is the most gradients on all rows of a climb from a possible second maximum.
	rivalPasses = 40
)

// rivals looks for maxima of the posterior other than the mode at the centre of the coordinates.
// The first climbs used rows drawn evenly, hardly any of which belong to the few rows that alone
// may make another mode. These climbs use rows drawn by size, each with the weight that makes sums
// unbiased. Their results are examined on all rows. It returns the number of other maxima that
// count.
func (w *workshop) rivals(ctx context.Context, s Settings) (int, error) {
	out := w.outside()
	n, d := out.t.Rows(), out.t.Dim()
	of, err := w.someBySize(out.t)
	if err != nil {
		return 0, err
	}
	factors, err := manifold.Product(out.t.Blocks(), d)
	if err != nil {
		return 0, err
	}
	centre := w.state(w.white.Mean)
	// The first climb starts at the centre.
	ends, values, counts := make([][]float64, rivalStarts+1), make([]float64, rivalStarts+1),
		make([]int, rivalStarts+1)
	evals := make([]target.Evaluator, len(ends))
	err = loop.Parallel(ctx, len(ends), w.o.Threads, func(worker, k int) error {
		if evals[worker] == nil {
			evals[worker] = of.NewEvaluator(1)
		}
		e := evals[worker]
		x, grad := slices.Clone(centre), make([]float64, d)
		if k > 0 {
			start := start.Law{Init: s.Init, Radius: s.Radius, Seed: s.Seed, Jacobian: 1}
			if start.Place(factors, e, modeStarts+k, x, grad) != nil {
				return nil
			}
		}
		var err error
		values[k], counts[k], err = w.ascend(func(x, grad []float64) (float64, error) {
			return e.LogDensityGradient(x, nil, 1, 1, grad), ctx.Err()
		}, x, rivalSteps)
		ends[k] = x
		return err
	})
	if err != nil {
		return 0, err
	}
	for _, c := range counts {
		w.count += int64(c * of.size)
	}
	// With only some of the rows, the heights of maxima differ by chance.
	deep := float64(modeDepth * max(1, float64(n)/float64(of.size)))
	e := of.NewEvaluator(1)
	var doubts [][]float64
	for k := 1; k < len(ends); k++ {
		if ends[k] == nil || !(values[k] > values[0]-deep) {
			continue
		}
		dip, passes := valley(out.t,
			func(x []float64) float64 { return e.LogDensity(x, nil, 1, 1) }, ends[k], ends[0],
			values[k], values[0])
		w.count += int64(passes * of.size)
		if !(dip < modeDip) {
			doubts = append(doubts, ends[k])
		}
	}
	return w.confirm(ctx, out, centre, doubts)
}

// confirm climbs on all rows from possible other maxima, and counts those that lie behind a valley
// and are not much lower than the mode.
func (w *workshop) confirm(
	ctx context.Context, out *passes, centre []float64, doubts [][]float64,
) (modes int, err error) {
	if len(doubts) == 0 {
		return 0, nil
	}
	rows := make([]float64, len(centre))
	value, err := out.density(ctx, centre)
	if err != nil {
		return 0, err
	}
	passes := 1
	looked := min(len(doubts), modeDoubts)
	for k := range looked {
		x := slices.Clone(doubts[k*len(doubts)/looked])
		f, count, err := w.ascend(func(x, grad []float64) (float64, error) {
			return out.densityGradient(ctx, x, grad, rows)
		}, x, rivalPasses)
		if err != nil {
			return 0, err
		}
		passes += count
		if !(f > value-modeDepth) {
			continue
		}
		dip, count := valley(out.t, func(x []float64) float64 {
			f := math.NaN()
			if err == nil {
				f, err = out.density(ctx, x)
			}
			return f
		}, x, centre, f, value)
		if err != nil {
			return 0, err
		}
		if passes += count; !(dip < modeDip) {
			modes++
		}
	}
	w.count += int64(passes) * int64(w.t.Rows())
	return modes, nil
}

// ascend climbs from x, which it changes, in the present coordinates or, on curved spaces, in
// charts about its present state. f returns a log density and writes its gradient.
func (w *workshop) ascend(
	f func(x, grad []float64) (float64, error), x []float64, most int,
) (value float64, gradients int, err error) {
	const ends = 0.1
	of := func(x, grad []float64) float64 {
		value, failed := f(x, grad)
		if failed != nil {
			err = failed
			return math.NaN()
		}
		return value
	}
	if w.middle != nil {
		value, gradients = ascend(w.outside().t, of, x, most, ends)
		return value, gradients, err
	}
	z, at, g := make([]float64, len(x)), make([]float64, len(x)), make([]float64, len(x))
	w.white.Solve(x, z)
	value, gradients, _ = climb(func(z, grad []float64) float64 {
		w.white.Point(z, at)
		value := of(at, g)
		w.white.Pull(g, grad)
		return value
	}, z, most, func(_ []float64, gain float64) bool { return gain < ends })
	w.white.Point(z, x)
	return value, gradients, err
}

// A bySizes is a target with some of the rows, in groups of equal weight.
type bySizes struct {
	target.Target
	groups [][]int   // nil stands for all rows
	each   []float64 // the weight of the rows of a group
	size   int       // number of rows in all groups
}

// someBySize returns a target with rows drawn by size, or with all rows if there are few.
func (w *workshop) someBySize(t target.Target) (*bySizes, error) {
	n := t.Rows()
	if n <= rivalRows {
		of := t
		if pick.AtOnce(t) > 0 {
			var err error
			if of, err = pick.Part(t, span(nil, 0, n)); err != nil {
				return nil, err
			}
		}
		return &bySizes{of, [][]int{nil}, []float64{1}, n}, nil
	}
	sizes := pick.EvenSizes(n)
	if w.classes != nil {
		sizes = pick.NewSizes(w.classes, rivalRows)
	}
	out := &bySizes{Target: t}
	if len(sizes.Always()) > 0 {
		out.groups, out.each, out.size = [][]int{sizes.Always()}, []float64{1}, len(sizes.Always())
	}
	src := rng.New(w.seed, 0, purposeRivals).At(0)
	rows, weights := make([]int, rivalRows), make([]float64, rivalRows)
	sizes.Draw(&src, rows, weights)
	of := map[float64]int{} // the group for each weight
	for i, row := range rows {
		g, is := of[weights[i]]
		if !is {
			g = len(out.groups)
			of[weights[i]] = g
			out.groups, out.each = append(out.groups, nil), append(out.each, weights[i])
		}
		out.groups[g] = append(out.groups[g], row)
	}
	for g := range out.groups {
		slices.Sort(out.groups[g])
	}
	out.size += rivalRows
	if pick.AtOnce(t) == 0 {
		return out, nil
	}
	all := slices.Concat(out.groups...)
	slices.Sort(all)
	all = slices.Compact(all)
	var err error
	if out.Target, err = pick.Part(t, all); err != nil {
		return nil, err
	}
	for g, rows := range out.groups {
		out.groups[g] = pick.Places(all, rows)
	}
	return out, nil
}

// Rows implements target.Target.
func (t *bySizes) Rows() int { return 0 }

// NewEvaluator implements target.Target.
func (t *bySizes) NewEvaluator(int) target.Evaluator {
	d := t.Dim()
	return &bySizesEvaluator{t.Target.NewEvaluator(1024), t, make([]float64, d), make([]float64, d)}
}

type bySizesEvaluator struct {
	target.Evaluator
	of   *bySizes
	part []float64 // gradient of a group
	sum  []float64
}

// LogDensityGradient implements target.Evaluator. The density of each group includes the prior,
// which is counted once.
func (e *bySizesEvaluator) LogDensityGradient(
	x []float64, _ []int, _, jacobian float64, grad []float64,
) float64 {
	clear(e.sum)
	f := 0.0
	for g, rows := range e.of.groups {
		f += e.Evaluator.LogDensityGradient(x, rows, e.of.each[g], jacobian, e.part)
		for i, v := range e.part {
			e.sum[i] += v
		}
	}
	copy(grad, e.sum)
	if more := float64(len(e.of.groups) - 1); more > 0 {
		f -= float64(more * e.Evaluator.LogDensityGradient(x, nothing, 1, jacobian, e.part))
		for i, v := range e.part {
			grad[i] -= float64(more * v)
		}
	}
	return f
}

// LogDensity implements target.Evaluator.
func (e *bySizesEvaluator) LogDensity(x []float64, _ []int, _, jacobian float64) float64 {
	f := 0.0
	for g, rows := range e.of.groups {
		f += e.Evaluator.LogDensity(x, rows, e.of.each[g], jacobian)
	}
	if more := float64(len(e.of.groups) - 1); more > 0 {
		f -= float64(more * e.Evaluator.LogDensity(x, nothing, 1, jacobian))
	}
	return f
}

// Gradient implements target.Evaluator.
func (e *bySizesEvaluator) Gradient(
	x []float64, rows []int, scale, jacobian float64, grad []float64,
) {
	e.LogDensityGradient(x, rows, scale, jacobian, grad)
}
