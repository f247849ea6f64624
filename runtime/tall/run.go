package tall

import (
	"context"
	"math"

	"github.com/sgppl/sgppl/runtime/loop"
	"github.com/sgppl/sgppl/runtime/rng"
	"github.com/sgppl/sgppl/runtime/target"
)

// A Run is pairs of chains that go on in rounds.
type Run struct {
	t       target.Target
	setup   *Setup
	set     Settings
	pairs   []*pair
	evals   []target.DifferenceEvaluator
	history []*history
	tracked []int
	out     [][2][]float64 // room for draws, of each pair
	warmup  int64          // steps before the first draw
}

// NewRun makes the chains of a plan and puts them at their starts.
func NewRun(t target.Target, s *Setup, set Settings) (*Run, error) {
	set = set.filled(t.Rows())
	r := &Run{t: t, setup: s, set: set, tracked: tracked(t.OutputLen())}
	pl := &s.Plan
	coarse, err := newKick(pl.Step, pl.Friction, s.noise)
	if err != nil {
		return nil, err
	}
	fine, err := newKick(pl.Step/2, pl.Friction, s.noise)
	if err != nil {
		return nil, err
	}
	r.warmup = int64(math.Ceil(40 / pl.Step))
	for c := range s.starts {
		e, _ := target.DifferenceOf(t.NewEvaluator(min(pl.Batch+pl.Always, 1024)))
		r.evals = append(r.evals, e)
		d := len(s.starts[c])
		p := &pair{number: c, coarse: newWalker(d), fine: newWalker(d), kicks: [2]*kick{coarse, fine}, est: newEstimator(e, s.anchor, s.white), sizes: s.sizes,
			one: newBatch(pl.Batch, s.sizes), two: newBatch(pl.Batch, s.sizes), both: newBatch(pl.Batch, s.sizes),
			xi: make([]float64, d), xj: make([]float64, d), batches: rng.New(set.Seed, c, purposeBatch), normals: rng.New(set.Seed, c, purposeKick)}
		copy(p.coarse.z, s.starts[c])
		p.normals.Normals(1<<62, p.coarse.v)
		copy(p.fine.z, p.coarse.z)
		copy(p.fine.v, p.coarse.v)
		r.pairs = append(r.pairs, p)
		r.history = append(r.history, &history{})
		r.out = append(r.out, [2][]float64{make([]float64, t.OutputLen()), make([]float64, t.OutputLen())})
	}
	return r, nil
}

// to takes all chains to so many draws each.
func (r *Run) to(ctx context.Context, draws int, threads int) error {
	k := len(r.tracked)
	return loop.Each(ctx, len(r.pairs), loop.Options{Threads: threads}, func(ctx context.Context, c int, _ loop.Options) error {
		p, h := r.pairs[c], r.history[c]
		for i := 0; len(h.coarse) < draws*k; i++ {
			if i&63 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			p.step()
			if !p.coarse.finite() || !p.fine.finite() {
				return &Refusal{"the dynamics of minibatches leave the posterior"}
			}
			if after := p.steps - r.warmup; after <= 0 || after%int64(r.setup.Plan.Every) != 0 {
				continue
			}
			for f, w := range []*walker{p.coarse, p.fine} {
				p.est.white.Point(w.z, p.est.x)
				r.evals[c].Constrain(p.est.x, r.out[c][f])
			}
			for _, at := range r.tracked {
				h.coarse = append(h.coarse, r.out[c][0][at])
				h.fine = append(h.fine, r.out[c][1][at])
			}
		}
		return nil
	})
}

// Report is what the draws so far say.
func (r *Run) Report() *Report { return report(r.history, len(r.tracked), 0) }

// Rows is the number of rows evaluated so far, each difference twice.
func (r *Run) Rows() int64 {
	n := int64(0)
	for _, p := range r.pairs {
		n += p.est.count
	}
	return n
}
