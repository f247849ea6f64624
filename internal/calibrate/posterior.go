package calibrate

import (
	"context"
	"errors"
	"fmt"

	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/infer/replicate"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
)

// LogLikelihood names the quantity that reads the data.
const LogLikelihood = "log likelihood"

// mostDraws bounds how long a chain may go on for its effective sample size, in
// draws that are kept.
const mostDraws = 60

// calibrate runs the study of the model.
func (t *Test) calibrate(ctx context.Context) (*Calibration, error) {
	var quantities []string
	var first *world
	for r := 0; first == nil && r < t.o.Replications; r++ {
		// the first that can be drawn knows the sizes
		first, _, _ = t.world(t.seeds(r).sim)
	}
	cfg := t.o.Config
	if first != nil {
		for _, o := range first.target.Outputs() {
			quantities = entryNames(quantities, o.Name, o.Shape)
		}
		if _, ok := first.terms.LogLikelihood(first.truth); ok {
			quantities = append(quantities, LogLikelihood)
		}
		var err error
		if cfg, err = t.config(first.target); err != nil {
			return nil, err
		}
	}
	e, err := t.engine(ctx)
	if err != nil {
		return nil, err
	}
	defer e.close()
	s := &Study{Quantities: quantities, Replications: t.o.Replications, Draws: t.o.Draws,
		Seed: t.o.Seed, Threads: t.o.Threads}
	s.Replicate = func(ctx context.Context, r int) (*Replicate, error) {
		return t.replicate(ctx, e, r, len(quantities))
	}
	if t.o.Progress != nil {
		s.Progress = func(done int) { t.o.Progress(done, t.o.Replications) }
	}
	ranks, err := s.Run(ctx)
	if err != nil {
		return nil, err
	}
	c := ranks.judge(s, t.o.Coverage)
	c.Sampler, c.Warmup, c.FromTruth = cfg.Sampler, cfg.Warmup, t.o.FromTruth
	return &c, nil
}

// config is what a replication is sampled with.
func (t *Test) config(m *model.Model) (sampler.Config, error) {
	cfg := t.o.Config
	cfg.Chains, cfg.Init, cfg.SaveWarmup = 1, nil, false
	cfg.LogDensity, cfg.LogDensityEstimate = false, false
	cfg.FullBatch = cfg.Batch == 0 && m.Rows() > 0
	cfg.Draws = int64(mostDraws * t.o.Draws)
	return cfg.Resolve(m)
}

// replicate samples the posterior of one data set. The chain starts where
// `sample` would start it, unless it is to start at the truth.
func (t *Test) replicate(ctx context.Context, e engine, r, quantities int) (*Replicate, error) {
	w, kept, err := t.sampled(ctx, e, r)
	if err != nil {
		return nil, err
	}
	rep := &Replicate{Truth: make([]float64, quantities)}
	rep.Chain = ChainReport{Iterations: kept.Iterations, ESS: kept.ESS,
		Divergences: kept.Divergences, Short: kept.Short}
	w.quantities(w.truth, rep.Truth)
	for _, x := range kept.States {
		if len(x) != len(w.truth) {
			return nil, fmt.Errorf("the engine answers with a state of %d numbers, and the model has %d",
				len(x), len(w.truth))
		}
		d := make([]float64, quantities)
		w.quantities(x, d)
		rep.Draws = append(rep.Draws, d)
	}
	return rep, nil
}

// sampled draws a data set and samples its posterior.
func (t *Test) sampled(ctx context.Context, e engine, r int) (*world, *replicate.Kept, error) {
	seeds := t.seeds(r)
	w, errs, err := t.world(seeds.sim)
	if errs != nil {
		err = errs[0]
	}
	if err != nil {
		return nil, nil, err
	}
	cfg, err := t.config(w.target)
	if err != nil {
		return nil, nil, err
	}
	cfg.Seed = seeds.chain
	if t.o.FromTruth {
		cfg.Init = [][]float64{w.truth}
	}
	kept, err := e.sample(ctx, r, w, replicate.Work{Config: cfg, Keep: t.o.Draws, Most: mostDraws})
	return w, kept, err
}

// A Sampler samples the posterior of the model given inputs.
type Sampler func(
	ctx context.Context, inputs *data.Bound, work replicate.Work,
) (*replicate.Kept, error)

// by samples by a function.
type by Sampler

func (f by) sample(
	ctx context.Context, _ int, w *world, work replicate.Work,
) (*replicate.Kept, error) {
	return f(ctx, w.inputs, work)
}

func (by) close() {}

// Kept has the posterior of replication r sampled by a function. Options.Sampled takes it in
// another process. Without calibration there is none.
func (t *Test) Kept(ctx context.Context, r int, sample Sampler) (*replicate.Kept, error) {
	if t.why != "" {
		return nil, errors.New(t.why)
	}
	_, kept, err := t.sampled(ctx, by(sample), r)
	return kept, err
}

// Replications is how many posteriors Run samples: none where the model cannot be simulated.
func (t *Test) Replications() int {
	if t.why != "" {
		return 0
	}
	return t.o.Replications
}

// quantities writes the values and tracks of a state, and the log likelihood of
// the data where there is one.
func (w *world) quantities(x, out []float64) {
	n := w.target.OutputLen()
	w.eval.Constrain(x, out[:n])
	if len(out) > n {
		out[n], _ = w.terms.LogLikelihood(x)
	}
}
