package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/results/predictive"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// complete scores --data given --observed, which are other entries of the same
// rows; without --observed whole rows, by draws from the prior of their latent
// values.
func (c *scoreCmd) complete(e *env, r *run.Record, b *binding) error {
	prior := len(c.Observed) == 0
	p, diags := driver.Complete(b.src, driver.Options{Set: numbers(r.Set), RowDim: r.RowDim, Sampled: r.Sampled, Prior: prior})
	if p == nil {
		e.diagnose(diags)
		return &exitError{code: exitModel}
	}
	known := &binding{data: c.Observed, set: c.Set, src: b.src, compiled: p.Observed, fixed: sharedDims(p.Observed, r.Dims)}
	other := &binding{data: c.Data, set: c.Set, src: b.src, compiled: p.Scored, fixed: known.fixed}
	if err := other.read(e); err != nil {
		return err
	}
	if prior {
		known.bound = other.bound
	} else if err := known.read(e); err != nil {
		return err
	}
	observed, completion, err := p.Bind(known.bound, other.bound, r.Values())
	if err != nil {
		return fail(exitData, "%v", err)
	}
	draws, err := openDraws(c.Dir, r, observed, choice{c.Draws, c.Point, c.AllChains}, "scoring")
	if err != nil {
		return err
	}
	draws.note(e, r)
	mean, err := c.completed(completion, draws)
	if err != nil {
		return err
	}
	s := run.CompletionOf(completion, mean, prior)
	if s.Entries == 0 {
		return fail(exitData, "the rows have no entries to score")
	}
	if c.JSON {
		err = json.NewEncoder(e.stdout).Encode(s)
	} else {
		err = completionTable(s).write(e.stdout)
	}
	if err != nil {
		return fail(exitFiles, "cannot write: %v", err)
	}
	return nil
}

// completed averages over the draws of a run. Chains of the rows are a function
// of the seed, the row and the number of the draw, so the workers do not matter.
func (c *scoreCmd) completed(all *model.Completion, draws *runDraws) (*predictive.Mean, error) {
	o := c.locals.options()
	if len(c.Observed) == 0 {
		o.Kept = c.LocalSamples
	}
	first, err := draws.read(0)
	if err != nil {
		return nil, err
	}
	tuned := all.Tuned(first.X, o, c.Seed)
	workers := make([]*model.CompletionEvaluator, threadsOf(c.Threads, draws.Total()))
	for i := range workers {
		workers[i] = all.Evaluator(o, c.Seed)
	}
	mean := predictive.NewMean(all.Width())
	err = draws.each(c.Threads, all.Width(), func(worker int, x drawn, out []float64) error {
		workers[worker].Eval(x.X, uint64(x.Chain)<<32+uint64(x.Draw), tuned, out)
		return nil
	}, func(x drawn, out []float64) error {
		mean.Add(out)
		return nil
	})
	return mean, err
}

// completionTable lists a score.
func completionTable(s *run.CompletionScore) *table {
	t := &table{head: []string{"score", "value"}}
	name, _, _ := strings.Cut(s.Protocol, ":")
	t.add("protocol", name)
	t.add("rows", fmt.Sprint(s.Rows))
	if s.LogPerplexity != nil {
		t.add("draws", fmt.Sprint(s.Draws))
		t.add("lpd_mean", format("%.6g", s.LPDMean))
		t.add("log-perplexity of a row", format("%.6g", *s.LogPerplexity))
		return t
	}
	t.add("entries", fmt.Sprint(s.Entries))
	t.add("draws", fmt.Sprint(s.Draws))
	t.add("lpd_mean per entry", format("%.6g", s.LPDMean))
	if s.Perplexity != nil {
		t.add("perplexity", format("%.6g", *s.Perplexity))
	}
	for _, name := range slices.Sorted(maps.Keys(s.Sites)) {
		t.add(name+" lpd_mean per entry", format("%.6g", s.Sites[name].LPDMean))
	}
	return t
}
