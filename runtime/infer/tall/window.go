package tall

import (
	"context"
	"math"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/tall/chart"
	"github.com/sgppl/sgppl/runtime/infer/tall/control"
	"github.com/sgppl/sgppl/runtime/infer/tall/pick"
	"github.com/sgppl/sgppl/runtime/infer/tall/whitening"
	"github.com/sgppl/sgppl/runtime/math/rng"
)

// A workshop has the state that the phases of the set-up share.
type workshop struct {
	t       target.Target
	middle  []float64 // middle of the charts if blocks are curved; t is then in charts
	seed    uint64
	o       loop.Options
	evals   []target.DifferenceEvaluator // one for each chain and each thread
	passes  *passes
	anchor  *control.Anchor
	white   *whitening.Map
	squares []float32 // squared sizes of rows, see measure
	classes []uint8
	sizes   *pick.Sizes
	drawn   int   // rows of the minibatches that sizes are made for
	even    bool  // rows are drawn evenly
	kinked  bool  // the rows have kinks
	count   int64 // rows evaluated
	turn    int   // counts phases, so that repeated phases have different random streams
}

// streams returns random streams for a phase, one for each chain.
func (w *workshop) streams(p rng.Purpose) func(chain int) rng.Stream {
	w.turn++
	first := w.turn * 16
	return func(chain int) rng.Stream { return rng.New(w.seed, first+chain, p) }
}

func (w *workshop) stream(p rng.Purpose) rng.Stream { return w.streams(p)(0) }

// estimators returns an estimator for each goroutine, in the present coordinates.
func (w *workshop) estimators() []*control.Estimator {
	out := make([]*control.Estimator, len(w.evals))
	for i, e := range w.evals {
		out[i] = control.New(e, w.anchor, w.white)
		out[i].All, out[i].Kinked = w.t.Rows(), w.kinked
	}
	return out
}

func (w *workshop) counted(es []*control.Estimator) {
	for _, e := range es {
		w.count += e.Count
	}
}

// survey makes a pass over all rows. It puts the anchor at the centre of the coordinates, where
// rows is the gradient of all rows if it is known, and determines the classes of all rows from
// their sizes at the states probes and at those of earlier surveys; anew discards the latter.
func (w *workshop) survey(
	ctx context.Context, rows []float64, probes [][]float64, anew bool,
) error {
	n := w.t.Rows()
	w.anchor = &control.Anchor{X: append([]float64(nil), w.white.Mean...), Rows: rows}
	es := w.estimators()
	if !w.even && (anew || w.squares == nil) {
		w.squares, w.classes = make([]float32, n), make([]uint8, n)
	}
	if w.even {
		if w.sizes = pick.EvenSizes(n); rows != nil {
			return nil
		}
	}
	signs := w.stream(purposeProjection)
	m := chart.StateLen(w.t)
	measures, rest, sum, sums := make([]*measure, len(es)), make([]float64, m), newAdder(m),
		make([][]float64, len(es))
	if rows == nil {
		of, at := chart.Outside(w.evals[0], w.anchor.X)
		of.Gradient(at, nothing, 1, 1, rest)
		w.count += int64(n)
	}
	err := w.passes.each(ctx, func(k, from, to int) error {
		e := es[k]
		if rows == nil {
			e.Rows = span(e.Rows[:0], from, to)
			if sums[k] == nil {
				sums[k] = make([]float64, m)
			}
			of, at := chart.Outside(e.Eval, w.anchor.X)
			of.Gradient(at, e.Rows, 1, 1, sums[k])
			for i, x := range rest {
				sums[k][i] -= x
			}
			sum.add(from/passRows, sums[k])
		}
		if w.even {
			return nil
		}
		if measures[k] == nil {
			measures[k] = newMeasure(e, probes, signs)
		}
		measures[k].add(e, from, to, w.squares)
		for i := from; i < to; i++ {
			w.classes[i] = pick.Classify(math.Sqrt(float64(w.squares[i])))
		}
		return nil
	})
	if rows == nil {
		w.anchor.Rows = sum.sum
	}
	w.counted(es)
	w.draws(w.drawn)
	return err
}

// draws makes the sizes for minibatches of n rows.
func (w *workshop) draws(n int) {
	if w.drawn = n; !w.even {
		w.sizes = pick.NewSizes(w.classes, n)
	}
}

// A visited has the states of the chains of the set-up, by chain.
type visited [][][]float64

// all returns the states of all chains.
func (v visited) all() [][]float64 {
	var out [][]float64
	for _, s := range v {
		out = append(out, s...)
	}
	return out
}

// spread returns count of the states, evenly over all chains.
func (v visited) spread(count int) [][]float64 {
	all := v.all()
	out := make([][]float64, 0, count)
	for k := range count {
		out = append(out, all[k*len(all)/count])
	}
	return out
}

// wander runs chains without fine partners from the states z: it drops the states of the
// first drop steps, then keeps kept states, one after each further every steps.
func (w *workshop) wander(
	ctx context.Context, z [][]float64, h, friction float64, v *Noise, n, drop, kept, every int,
) (visited, error) {
	k, err := newKick(h, friction, v)
	if err != nil {
		return nil, err
	}
	batches, normals := w.streams(purposeWindowBatch), w.streams(purposeWindowKick)
	out := make(visited, len(z))
	es := make([]*control.Estimator, len(z))
	err = loop.Each(ctx, len(z), loop.Options{Threads: w.o.Threads},
		func(ctx context.Context, i int, _ loop.Options) error {
			e := control.New(w.evals[i], w.anchor, w.white)
			es[i] = e
			p := &pair{coarse: newWalker(len(z[i])), kicks: [2]*kick{k.forChain()}, est: e,
				sizes: w.sizes, single: true, xi: make([]float64, len(z[i])),
				batches: batches(i), normals: normals(i), hold: w.passes.hold}
			p.prepare(n)
			copy(p.coarse.z, z[i])
			p.normals.Normals(1<<62, p.coarse.v)
			for s := range drop + kept*every {
				if s&63 == 0 && ctx.Err() != nil {
					return ctx.Err()
				}
				if err := p.read(nil); err != nil {
					return err
				}
				p.step()
				if !p.coarse.finite() {
					return &Refusal{"the dynamics of minibatches leave the posterior"}
				}
				if s >= drop && (s-drop+1)%every == 0 {
					out[i] = append(out[i], append([]float64(nil), p.coarse.z...))
				}
			}
			return nil
		})
	w.counted(es)
	return out, err
}

// A Refusal says why a posterior is not sampled by minibatches with an anchor.
type Refusal struct{ Why string }

func (r *Refusal) Error() string { return r.Why }
