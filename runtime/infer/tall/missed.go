package tall

import (
	"context"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/tall/chart"
	"github.com/sgppl/sgppl/runtime/infer/tall/control"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

const (
	missedStates  = 8  // states at which gradients of all rows are compared with those of minibatches
	missedBatches = 64 // most minibatches in a mean
	missedTurns   = 3  // most rounds of measuring sizes at states where rows were missed
	// A difference counts if its square exceeds the noise by this factor, in total and in the
	// coordinate with most noise, and it is at least missedLeast.
	missedAll, missedOne, missedLeast = 4, 25, 0.5
)

// missed returns those of the states at which the mean of minibatches differs from the gradient of
// all rows. A row whose size was measured only where its difference is small is hardly ever drawn,
// so that neither coarse nor fine chains nor the measured noise show its effect. It makes one pass
// over all rows.
func (w *workshop) missed(
	ctx context.Context, k *constants, states [][]float64, turn int,
) ([][]float64, error) {
	of := visited{states}.spread(min(missedStates, len(states)))
	exact, err := w.gradients(ctx, of)
	if err != nil {
		return nil, err
	}
	d := len(w.white.Mean)
	count := min(max(w.t.Rows()/(8*k.n), 8), missedBatches)
	batches := make([]*control.Batch, count)
	stream := rng.New(w.seed, turn, purposeMissed)
	for i := range batches {
		batches[i] = control.NewBatch(k.n, w.sizes)
		src := stream.At(uint64(i))
		batches[i].Draw(w.sizes, &src)
	}
	e := w.estimators()[0]
	if err := w.passes.have(e.Eval, batches...); err != nil {
		return nil, err
	}
	var out [][]float64
	g := make([]float64, d)
	for s, z := range of {
		sums := make([]meanOf, d)
		for _, b := range batches {
			e.Of(z, b, g)
			for i, x := range g {
				sums[i].add(x)
			}
		}
		square, all, most := 0.0, 0.0, 0.0
		for i := range sums {
			off := sums[i].mean - exact[s][i]
			square += float64(off * off)
			v := sums[i].squares / (sums[i].n - 1) / sums[i].n
			all, most = all+v, max(most, v)
		}
		if !(square <= float64(missedAll*all)+float64(missedOne*most)+missedLeast*missedLeast) {
			out = append(out, z)
		}
	}
	w.counted([]*control.Estimator{e})
	return out, ctx.Err()
}

// gradients returns the gradients of all rows with respect to z at the states.
func (w *workshop) gradients(ctx context.Context, states [][]float64) ([][]float64, error) {
	d, m := len(w.white.Mean), chart.StateLen(w.t)
	points := make([][]float64, len(states))
	for k, z := range states {
		points[k] = make([]float64, d)
		w.white.Point(z, points[k])
	}
	sum, rest, err := w.passes.sum(ctx, m*len(states),
		func(e target.DifferenceEvaluator, rows []int, out []float64) {
			for k, x := range points {
				of, at := chart.Outside(e, x)
				of.Gradient(at, rows, 1, 1, out[k*m:(k+1)*m])
			}
		})
	if err != nil {
		return nil, err
	}
	w.count += int64(len(states) * w.t.Rows())
	out, by := make([][]float64, len(states)), make([]float64, d)
	for k, x := range points {
		for i := range m {
			sum[k*m+i] += rest[k*m+i]
		}
		if in, ok := w.evals[0].(*chart.Evaluator); ok {
			in.Move(x)
			copy(in.Grad, sum[k*m:(k+1)*m])
			in.Pull(in.Grad, 1, by)
		} else {
			copy(by, sum[k*m:(k+1)*m])
		}
		out[k] = make([]float64, d)
		w.white.Pull(by, out[k])
	}
	return out, nil
}

// complete measures the sizes of rows again, at states where rows were missed, until the mean of
// minibatches is the gradient of all rows at the states of chains with the constants of the run. It
// returns these constants and the states.
func (w *workshop) complete(
	ctx context.Context, k *constants, s Settings, states [][]float64,
) (*constants, [][]float64, error) {
	for turn := range missedTurns {
		where, err := w.missed(ctx, k, states, turn)
		if err != nil || len(where) == 0 {
			return k, states, err
		}
		if w.even {
			break
		}
		if err := w.survey(ctx, w.anchor.Rows, where, false); err != nil {
			return nil, nil, err
		}
		if k, err = w.constants(ctx, s, states, nil, false); err != nil {
			return nil, nil, err
		}
		if states, err = w.calibrate(ctx, k, s, states); err != nil {
			return nil, nil, err
		}
	}
	where, err := w.missed(ctx, k, states, missedTurns)
	if err == nil && len(where) > 0 {
		err = &Refusal{"at some states a few rows say much that minibatches hardly ever draw"}
	}
	return k, states, err
}
