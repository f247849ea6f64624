package derived

import (
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/internal/show"
	"github.com/sgppl/sgppl/runtime/results/diagnose"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// summaries summarises every entry of every quantity.
func (d *values) summaries() ([]show.SummaryVar, error) {
	names, labels := []string{}, []string{}
	for i := range d.sites {
		s := &d.sites[i]
		axes := session.AxisNames(session.VariableOf(s), d.bound.Labels)
		for k, name := range session.EntryNames(s) {
			names, labels = append(names, name), append(labels, session.EntryName(s.Shape, axes, k))
		}
	}
	all, err := diagnose.SummarizeMany(len(names), d.draws.Chains, d.draws.Each, 0,
		func(i int, dst [][]float64) error {
			for k := range d.draws.Total() {
				dst[k/d.draws.Each][k%d.draws.Each] = d.x[k*d.width+i]
			}
			return nil
		})
	return namedSummaries(names, labels, all), err
}

// namedSummaries are summaries with the names of what they are of; labels may be nil.
func namedSummaries(names, labels []string, all []diagnose.Summary) []show.SummaryVar {
	f := func(x float64) run.Float { return run.Float(x) }
	var out []show.SummaryVar
	for i, x := range all {
		v := show.SummaryVar{Name: names[i], Mean: f(x.Mean), SD: f(x.SD), MCSEMean: f(x.MCSEMean),
			MCSESD: f(x.MCSESD),
			Q5:     f(x.Q5), Q50: f(x.Q50), Q95: f(x.Q95), ESSBulk: f(x.ESSBulk),
			ESSTail: f(x.ESSTail), Rhat: f(x.Rhat)}
		if labels != nil {
			v.Label = labels[i]
		}
		out = append(out, v)
	}
	return out
}
