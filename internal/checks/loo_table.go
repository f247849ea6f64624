package checks

import (
	"bufio"
	"fmt"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/internal/show"
	"github.com/sgppl/sgppl/runtime/base/printable"
	"github.com/sgppl/sgppl/runtime/results/diagnose"
	"github.com/sgppl/sgppl/runtime/results/run"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

// A looJSON is the JSON of `loo --json`, of each of several runs under "runs",
// the best first.
type looJSON struct {
	Run          string     `json:"run"`
	Model        string     `json:"model"`
	Axis         string     `json:"axis,omitempty"` // whose rows the observations are
	Observations int        `json:"observations"`
	Draws        int        `json:"draws"`
	ELPD         run.Float  `json:"elpd_loo"`
	ELPDSE       run.Float  `json:"se_elpd_loo"`
	MCSE         run.Float  `json:"mcse_elpd_loo"` // null where a k is above its threshold
	P            run.Float  `json:"p_loo"`
	PSE          run.Float  `json:"se_p_loo"`
	IC           run.Float  `json:"looic"`
	ICSE         run.Float  `json:"se_looic"`
	WAICELPD     run.Float  `json:"elpd_waic"`
	WAICELPDSE   run.Float  `json:"se_elpd_waic"`
	PWAIC        run.Float  `json:"p_waic"`
	PWAICSE      run.Float  `json:"se_p_waic"`
	WAIC         run.Float  `json:"waic"`
	WAICSE       run.Float  `json:"se_waic"`
	HighPWAIC    int        `json:"p_waic_high"` // observations with p_waic above 0.4
	K            looK       `json:"pareto_k"`
	Diff         *run.Float `json:"elpd_diff,omitempty"` // to the best of several
	DiffSE       *run.Float `json:"se_diff,omitempty"`
	Stacking     *run.Float `json:"weight_stacking,omitempty"` // of the mixture of several
	PseudoBMA    *run.Float `json:"weight_pseudo_bma,omitempty"`
}

type looK struct {
	Threshold run.Float `json:"threshold"`
	Good      int       `json:"good"`     // k ≤ threshold
	Bad       int       `json:"bad"`      // threshold < k ≤ 1
	VeryBad   int       `json:"very_bad"` // k > 1
	Worst     run.Float `json:"worst"`
	WorstAt   string    `json:"worst_at"`
}

// JSON is the result as numbers.
func (r *looResult) JSON() looJSON {
	s := &r.sum
	f := func(x float64) run.Float { return run.Float(x) }
	out := looJSON{
		Run: r.dir, Model: r.model, Axis: r.axis, Observations: len(r.points), Draws: r.draws,
		ELPD: f(s.ELPD.Value), ELPDSE: f(s.ELPD.SE), MCSE: f(s.MCSE), P: f(s.P.Value),
		PSE: f(s.P.SE), IC: f(s.IC.Value), ICSE: f(s.IC.SE),
		WAICELPD: f(s.WAIC.Value), WAICELPDSE: f(s.WAIC.SE), PWAIC: f(s.PWAIC.Value),
		PWAICSE: f(s.PWAIC.SE), WAIC: f(s.ICW.Value), WAICSE: f(s.ICW.SE),
		HighPWAIC: s.HighPWAIC,
		K:         looK{f(s.Threshold), s.Good, s.Bad, s.VeryBad, f(s.WorstK), r.name(s.Worst)},
	}
	if r.diff != nil {
		d, se, w, p := f(r.diff.Value), f(r.diff.SE), f(r.stacking), f(r.pseudoBMA)
		out.Diff, out.DiffSE, out.Stacking, out.PseudoBMA = &d, &se, &w, &p
	}
	return out
}

// worst lists the observations whose k is above the threshold, the worst first.
func (r *looResult) worst() []int {
	var out []int
	for i, p := range r.points {
		if !(p.K <= r.sum.Threshold) {
			out = append(out, i)
		}
	}
	slices.SortStableFunc(out, func(a, b int) int {
		switch x, y := r.points[a].K, r.points[b].K; {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	return out
}

// warn says what is not to be trusted.
func (r *looResult) warn(e *session.Session) {
	if high := r.worst(); len(high) > 0 {
		var names []string
		for _, i := range high[:min(len(high), 5)] {
			names = append(names, fmt.Sprintf("%s (%.2f)", r.name(i), r.points[i].K))
		}
		more := ""
		if len(high) > 5 {
			more = ", …"
		}
		e.Note("%s: the Pareto k of %d of %d observations is above %.2f: %s%s. Their part of "+
			"elpd_loo is not to be trusted; fit the model again without them, or look why they "+
			"are surprising",
			r.dir, len(high), len(r.points), r.sum.Threshold, strings.Join(names, ", "), more)
	}
	if r.sum.HighPWAIC > 0 {
		e.Note("%s: p_waic of %s is above 0.4: go by elpd_loo, not by WAIC", r.dir,
			show.Count(r.sum.HighPWAIC, "observation"))
	}
}

func (r *looResult) unit() string {
	if r.axis == "" {
		return fmt.Sprintf("%d entries", len(r.points))
	}
	return fmt.Sprintf("%d rows of %s", len(r.points), r.axis)
}

// print writes the tables for people.
func (r *looResult) print(e *session.Session) error {
	s := &r.sum
	printable.Fprintf(e.Stdout, "%s: %s left out one by one, %d draws\n\n", r.model,
		r.unit(), r.draws)
	t := show.Table{Head: []string{"", "estimate", "se"}}
	for _, row := range []struct {
		name string
		x    diagnose.Estimate
	}{{"elpd_loo", s.ELPD}, {"p_loo", s.P}, {"looic", s.IC}, {"elpd_waic", s.WAIC},
		{"p_waic", s.PWAIC}, {"waic", s.ICW}} {
		t.Add(row.name, show.Format("%.4f", run.Float(row.x.Value)),
			show.Format("%.4f", run.Float(row.x.SE)))
	}
	if err := t.Write(e.Stdout); err != nil {
		return err
	}
	printable.Fprintf(e.Stdout, "\nMonte Carlo error of elpd_loo: %s\n\n",
		show.Format("%.2g", run.Float(s.MCSE)))
	k := show.Table{Head: []string{"Pareto k", "", "observations"}, Left: map[string]bool{"": true}}
	k.Add(fmt.Sprintf("up to %.2f", s.Threshold), "good", fmt.Sprint(s.Good))
	k.Add("up to 1", "bad", fmt.Sprint(s.Bad))
	k.Add("above", "very bad", fmt.Sprint(s.VeryBad))
	return k.Write(e.Stdout)
}

// printComparison is a table of several runs, the best first.
func printComparison(e *session.Session, all []*looResult) error {
	t := show.Table{Head: []string{"run", "elpd_diff", "se_diff", "elpd_loo", "se", "p_loo",
		"k above", "stacking", "pseudo-bma+"}}
	for _, r := range all {
		t.Add(r.dir, show.Format("%.2f", run.Float(r.diff.Value)),
			show.Format("%.2f", run.Float(r.diff.SE)),
			show.Format("%.2f", run.Float(r.sum.ELPD.Value)),
			show.Format("%.2f", run.Float(r.sum.ELPD.SE)),
			show.Format("%.2f", run.Float(r.sum.P.Value)), fmt.Sprint(r.sum.Bad+r.sum.VeryBad),
			show.Format("%.3f", run.Float(r.stacking)), show.Format("%.3f", run.Float(r.pseudoBMA)))
	}
	return t.Write(e.Stdout)
}

// pointwise writes the observations.
func (r *looResult) pointwise(path string) error {
	return trace.WriteStream(path, func(b *bufio.Writer) error {
		b.WriteString(
			"name,elpd_loo,mcse_elpd_loo,lpd,p_loo,pareto_k,r_eff,n_eff,elpd_waic,p_waic\n")
		for i, p := range r.points {
			name := r.name(i)
			session.WriteQuoted(b, name, strings.Contains(name, "["))
			for _, x := range []float64{p.ELPD, p.MCSE, p.LPD, p.LPD - p.ELPD, p.K, p.Reff, p.ESS,
				p.WAIC, p.PWAIC} {
				b.Write(trace.AppendNumber(append(b.AvailableBuffer(), ','), x))
			}
			b.WriteByte('\n')
		}
		return session.WriteError(b.Flush())
	})
}
