package typed

import (
	"context"
	"time"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/infer/tall"
	"github.com/sgppl/sgppl/runtime/infer/tall/chart"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// plannedRows is how many rows a model has at least whose sampler is found by a plan.
const plannedRows = 2000

// planned reports whether a run finds by itself how it is sampled: the settings ask for that,
// nothing is set that minibatches with an anchor have no use for, and the model is one of many
// rows. Else the settings come back without what asks for it.
func planned(t target.Target, c sampler.Config) (sampler.Config, bool) {
	d := sampler.DefaultConfig()
	is := c.Anchored() && (c.Sampler == d.Sampler || c.Sampler == "") && t.Rows() >= plannedRows &&
		len(target.LocalsOf(t)) == 0 &&
		len(c.Blocks) == 0 && c.Batch == 0 && !c.FullBatch && c.Scheme == "" && c.Step == 0 &&
		c.Friction == d.Friction && c.Temperature == 1 &&
		c.Metric == "" && c.Warmup == d.Warmup && c.Thin == d.Thin && !c.LogDensity
	if !is {
		c = unplanned(c)
	}
	return c, is
}

// planned is that of the settings, which it changes.
func (s *Settings) planned(t target.Target) bool {
	c, is := planned(t, s.Config)
	s.Config = c
	return is && s.wrong == nil
}

// unplanned are the settings without what asks for a plan.
func unplanned(c sampler.Config) sampler.Config {
	c.Anchor, c.TargetESS, c.MaxBias = "", 0, 0
	return c
}

// collectPlanned is Collect of a run that finds by itself how it is sampled.
func collectPlanned(ctx context.Context, t target.Target, s Settings) (*Set, error) {
	began := time.Now()
	var g *gatherer
	out, err := runPlanned(ctx, t, s, func(c sampler.Config) sampler.Sink {
		g = gather(t, c)
		return g
	})
	if err != nil {
		return nil, err
	}
	set := g.set(out.chains, out.health)
	set.how.auto, set.how.plan, set.how.seconds = true, out.plan, time.Since(began).Seconds()
	if out.plan != nil {
		set.how.settings.Warmup = out.warmup
	}
	return set, nil
}

// eachPlanned is Each of such a run.
func eachPlanned(ctx context.Context, t target.Target, c Settings, yield func(Draw, error) bool) {
	s, err := collectPlanned(ctx, t, c)
	if err != nil {
		yield(Draw{}, err)
		return
	}
	for i := range s.Len() {
		for k := range s.Chains() {
			if !yield(s.Draw(k, i)) {
				return
			}
		}
	}
}

// An outcome says how a run that finds by itself how it samples went.
type outcome struct {
	health []sampler.HealthRow
	chains []*sampler.Chain // of full passes
	plan   *tall.Plan       // of minibatches with an anchor; else nil
	warmup int64            // of these
}

// runPlanned finds how a run is sampled, and runs it. sink makes what takes the draws of
// an attempt with settings; those of the last one count.
func runPlanned(
	ctx context.Context, t target.Target, of Settings, sink func(sampler.Config) sampler.Sink,
) (*outcome, error) {
	c, o := of.Config, of.run()
	ctx, heard := of.listen(ctx)
	passes, err := c.FullPasses().Resolve(t)
	if err != nil { // numbers that cannot be
		return nil, err
	}
	full := func() (*outcome, error) {
		chains, err := sampler.Run(ctx, t, passes, heard(sink(passes)), o)
		return &outcome{health: sampler.Health(chains...), chains: chains}, err
	}
	set := tall.Settings{Seed: c.Seed, Chains: c.Chains, TargetESS: c.TargetESS, MaxBias: c.MaxBias,
		Init: c.Init, Radius: c.InitRadius}
	if c.TargetESS == 0 {
		set.Draws = int(c.Draws)
	}
	if of, ok := t.(interface{ PassCost() float64 }); ok {
		set.FullCost = of.PassCost()
	}
	set.Curved = chart.Curved(t)
	if tall.CheapPasses(t.Rows(), set) {
		return full()
	}
	s, err := tall.Prepare(ctx, t, set, sampler.RunOptions{Threads: of.Threads})
	if _, refused := err.(*tall.Refusal); refused {
		return full()
	}
	if err != nil {
		return nil, err
	}
	for {
		chains, err := tall.NewRun(t, s, set)
		if err != nil {
			return nil, err
		}
		var r run.Record
		r.Settings = c
		r.Take(t, s.Plan)
		_, err = chains.Go(ctx, unreserved{heard(sink(r.Settings))}, o, time.Time{})
		switch next := s.Plan.Next(err, true, false); next {
		case tall.Ended, tall.Stays:
			if next == tall.Ended && err != nil {
				return nil, err
			}
			health := chains.Health(chains.Report(), func(at int) string { return nameAt(t, at) })
			return &outcome{health: health, plan: &s.Plan, warmup: chains.Warmup()}, nil
		case tall.Passes:
			return full()
		}
		s = s.Refined(err)
	}
}

// unreserved is a sink that does not reserve space for draws.
type unreserved struct{ sampler.Sink }

// Reserve implements tall.Sink.
func (unreserved) Reserve(int64) error { return nil }

// nameAt is the name of the number at a place in a draw.
func nameAt(t target.Target, at int) (name string) {
	eachNumber(t.Outputs(), func(of string, k int) {
		if k == at {
			name = of
		}
	})
	return name
}
