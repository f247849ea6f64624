package calibrate

import (
	"context"
	"math"

	"github.com/sgppl/sgppl/runtime/diagnose"
	"github.com/sgppl/sgppl/runtime/model"
	"github.com/sgppl/sgppl/runtime/sampler"
)

// LogLikelihood names the quantity that reads the data.
const LogLikelihood = "log likelihood"

// calibrate runs the study of the model.
func (t *Test) calibrate(ctx context.Context) (*Calibration, error) {
	var quantities []string
	var first *world
	for r := 0; first == nil && r < t.o.Replications; r++ { // the first that can be drawn knows the sizes
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
	s := &Study{Quantities: quantities, Replications: t.o.Replications, Draws: t.o.Draws, Seed: t.o.Seed, Threads: t.o.Threads}
	s.Replicate = func(ctx context.Context, r int) (*Replicate, error) { return t.replicate(ctx, r, len(quantities)) }
	if t.o.Progress != nil {
		s.Progress = func(done int) { t.o.Progress(done, t.o.Replications) }
	}
	ranks, err := s.Run(ctx)
	if err != nil {
		return nil, err
	}
	c := ranks.judge(s, t.o.Coverage)
	c.Sampler, c.Warmup = cfg.Sampler, cfg.Warmup
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

// mostDraws bounds how long a chain may go on for its effective sample size, in
// draws that are kept.
const mostDraws = 60

// replicate samples the posterior of one data set. The chain starts where
// `sample` would start it, not at the truth, and goes on until the bulk effective
// sample size of every quantity is twice the draws to be kept: these then are as
// good as independent, and are taken at even distances.
func (t *Test) replicate(ctx context.Context, r, quantities int) (*Replicate, error) {
	seeds := t.seeds(r)
	w, errs, err := t.world(seeds.sim)
	if errs != nil {
		err = errs[0]
	}
	if err != nil {
		return nil, err
	}
	cfg, err := t.config(w.target)
	if err != nil {
		return nil, err
	}
	cfg.Seed = seeds.chain
	chain, err := sampler.NewChain(w.target, cfg, 0)
	if err != nil {
		return nil, err
	}
	rep := &Replicate{Truth: make([]float64, quantities)}
	w.quantities(w.truth, rep.Truth)
	series := make([][]float64, quantities)
	row := make([]float64, quantities)
	n, keep := 4*t.o.Draws, t.o.Draws
	var space diagnose.Workspace
	for steps := int64(0); ; {
		for len(series[0]) < n {
			if steps%16 == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if err := chain.Step(); err != nil {
				return nil, err
			}
			steps++
			if chain.Steps() <= cfg.Warmup {
				continue
			}
			if chain.Stats().Diverging {
				rep.Chain.Divergences++
			}
			if (chain.Steps()-cfg.Warmup)%cfg.Thin != 0 {
				continue
			}
			w.quantities(chain.Position(), row)
			for q, v := range row {
				series[q] = append(series[q], v)
			}
		}
		ess := math.Inf(1)
		for _, s := range series {
			if e := space.ESSBulk([][]float64{s}); e < ess { // NaN of what is constant
				ess = e
			}
		}
		rep.Chain.ESS = ess
		if ess >= float64(2*keep) {
			break
		}
		if n >= mostDraws*keep {
			rep.Chain.Short = true
			break
		}
		more := max(1.3, 1.1*float64(2*keep)/max(ess, 1))
		n = min(mostDraws, int(math.Ceil(float64(n/keep)*more))) * keep
	}
	rep.Chain.Iterations = chain.Steps() - cfg.Warmup
	every := len(series[0]) / keep
	for k := range keep {
		d := make([]float64, quantities)
		for q, s := range series {
			d[q] = s[(k+1)*every-1]
		}
		rep.Draws = append(rep.Draws, d)
	}
	return rep, nil
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
