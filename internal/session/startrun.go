package session

import (
	"context"
	"errors"

	"github.com/sgppl/sgppl/runtime/infer/approximate"
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/math/rng"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// Pathfinder draws a starting point for each chain from the approximation of pathfinder, with
// importance weights, even if the approximation does not represent the posterior well.
func (b *Binding) Pathfinder(e *Session, cfg *sampler.Config, threads int) ([][]float64, error) {
	c := approximate.DefaultConfig()
	c.Seed, c.Chains, c.Draws = cfg.Seed, cfg.Chains, 1
	c.Candidates = max(pathfinderDraws, int64(c.Chains))
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	stop := e.Interrupts(cancel)
	r, err := approximate.Run(ctx, b.Target, c, loop.Options{Threads: threads}, nil)
	stop()
	var no *approximate.Refusal
	switch {
	case errors.Is(err, context.Canceled):
		return nil, Failf(ExitInterrupted, "interrupted while pathfinder looked for starts: nothing "+
			"is written")
	case errors.As(err, &no):
		return nil, Failf(ExitRun, "--init pathfinder: %s", no.Why)
	case err != nil:
		return nil, Usagef("--init pathfinder: %v", err)
	}
	e.Note("chains begin at draws of pathfinder, whose Pareto k is %.2f", r.Exactness.K)
	w := r.Drawer()
	out := make([][]float64, cfg.Chains)
	for k := range out {
		out[k] = make([]float64, b.Target.Dim())
		w.Draw(k, 0, out[k])
	}
	return out, nil
}

// pathfinderDraws is the number of weighted draws from which the starting points are drawn.
const pathfinderDraws = 400

// StartRun draws a starting point for each chain from the draws of another run, or from the best
// points of a run of optimize. Params are matched by name and must have the same size. Params that
// the run does not have start at random.
func (b *Binding) StartRun(e *Session, dir string, cfg *sampler.Config) ([][]float64, error) {
	r, err := run.Read(dir)
	if err != nil {
		return nil, OwnStatus(err)
	}
	store, err := run.OpenDraws(dir, r)
	if err != nil {
		return nil, OwnStatus(err)
	}
	given := make([]map[string][]float64, cfg.Chains)
	for k := range given {
		given[k] = map[string][]float64{}
	}
	var names []string
	for _, o := range b.Target.Outputs() {
		if o.Track || o.Len == 0 {
			continue
		}
		names = append(names, o.Name)
		v, has := store.Lookup("posterior", o.Name)
		if !has || v.Static {
			continue
		}
		if v.Len() != o.Len {
			return nil, Failf(ExitData, "--init %s: %s has %d values, the model wants %d (shape %v)",
				dir, o.Name, v.Len(), o.Len, o.Shape)
		}
		a, err := store.Read("posterior", o.Name)
		if err != nil {
			return nil, Failf(ExitFiles, "--init %s: %v", dir, err)
		}
		if a.Draws == 0 || a.Chains == 0 {
			return nil, NoDraws(dir)
		}
		for k := range given {
			src := rng.New(cfg.Seed, k, rng.Init).At(0)
			chain := k % a.Chains
			given[k][o.Name] = append([]float64(nil), a.At(chain, src.IntN(a.Draws))...)
		}
	}
	if len(given[0]) == 0 {
		return nil, Failf(ExitData, "--init %s: the run has none of the params %v", dir, names)
	}
	out := make([][]float64, cfg.Chains)
	for k := range out {
		if out[k], err = StartPoint(b.Target, given[k], cfg.Seed, k); err != nil {
			return nil, Failf(ExitData, "--init %s: %v", dir, err)
		}
	}
	return out, nil
}
