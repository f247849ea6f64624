package sampler

import (
	"math"
	"slices"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler/health"
	"github.com/sgppl/sgppl/runtime/results/diagnose"
)

// When a run is over, the chains of rows are observed: a few rows at the state of each chain of the
// run, each from a few starts, over more sweeps than a visit has, so that the autocorrelation is
// known.
const (
	watchedRows   = 8
	watchedStarts = 4
	watchedDraws  = 200
	watchedPart   = 0.1 // of the run's own sweeps, at most
)

// localHealth reports, for every latent value of rows that chains draw,
//
//	local_acceptance       of trajectories, at the step that they have now
//	local_step             that step
//	local_ess              effective sample size of the draws that a visit keeps: of a row's median coordinate
//	local_ess_min          of its worst one
//	local_autocorrelation  that one's integrated autocorrelation time, in sweeps: "ok" up to those before the first draw
//
// each the mean over the watched rows with its standard error. A row whose draws
// are all the same has nothing to forget, and draws as good as independent ones.
func localHealth(chains []*Chain) []health.Row {
	var links []localLink
	for _, c := range chains {
		if c.locals == nil || c.step == 0 {
			continue
		}
		rows := c.watched()
		if len(rows) == 0 { // they cannot be read any more
			continue
		}
		traces := c.locals.Watch(c.Position(), rows, watchedStarts, watchedDraws)
		if links == nil {
			links = make([]localLink, len(traces))
		}
		for i, t := range traces {
			links[i].add(t, c.cfg.LocalOptions.Filled())
		}
	}
	var out []health.Row
	for i := range links {
		out = links[i].append(out)
	}
	return out
}

// watched are rows spread over all that can be had, others for every chain of the run. There
// are fewer where the run itself was short.
func (c *Chain) watched() []int {
	o, rows := c.cfg.LocalOptions.Filled(), c.target.Rows()
	// of a minibatch, and not of the last one: a chain that went on from its end has none
	size := float64(rows)
	if c.batches != nil {
		size = c.batches.Size()
	}
	visits := float64(c.step) / float64(c.cfg.InnerSteps) * size
	run := visits * float64(o.BurnIn+o.Thin*o.Kept)
	n := int(watchedPart * run / (watchedStarts * float64(o.BurnIn+watchedDraws)))
	n = max(1, min(n, watchedRows, rows))
	if c.reader != nil { // those of the last minibatch are in memory, or else read again
		last, err := c.lastRows()
		if err != nil {
			return nil
		}
		n = min(n, len(last))
		return last[:n:n]
	}
	all := c.cfg.Chains * n
	out := make([]int, 0, n)
	for i := range n {
		out = append(out, (i*c.cfg.Chains+c.number)*rows/all%rows)
	}
	return out
}

// A localLink is what was seen of one latent value: numbers of the rows.
type localLink struct {
	name                              string
	moves                             bool // by trajectories
	before                            float64
	acceptance, step                  []float64 // of the chains of the run
	median, least, slowest, estimates []float64
}

// add takes what chains of rows did.
func (k *localLink) add(t target.LocalTrace, o target.LocalOptions) {
	k.name, k.before = t.Name, float64(o.BurnIn+o.Thin)
	if k.moves = !math.IsNaN(t.Step); k.moves {
		k.acceptance, k.step = append(k.acceptance, t.Acceptance), append(k.step, t.Step)
	}
	var w diagnose.Workspace
	kept, thin := float64(o.Kept), float64(o.Thin)
	for _, row := range t.Rows {
		ess, slowest := k.estimates[:0], 1.0
		for _, series := range row {
			size := w.ESSMean(series)
			if math.IsNaN(size) { // it never varies
				continue
			}
			time := float64(len(series)*len(series[0])) / size
			slowest = max(slowest, time)
			ess = append(ess, kept/max(time/thin, 1))
		}
		if len(ess) == 0 {
			ess = append(ess, kept)
		}
		slices.Sort(ess)
		k.estimates = ess
		k.median = append(k.median, (ess[(len(ess)-1)/2]+ess[len(ess)/2])/2)
		k.least = append(k.least, ess[0])
		k.slowest = append(k.slowest, slowest)
	}
}

// append reports.
func (k *localLink) append(out []health.Row) []health.Row {
	row := func(statistic string, x []float64) *health.Row {
		mean, sum := 0.0, 0.0
		for _, v := range x {
			mean += v / float64(len(x))
		}
		for _, v := range x {
			sum += float64((v - mean) * (v - mean))
		}
		n := float64(len(x))
		mcse := math.Inf(1)
		if n > 1 {
			mcse = math.Sqrt(sum / (n - 1) / n)
		}
		out = append(out, health.Row{Block: k.name, Statistic: statistic, Value: mean,
			Expected: math.NaN(), MCSE: mcse})
		return &out[len(out)-1]
	}
	if k.moves {
		judge(row("local_acceptance", k.acceptance),
			func(x float64) bool { return x >= leastAcceptance })
		row("local_step", k.step)
	}
	row("local_ess", k.median)
	row("local_ess_min", k.least)
	judge(row("local_autocorrelation", k.slowest), func(x float64) bool { return x <= k.before })
	return out
}

// judge gives a verdict where what is good has no one value.
func judge(r *health.Row, good func(float64) bool) {
	r.Verdict = "off"
	if good(r.Value) {
		r.Verdict = "ok"
	}
}
