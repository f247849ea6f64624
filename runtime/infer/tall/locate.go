package tall

import (
	"context"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/tall/whitening"
)

// A Location is the position and the width of a posterior of many rows: a mode with the curvature
// of some rows there, or the mean and the covariance of short chains on some rows.
type Location struct {
	White *whitening.Map
	Mode  bool
}

// Locate looks for the mode in the way of Prepare. The error is a *Refusal if there may be several
// modes, or if there is none and short chains disagree.
func Locate(
	ctx context.Context, t target.Target, s Settings, o loop.Options,
) (*Location, error) {
	s = s.filled(t.Rows())
	w, pl := &workshop{t: t, seed: s.Seed, o: o}, &Plan{}
	if err := w.makeEvaluators(); err != nil {
		return nil, err
	}
	best, err := w.oneMode(ctx, pl, s)
	if err != nil {
		return nil, err
	}
	c, err := w.lookForMode(ctx, w.enter(best), s)
	if err != nil {
		return nil, err
	}
	if !c.found { // as for hierarchies
		if _, err := w.lookForMean(ctx, c, pl, s); err != nil {
			return nil, err
		}
	}
	return &Location{c.white, c.found}, nil
}

// Say reports a phase that begins, to the function given by WithPhases.
func Say(ctx context.Context, words string) { phase(ctx, words) }

// Sums computes sums over all rows of a target, from parts of a fixed size that are added in order.
// So they depend neither on threads nor on how rows are read.
type Sums struct{ of *passes }

// NewSums makes the evaluators. It refuses models in which chains draw latent values of rows.
func NewSums(t target.Target, o loop.Options) (*Sums, error) {
	w := &workshop{t: t, o: o}
	if err := w.makeEvaluators(); err != nil {
		return nil, err
	}
	return &Sums{w.passes}, nil
}

// Sum adds up the numbers that f returns for parts of the rows, over all rows. rest is the result
// of f for no rows, which is not part of the sum.
func (p *Sums) Sum(
	ctx context.Context, numbers int,
	f func(e target.DifferenceEvaluator, rows []int, out []float64),
) (rows, rest []float64, err error) {
	return p.of.sum(ctx, numbers, f)
}

// Each calls do for parts of the rows, [from, to), concurrently, with an evaluator that has these
// rows in memory.
func (p *Sums) Each(
	ctx context.Context, do func(e target.DifferenceEvaluator, from, to int) error,
) error {
	return p.of.each(ctx, func(worker, from, to int) error {
		return do(p.of.evals[worker], from, to)
	})
}
