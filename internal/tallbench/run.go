package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/infer/tall"
)

// plannedRows is how many rows a model has at least for which `sgppl sample` makes a plan.
const plannedRows = 2000

// run samples with one seed as `sgppl sample --target-ess` does without other settings, except for
// those of a control, and compares the draws with the truth. Full passes are not run: that they are
// chosen is the result.
func (b *bench) run(
	m *model.Model, seed uint64, ess float64, truths string, compare bool,
) (*result, error) {
	set := tall.Settings{Seed: seed, Chains: 4, TargetESS: ess, MaxBias: 0.1, Radius: 2,
		FullCost: m.PassCost()}
	if b.settings != nil {
		b.settings(&set)
	}
	r := &result{Case: b.name, Seed: seed, Sampler: "nuts"}
	if m.Rows() < plannedRows {
		r.Plan = tall.Plan{Rows: m.Rows(), Dim: m.Dim()}
		r.Why = "fewer than 2,000 rows"
		return r, nil
	}
	if tall.CheapPasses(m.Rows(), set) {
		r.Plan = tall.Plan{Rows: m.Rows(), Dim: m.Dim()}
		r.Why = "a full pass costs less than a few minibatches"
		return r, nil
	}
	start := time.Now()
	o := loop.Options{Now: time.Now}
	s, err := tall.Prepare(context.Background(), m, set, o)
	r.SetUpSeconds = time.Since(start).Seconds()
	if s != nil {
		r.Plan = s.Plan
	}
	var refusal *tall.Refusal
	if errors.As(err, &refusal) {
		r.Why = refusal.Why
		if b.either && compare && m.PassCost() < float64(m.Rows())/4 {
			return r, b.fullPasses(r, m, seed, ess, truths)
		}
		return r, nil
	}
	if err != nil {
		return nil, err
	}
	if b.change != nil {
		b.change(s)
	}
	for start = time.Now(); ; {
		d := newDraws(m.OutputLen(), set.Chains)
		chains, err := tall.NewRun(m, s, set)
		if err != nil {
			return nil, err
		}
		_, err = chains.Go(context.Background(), d, o, time.Time{})
		r.Plan = s.Plan
		next := s.Plan.Next(err, !set.Anyway, false)
		if b.change != nil && next != tall.Ended { // a control that is off stays so
			next = tall.Stays
		}
		switch next {
		case tall.Anew:
			r.Attempts++
			s = s.Refined(err)
			continue
		case tall.Passes, tall.Fails:
			r.Why = err.Error()
			return r, nil
		case tall.Ended:
			if err != nil {
				return nil, err
			}
		}
		r.Seconds = time.Since(start).Seconds()
		r.Sampler = "minibatches"
		r.report(chains)
		if !compare {
			return r, nil
		}
		want, err := b.truthOf(truths, m)
		if err != nil {
			return nil, fmt.Errorf("truth: %w", err)
		}
		names := namesOf(m)
		r.against(d, want, func(at int) string { return names[at] })
		return r, nil
	}
}

// fullPasses runs nuts, where a pass costs little, and compares its draws with the truth.
func (b *bench) fullPasses(
	r *result, m *model.Model, seed uint64, ess float64, truths string,
) error {
	c := sampler.DefaultConfig()
	c.Seed, c.TargetESS = seed, ess
	start := time.Now()
	out, err := sampler.Collect(context.Background(), m, c.FullPasses(), sampler.RunOptions{})
	if err != nil {
		return err
	}
	r.Seconds, r.Draws = time.Since(start).Seconds(), out.Len(0)
	want, err := b.truthOf(truths, m)
	if err != nil {
		return fmt.Errorf("truth: %w", err)
	}
	names := namesOf(m)
	r.against(&draws{k: out.Width, chains: out.Chains}, want,
		func(at int) string { return names[at] })
	return nil
}

// report takes what a run says of itself.
func (r *result) report(chains *tall.Run) {
	rep := chains.Report()
	i, j := rep.WorstBias()
	r.Draws, r.ESS, r.Rhat, r.Verdict = rep.Draws, rep.Least, rep.MaxRhat, rep.Verdict(0.1)
	// a coarse step has a third of a pair's rows
	r.PerMillion = rep.Least / float64(chains.Rows()) * 3e6
	r.BiasMean, r.BiasSD = rep.Bias[i].MeanBound(), rep.Bias[j].LogSDBound()
	r.NoiseGrowth, _ = chains.NoiseGrowth()
}

// line is the result in words.
func (r *result) line() string {
	p := &r.Plan
	out := fmt.Sprintf("%s seed %d: N %d d %d, ", r.Case, r.Seed, p.Rows, p.Dim)
	if r.Sampler == "nuts" {
		out += fmt.Sprintf("nuts (set-up %.1f s, attempts %d): %s", r.SetUpSeconds, r.Attempts, r.Why)
		if r.Compared {
			out += fmt.Sprintf("; error %.3f (%s, mc %.3f), sd %.3f to %.3f: right %v", r.ErrMean,
				r.WorstMean, r.ErrMeanMC, r.SDLow, r.SDHigh, r.right())
		}
		return out
	}
	out += fmt.Sprintf("set-up %.0f passes %.1f s, anchor %s, curvature %.2f, V %.3g of %.3g, h "+
		"%.2f n %d + %d share %.2f, attempts %d; %d draws %.1f s, ESS %.0f, per 1e6 rows %.0f; "+
		"%s, bias %.3f / %.3f, noise %.2f",
		p.SetUp, r.SetUpSeconds, p.Anchor, p.Curvature, p.Noise, p.NoisePlain, p.Step, p.Batch,
		p.Always, p.Share, r.Attempts, r.Draws, r.Seconds, r.ESS, r.PerMillion, r.Verdict,
		r.BiasMean, r.BiasSD, r.NoiseGrowth)
	if r.Compared {
		out += fmt.Sprintf("; error %.3f (%s, mc %.3f), sd %.3f to %.3f (%s, mc %.3f), %d of %d "+
			"outside: right %v", r.ErrMean, r.WorstMean, r.ErrMeanMC, r.SDLow, r.SDHigh, r.WorstSD,
			r.SDErrorMC, r.Outside, r.Numbers, r.right())
	}
	return out
}
