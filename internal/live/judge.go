package live

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/sgppl/sgppl/internal/show"
	"github.com/sgppl/sgppl/runtime/infer/sampler/health"
	"github.com/sgppl/sgppl/runtime/results/diagnose"
	"github.com/sgppl/sgppl/runtime/results/run"
)

const (
	// fewDraws is how many draws of each chain R-hat is computed from at least.
	fewDraws = 50
	// judgeShare is the share of the time of a processor that judging may take.
	judgeShare = 0.003
	// judgeEvery is how long it waits at most, whatever it took: the clock counts what other
	// programs took of the processors, too.
	judgeEvery = 15 * time.Second
)

// series are the draws of the numbers that are watched: those that all the chains which are
// looked at have.
type series struct {
	chains []int // their numbers
	all    int   // chains of the run
	cuts   int   // how often the run has dropped draws
	index  []int64
	draws  [][][]float64 // of each number, by chain
}

// series copies the draws.
func (r *Recorder) series() *series {
	s := &series{all: len(r.chains), cuts: r.cuts}
	most := int64(0)
	for _, c := range r.chains {
		if d := c.draws.Draws(); len(d) > 0 {
			most = max(most, d[len(d)-1]+1)
		}
	}
	have := map[int64]int{} // how many of the chains have a draw
	for k, c := range r.chains {
		d := c.draws.Draws()
		if len(d) == 0 || 2*(d[len(d)-1]+1) < most {
			continue // it would take the draws of the others away
		}
		s.chains = append(s.chains, k)
		for _, index := range d {
			have[index]++
		}
	}
	s.draws = make([][][]float64, len(r.numbers))
	for i := range r.numbers {
		s.draws[i] = make([][]float64, len(s.chains))
	}
	for j, k := range s.chains {
		d, values := r.chains[k].draws.Draws(), r.chains[k].draws.Values()
		for n, index := range d {
			if have[index] < len(s.chains) {
				continue
			}
			if j == 0 {
				s.index = append(s.index, index)
			}
			for i := range r.numbers {
				s.draws[i][j] = append(s.draws[i][j], values[n*len(r.numbers)+i])
			}
		}
	}
	return s
}

// line are the draws of a number that a chain has.
func (r *Recorder) line(number, chain int) Line {
	d, values := r.chains[chain].draws.Draws(), r.chains[chain].draws.Values()
	l := Line{Chain: chain, X: slices.Clone(d), Y: make(run.Digits, len(d))}
	for n := range d {
		l.Y[n] = values[n*len(r.numbers)+number]
	}
	return l
}

// dynamics are the rows of health of the chains: of each block and statistic that with the
// worst verdict.
func (r *Recorder) dynamics() []HealthRow {
	var rows []HealthRow
	at := map[[2]string]int{}
	for k, c := range r.chains {
		if c.last == nil {
			continue
		}
		for _, h := range c.last.Health {
			key := [2]string{h.Block, h.Statistic}
			i, known := at[key]
			if !known {
				at[key] = len(rows)
				rows = append(rows, HealthRow{Health: h, Chain: k})
			} else if badness(h.Verdict) > badness(rows[i].Verdict) {
				rows[i] = HealthRow{Health: h, Chain: k}
			}
		}
	}
	return rows
}

func badness(verdict string) int {
	return slices.Index([]string{"", "ok", "unsure", "off"}, verdict)
}

// A judge computes R-hat and effective sizes, as often as its share of the time allows: it
// remembers what it found.
type judge struct {
	next  time.Time
	found []diagnose.Summary
	rows  []HealthRow
	draws int // that it looked at
	cuts  int // how often the run had dropped draws then
	from  string
}

// due reports whether it is to look at the draws again: after some time, where there were too few
// to judge, and where draws were dropped.
func (j *judge) due(now time.Time, cuts int) bool {
	return !now.Before(j.next) || j.found == nil || j.cuts != cuts
}

// look adds to a view what the draws say. s is nil where they are not looked at again.
func (j *judge) look(r *Recorder, s *series, v *View) {
	if s != nil {
		now := time.Now()
		j.compute(r, s)
		took := time.Since(now)
		j.next = now.Add(min(time.Duration(float64(took)/judgeShare), judgeEvery))
	}
	v.Health = append(slices.Clone(j.rows), v.Health...)
	if v.Health == nil {
		v.Health = []HealthRow{}
	}
	v.From = j.from
	v.Verdict, v.Sentence = sentence(v.Health, j.draws, len(r.numbers))
	r.traces(j.found, v)
}

func (j *judge) compute(r *Recorder, s *series) {
	j.rows, j.found, j.draws, j.cuts, j.from = nil, nil, len(s.index), s.cuts, ""
	if len(s.index) < fewDraws || len(s.chains) == 0 {
		return
	}
	var w diagnose.Workspace
	list := make([]health.Quantity, len(r.numbers))
	j.found = make([]diagnose.Summary, len(r.numbers))
	for i, chains := range s.draws {
		x := w.Summarize(chains)
		j.found[i] = x
		list[i] = health.Quantity{Name: r.numbers[i].Name, Rhat: x.Rhat, ESSBulk: x.ESSBulk,
			ESSTail: x.ESSTail, ESSMean: math.NaN()}
	}
	some := s.index[len(s.index)-1]-s.index[0]+1 > int64(len(s.index))
	for _, h := range health.Convergence(list, len(s.chains), len(s.index),
		func(i int) float64 { return w.ESSWithin(s.draws[i]) }) {
		j.rows = append(j.rows, HealthRow{Health: run.Health{Block: h.Block,
			Statistic: h.Statistic, Value: run.Float(h.Value), Expected: run.Float(h.Expected),
			MCSE: run.Float(h.MCSE), Verdict: h.Verdict}, Chain: -1,
			AtLeast: some && strings.HasPrefix(h.Statistic, "ess")})
	}
	j.from = fromText(r, s)
}

// fromText says what R-hat and effective sizes were computed from.
func fromText(r *Recorder, s *series) string {
	text := fmt.Sprintf("R-hat and effective sizes are of %d draws of each chain", len(s.index))
	if last := s.index[len(s.index)-1]; last-s.index[0]+1 > int64(len(s.index)) {
		text += fmt.Sprintf(", evenly spread over the %d so far", last+1)
	}
	if len(s.chains) < s.all {
		text += fmt.Sprintf(", of %d of %d chains: the others have fewer than half as many",
			len(s.chains), s.all)
	}
	if len(r.numbers) < r.of {
		text += fmt.Sprintf(", and of %d of %d numbers", len(r.numbers), r.of)
	}
	return text
}

// sentence is the verdict of rows of health while a run goes on.
func sentence(rows []HealthRow, draws, numbers int) (verdict, text string) {
	plain := make([]run.Health, len(rows))
	for i := range rows {
		plain[i] = rows[i].Health
	}
	text = show.Verdict(plain)
	verdict, rest, _ := strings.Cut(text, ":")
	switch {
	case verdict == "off":
		return verdict, "off so far:" + rest
	case numbers > 0 && draws < fewDraws:
		return "early", fmt.Sprintf("too early to tell: R-hat takes %d draws of each chain, and "+
			"there are %d", fewDraws, draws)
	case text == "":
		return "", ""
	}
	return verdict, verdict + " so far:" + rest
}

// traces adds charts of the numbers whose chains agree least.
func (r *Recorder) traces(found []diagnose.Summary, v *View) {
	order := make([]int, len(r.numbers))
	for i := range order {
		order[i] = i
	}
	if found != nil {
		slices.SortStableFunc(order, func(a, b int) int {
			return cmp.Compare(agreement(found[a]), agreement(found[b]))
		})
	}
	r.lock.Lock()
	defer r.lock.Unlock()
	charts := []Chart{} // never null in JSON
	for _, i := range order[:min(len(order), mostTraces)] {
		c := Chart{Kind: "trace", Title: r.numbers[i].Name, X: "draws"}
		if found != nil {
			c.Caption = fmt.Sprintf("mean %.4g, sd %.3g, R-hat %.3f", found[i].Mean, found[i].SD,
				found[i].Rhat)
		}
		for k := range r.chains {
			if l := r.line(i, k); len(l.X) > 0 {
				c.Lines = append(c.Lines, l)
			}
		}
		if c.Lines != nil {
			charts = append(charts, c)
		}
	}
	v.Charts = append(charts, v.Charts...)
}

// agreement orders numbers, those whose chains agree least first: draws that are not finite,
// then by R-hat, which constants do not have.
func agreement(x diagnose.Summary) float64 {
	switch {
	case math.IsNaN(x.Mean):
		return math.Inf(-1)
	case math.IsNaN(x.Rhat):
		return math.Inf(1)
	}
	return -x.Rhat
}
