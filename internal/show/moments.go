package show

import (
	"fmt"
	"math"

	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/results/run"
	"github.com/sgppl/sgppl/runtime/results/sketch"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

// streamed describes how the numbers of a summary were computed, for a run that summarised its
// draws while it sampled (--keep moments).
type streamed struct {
	Entries int    `json:"entries"` // of a quantile sketch; 0: means and deviations alone
	Stored  int    `json:"stored_draws"`
	Mean    string `json:"mean"`
	Q       string `json:"quantiles,omitempty"`
	ESS     string `json:"ess_mean,omitempty"`
	Rhat    string `json:"rhat,omitempty"`
}

func newStreamed(entries, stored int) *streamed {
	s := &streamed{Entries: entries, Stored: stored, Mean: "running moments of all draws"}
	if entries > 0 {
		s.Q = fmt.Sprintf("sketches of %d of the draws; rank_error bounds how far the rank of a "+
			"quantile is off, as a share of the draws", entries)
		s.ESS = "batch means, 8 to 15 batches a chain; mcse_mean is by it"
		s.Rhat = "split halves of each chain, of the draws and not of their ranks"
	}
	return s
}

// String returns the note below the table.
func (s *streamed) String() string {
	text := "of all draws, as they came: mean and sd"
	if s.Entries > 0 {
		text = fmt.Sprintf("of all draws, as they came: mean and sd; quantiles by sketches of %d "+
			"draws, the rank off by at most ±rank of the draws;\n"+
			"mcse and ess_mean by batch means; rhat of half chains, without ranks", s.Entries)
	}
	if s.Stored > 0 {
		text += fmt.Sprintf("; %d draws of each chain are stored", s.Stored)
	}
	return text
}

// moments summarises a run of --keep moments. It joins the moments of all chains, the sketches of
// their quantiles and their batch means. Without sketches there are only means and standard
// deviations.
func (s *Summary) moments(store *trace.Store, r *run.Record) error {
	stored := 0
	if len(session.StoredDraws(store)) > 0 {
		stored = s.Draws
	}
	least, err := run.LeastCount(store)
	if err != nil {
		return session.Failf(session.ExitFiles, "%v", err)
	}
	s.Draws, s.Streamed = least, newStreamed(r.Sketch, stored)
	for _, v := range store.Variables() {
		name, isMean := cutSuffix(v, ".mean")
		if v.Group != run.MomentsGroup || !isMean {
			continue
		}
		as := v
		as.Name = name
		if s.hides(as) {
			continue
		}
		first := len(s.Vars)
		if err := s.streamed(store, as); err != nil {
			return session.Failf(session.ExitFiles, "%v", err)
		}
		if r.Types[name] == "sphere" {
			s.Directions = append(s.Directions, Directions(as, s.Vars[first:])...)
		}
	}
	return nil
}

// streamed adds the elements of an array that are shown. It reads them in blocks, to bound the
// memory.
func (s *Summary) streamed(store *trace.Store, v trace.Variable) error {
	labels := session.AxisNames(v, s.names)
	block := max(1, summaryNumbers/(4*max(s.Streamed.Entries, 1)*s.Chains))
	var m *run.Moments
	end, i := 0, -1
	for _, element := range v.Elements() {
		if i++; !session.Matches(s.view.Globs, v.Name, element) {
			continue
		}
		if len(s.Vars) >= s.view.Limit {
			s.more++
			continue
		}
		if i >= end {
			var err error
			end = min(i+min(block, max(s.view.Limit-len(s.Vars), 1)), v.Len())
			if m, err = run.ReadMoments(store, v.Name, i, end); err != nil {
				return err
			}
		}
		s.Vars = append(s.Vars,
			pooled(element, session.EntryName(v.Shape, labels, i), m.Join(i), m.Sketched()))
	}
	return nil
}

func cutSuffix(v trace.Variable, suffix string) (string, bool) {
	n := len(v.Name) - len(suffix)
	if n < 1 || v.Name[n:] != suffix {
		return "", false
	}
	return v.Name[:n], true
}

// pooled converts the summary of one element over all chains to a SummaryVar.
func pooled(name, label string, x sketch.Summary, sketched bool) SummaryVar {
	nan := run.Float(math.NaN())
	out := SummaryVar{Name: name, Label: label, Mean: run.Float(x.Mean), SD: run.Float(x.SD),
		MCSEMean: run.Float(x.MCSEMean), MCSESD: nan,
		Q5: nan, Q50: nan, Q95: nan, ESSBulk: nan, ESSTail: nan, Rhat: run.Float(x.Rhat)}
	if !sketched {
		return out
	}
	ess, bound := run.Float(x.ESSMean), run.Float(0)
	for i, p := range sketch.Targets {
		for _, q := range []struct {
			p  float64
			to *run.Float
		}{{0.05, &out.Q5}, {0.5, &out.Q50}, {0.95, &out.Q95}} {
			if p == q.p {
				*q.to = run.Float(x.Quantile[i])
				bound = max(bound, run.Float(x.Bound[i]))
			}
		}
	}
	out.ESSMean, out.RankError = &ess, &bound
	return out
}
