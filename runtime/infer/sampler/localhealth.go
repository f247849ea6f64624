package sampler

import (
	"math"
	"slices"

	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler/health"
	"github.com/sgppl/sgppl/runtime/results/diagnose"
)

// When a run is over, the chains of latent values are observed for a few rows, at the final state
// of each chain of the run. Each row is run from a few starts, over more sweeps than during the
// run, so that the autocorrelation can be estimated.
const (
	watchedRows   = 8
	watchedStarts = 4
	watchedDraws  = 200
	watchedPart   = 0.1 // largest share of the sweeps of the run itself
)

// localHealth reports, for every latent value of rows that chains draw,
//
// local_acceptance of trajectories, at their present step
//
//	local_step             that step
//	local_ess              effective sample size of the draws that a visit keeps: of a row's median coordinate
//	local_ess_min          of its worst one
//	local_autocorrelation  that one's integrated autocorrelation time, in sweeps: "ok" up to those before the first draw
//
// each as the mean over the watched rows with its standard error. A row whose draws are all equal
// counts as one with independent draws.
func localHealth(chains []*Chain) []health.Row {
	var links []localLink
	for _, c := range chains {
		if c.locals == nil || c.step == 0 {
			continue
		}
		rows := c.watched()
		if len(rows) == 0 { // the rows can no longer be read
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

// watched returns the rows to observe, spread over all available rows and different for every chain
// of the run. If the run was short there are fewer.
func (c *Chain) watched() []int {
	o, rows := c.cfg.LocalOptions.Filled(), c.target.Rows()
	// the mean size of minibatches; a resumed chain does not know that of its last one
	size := float64(rows)
	if c.batches != nil {
		size = c.batches.Size()
	}
	visits := float64(c.step) / float64(c.cfg.InnerSteps) * size
	run := visits * float64(o.BurnIn+o.Thin*o.Kept)
	n := int(watchedPart * run / (watchedStarts * float64(o.BurnIn+watchedDraws)))
	n = max(1, min(n, watchedRows, rows))
	if c.reader != nil { // rows of the last minibatch are in memory, or are read again
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

// A localLink collects the observations of one latent value: one number per row.
type localLink struct {
	name                              string
	moves                             bool // drawn by trajectories
	before                            float64
	acceptance, step                  []float64 // one number for each chain of the run
	median, least, slowest, estimates []float64
}

// add adds the observation of a row's chains.
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
			if math.IsNaN(size) { // the value is constant
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

// append appends the rows of the health table.
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

// judge sets the verdict of a statistic that is good in a range instead of near one value.
func judge(r *health.Row, good func(float64) bool) {
	r.Verdict = "off"
	if good(r.Value) {
		r.Verdict = "ok"
	}
}
