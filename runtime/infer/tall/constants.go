package tall

import (
	"context"
	"math"

	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/tall/control"
	"github.com/sgppl/sgppl/runtime/infer/tall/pick"
)

const (
	longestStep   = 0.7 // limit of h
	meanCurvature = 0.9 // limit of h √λ̄
	mostCurvature = 1.4 // limit of h √λ_max
	plainShare    = 0.1 // κ unless given
	leastBatch    = 8
	mostTurns     = 6    // most iterations for finding the size of minibatches
	bendStates    = 6    // number of states at which the curvature is measured
	bendRows      = 1000 // least number of rows for the curvature; at least 4 for each coordinate
)

// bends has the eigenvalues of the curvature over states.
type bends struct{ mean, most, least float64 }

// constants has the constants of a run by minibatches.
type constants struct {
	h, share float64
	n        int
	noise    *Noise // of minibatches of n rows
	bend     bends
	est      *noiseEstimate
}

// bend measures the curvature at some of the states.
func (w *workshop) bend(ctx context.Context, states [][]float64) (bends, error) {
	d := len(states[0])
	b := fixedBatch(w.sizes, max(bendRows, 4*d), w.stream(purposeCurvature))
	at := min(bendStates, len(states))
	found := make([]curvature, at)
	es := w.estimators()
	direction := w.streams(purposeProbe)(1)
	has := make([]bool, len(es))
	err := loop.Parallel(ctx, at, w.passes.threads, func(k, i int) error {
		if !has[k] {
			if err := w.passes.have(es[k].Eval, b); err != nil {
				return err
			}
			has[k] = true
		}
		u := make([]float64, d)
		direction.Normals(uint64(i), u)
		found[i] = curvatureAt(es[k], states[i*len(states)/at], b, u)
		return nil
	})
	if err != nil {
		return bends{}, err
	}
	w.counted(es)
	out := bends{most: math.Inf(-1)}
	for _, c := range found {
		out.mean += c.most / float64(at)
		out.least += c.least / float64(at)
		out.most = max(out.most, c.most)
	}
	return out, nil
}

// constants finds step and batch size from the states. A guess, from few states that may not be
// typical of the posterior, is cautious.
func (w *workshop) constants(
	ctx context.Context, s Settings, states [][]float64, bend *bends, guess bool,
) (*constants, error) {
	if bend == nil {
		b, err := w.bend(ctx, states)
		if err != nil {
			return nil, err
		}
		bend = &b
	}
	k := &constants{bend: *bend, share: s.Share}
	if !(k.bend.most < 1e8 && k.bend.most > 0) {
		return nil, &Refusal{"the curvature of the log density is not finite near the posterior"}
	}
	k.h = min(longestStep, meanCurvature/math.Sqrt(max(k.bend.mean, 0.1)),
		mostCurvature/math.Sqrt(k.bend.most))
	if guess {
		k.h = min(k.h, 0.5)
	}
	if s.Step > 0 {
		k.h = s.Step
	}
	if k.share == 0 {
		k.share = plainShare
	}
	if w.sizes == nil {
		w.draws(10 * len(states[0]))
	}
	n := s.Batch
	if n == 0 {
		n = 10 * len(states[0])
	}
	n = min(n, w.t.Rows())
	e := w.estimators()[:1]
	for turn, settled := 0, false; turn < 2 || !settled && turn < mostTurns; turn++ {
		w.draws(n)
		var err error
		if k.est, err = measureNoise(ctx, w.passes, e[0], w.sizes, n, states,
			w.stream(purposeNoise)); err != nil {
			return nil, err
		}
		if s.Batch > 0 {
			break
		}
		v := float64(k.est.rows)
		by := k.h / s.Friction
		need := max(k.est.most*v*by/(2*k.share), k.est.eigen*v*by/(3*k.share),
			k.est.far*v*by/(5*k.share))
		if !(need < 1e15) {
			return nil, &Refusal{"the noise of minibatches is not finite near the posterior"}
		}
		if guess && w.kinked { // kinks further out have noise that is not seen at these states
			need *= 4
		}
		was := n
		n = max(int(math.Ceil(need)), leastBatch)
		if settled = turn == 0 || 4*n >= was; !settled {
			// a smaller batch always takes fewer rows, and the others have more noise
			n = was / 4
		}
		n += n & 1 // even, since the coarse step takes half of the rows
		if n > w.t.Rows() {
			w.counted(e)
			return nil, &Refusal{"minibatches with an anchor would need as many rows as there are"}
		}
	}
	w.counted(e)
	k.n = n
	w.draws(n)
	k.noise = k.est.noise.scaled(float64(k.est.rows) / float64(n))
	if k.noise.Matrix != nil && len(states)*(noiseBatches-1) < 5*len(states[0]) {
		k.noise.Matrix = nil
	}
	k.share = k.est.eigen * float64(k.est.rows) / float64(n) * k.h / (2 * s.Friction)
	return k, nil
}

// plainNoise returns V₁ at z without an anchor.
func (w *workshop) plainNoise(z []float64) (float64, error) {
	const size = 100
	e := control.New(w.evals[0], w.anchor, w.white)
	n := min(size, w.t.Rows())
	b := control.NewBatch(n, pick.EvenSizes(w.t.Rows()))
	stream := w.stream(purposeNoise)
	d := len(z)
	mean, squares, g := make([]float64, d), 0.0, make([]float64, d)
	for k := range noiseBatches {
		src := stream.At(uint64(k))
		b.Draw(pick.EvenSizes(w.t.Rows()), &src)
		if err := w.passes.have(e.Eval, b); err != nil {
			return 0, err
		}
		e.White.Point(z, e.X)
		e.Eval.Gradient(e.X, b.Rows, b.Weights[0], 1, e.Grad)
		e.White.Pull(e.Grad, g)
		for i, x := range g {
			dev := x - mean[i]
			mean[i] += dev / float64(k+1)
			squares += float64(dev * (x - mean[i]))
		}
	}
	w.count += int64(noiseBatches * n)
	return squares / float64(d*(noiseBatches-1)) * float64(n), nil
}
