package tall

import (
	"context"
	"math"

	"github.com/sgppl/sgppl/runtime/loop"
	"github.com/sgppl/sgppl/runtime/rng"
	"github.com/sgppl/sgppl/runtime/target"
)

// A workshop is what the phases of the set-up share.
type workshop struct {
	t       target.Target
	seed    uint64
	o       loop.Options
	evals   []target.DifferenceEvaluator // one for each chain
	anchor  *Anchor
	white   *Whitening
	squares []float32 // of the sizes of rows, see measure
	classes []uint8
	sizes   *Sizes
	even    bool  // rows are drawn evenly
	count   int64 // rows evaluated
	turn    int   // keeps streams of repeated phases apart
}

// streams returns random streams for a phase, one for each chain.
func (w *workshop) streams(p rng.Purpose) func(chain int) rng.Stream {
	w.turn++
	first := w.turn * 16
	return func(chain int) rng.Stream { return rng.New(w.seed, first+chain, p) }
}

func (w *workshop) stream(p rng.Purpose) rng.Stream { return w.streams(p)(0) }

// estimators returns one for each goroutine, in the present coordinates.
func (w *workshop) estimators() []*estimator {
	out := make([]*estimator, len(w.evals))
	for i, e := range w.evals {
		out[i] = newEstimator(e, w.anchor, w.white)
	}
	return out
}

func (w *workshop) counted(es []*estimator) {
	for _, e := range es {
		w.count += e.count
	}
}

// measureSizes finds the classes of all rows, by states z besides those that it has
// seen; with anew it forgets those.
func (w *workshop) measureSizes(probes [][]float64, anew bool) {
	if w.even {
		w.sizes = EvenSizes(w.t.Rows())
		return
	}
	es := w.estimators()
	n := w.t.Rows()
	if anew || w.squares == nil {
		w.squares, w.classes = make([]float32, n), make([]uint8, n)
	}
	signs := w.stream(purposeProjection)
	measures := make([]*measure, len(es))
	for i, e := range es {
		measures[i] = newMeasure(e, probes, signs)
	}
	parallel(n, len(es), func(k, from, to int) {
		measures[k].add(es[k], from, to, w.squares)
		for i := from; i < to; i++ {
			w.classes[i] = classify(math.Sqrt(float64(w.squares[i])))
		}
	})
	w.counted(es)
}

// draws makes the sizes for minibatches of n rows.
func (w *workshop) draws(n int) {
	if !w.even {
		w.sizes = NewSizes(w.classes, n)
	}
}

// A walk is what chains of the set-up visit: states by chain.
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

// wander runs chains without partners from the states z: so many steps that are
// dropped, then kept states, every so many steps.
func (w *workshop) wander(ctx context.Context, z [][]float64, h, friction float64, v *Noise, n, drop, kept, every int) (visited, error) {
	k, err := newKick(h, friction, v)
	if err != nil {
		return nil, err
	}
	batches, normals := w.streams(purposeWindowBatch), w.streams(purposeWindowKick)
	out := make(visited, len(z))
	es := make([]*estimator, len(z))
	err = loop.Each(ctx, len(z), loop.Options{Threads: w.o.Threads}, func(ctx context.Context, i int, _ loop.Options) error {
		e := newEstimator(w.evals[i], w.anchor, w.white)
		es[i] = e
		p := &pair{coarse: newWalker(len(z[i])), kicks: [2]*kick{k.forChain()}, est: e, sizes: w.sizes, both: newBatch(n, w.sizes), single: true,
			xi: make([]float64, len(z[i])), batches: batches(i), normals: normals(i)}
		copy(p.coarse.z, z[i])
		p.normals.Normals(1<<62, p.coarse.v)
		for s := range drop + kept*every {
			if s&63 == 0 && ctx.Err() != nil {
				return ctx.Err()
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
