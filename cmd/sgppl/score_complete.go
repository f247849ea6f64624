package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/internal/show"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/results/predictive"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// complete scores --data given --observed, which are other entries of the same
// rows; without --observed whole rows, by draws from the prior of their latent
// values.
func (c *scoreCmd) complete(e *session.Session, r *run.Record, b *session.Binding) error {
	prior := len(c.Observed) == 0
	p, diags := driver.Complete(b.Src,
		driver.Options{Set: session.Numbers(r.Set), RowDim: r.RowDim, Sampled: r.Sampled,
			Prior: prior})
	if p == nil {
		e.Diagnose(diags)
		return &session.ExitError{Code: session.ExitModel}
	}
	known := &session.Binding{
		Src: b.Src, Compiled: p.Observed, Fixed: session.SharedDims(p.Observed, r.Dims),
		Given: session.Given{Data: c.Observed, Set: c.Set, Levels: r.Levels},
	}
	other := &session.Binding{
		Src: b.Src, Compiled: p.Scored, Fixed: known.Fixed,
		Given: session.Given{Data: c.Data, Set: c.Set, Levels: r.Levels, NA: c.NA},
	}
	for _, rows := range []*session.Binding{known, other} {
		if err := rows.RunLabels(c.Dir, r); err != nil {
			return err
		}
	}
	if err := other.Read(e); err != nil {
		return err
	}
	if prior {
		known.Bound = other.Bound
	} else if err := known.Read(e); err != nil {
		return err
	}
	observed, completion, err := p.Bind(known.Bound, other.Bound, session.Recorded(r))
	if err != nil {
		return session.Failf(session.ExitData, "%v", err)
	}
	draws, err := session.OpenDraws(c.Dir, r, observed,
		session.Choice{Limit: c.Draws, Point: c.Point, AllChains: c.AllChains}, "scoring")
	if err != nil {
		return err
	}
	draws.Note(e, r)
	mean, err := c.completed(completion, draws)
	if err != nil {
		return err
	}
	s := run.CompletionOf(completion, mean, prior)
	if s.Entries == 0 {
		return session.Failf(session.ExitData, "the rows have no entries to score")
	}
	if c.JSON {
		err = json.NewEncoder(e.Stdout).Encode(s)
	} else {
		err = completionTable(s).Write(e.Stdout)
	}
	if err != nil {
		return session.Failf(session.ExitFiles, "cannot write: %v", err)
	}
	return nil
}

// completed averages over the draws of a run. Chains of the rows are a function
// of the seed, the row and the number of the draw, so the workers do not matter.
func (c *scoreCmd) completed(
	all *model.Completion, draws *session.RunDraws,
) (*predictive.Mean, error) {
	o := c.Locals.Options()
	if len(c.Observed) == 0 {
		o.Kept = c.LocalSamples
	}
	first, err := draws.Read(0)
	if err != nil {
		return nil, err
	}
	tuned := all.Tuned(first.X, o, c.Seed)
	workers := make([]*model.CompletionEvaluator, session.ThreadsOf(c.Threads, draws.Total()))
	for i := range workers {
		workers[i] = all.Evaluator(o, c.Seed)
	}
	mean := predictive.NewMean(all.Width())
	err = draws.ForEach(c.Threads, all.Width(),
		func(worker int, x session.Drawn, out []float64) error {
			workers[worker].Eval(x.X, uint64(x.Chain)<<32+uint64(x.Draw), tuned, out)
			return nil
		}, func(x session.Drawn, out []float64) error {
			mean.Add(out)
			return nil
		})
	return mean, err
}

// completionTable lists a score.
func completionTable(s *run.CompletionScore) *show.Table {
	t := &show.Table{Head: []string{"score", "value"}}
	name, _, _ := strings.Cut(s.Protocol, ":")
	t.Add("protocol", name)
	t.Add("rows", fmt.Sprint(s.Rows))
	if s.LogPerplexity != nil {
		t.Add("draws", fmt.Sprint(s.Draws))
		t.Add("lpd_mean", show.Format("%.6g", s.LPDMean))
		t.Add("log-perplexity of a row", show.Format("%.6g", *s.LogPerplexity))
		return t
	}
	t.Add("entries", fmt.Sprint(s.Entries))
	t.Add("draws", fmt.Sprint(s.Draws))
	t.Add("lpd_mean per entry", show.Format("%.6g", s.LPDMean))
	if s.Perplexity != nil {
		t.Add("perplexity", show.Format("%.6g", *s.Perplexity))
	}
	for _, name := range slices.Sorted(maps.Keys(s.Sites)) {
		t.Add(name+" lpd_mean per entry", show.Format("%.6g", s.Sites[name].LPDMean))
	}
	return t
}
