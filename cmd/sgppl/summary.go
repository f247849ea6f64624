package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/sgppl/sgppl/runtime/diagnose"
	"github.com/sgppl/sgppl/runtime/run"
	"github.com/sgppl/sgppl/runtime/sampler"
	"github.com/sgppl/sgppl/runtime/trace"
)

type summaryCmd struct {
	Dir  string   `arg:"" name:"run" help:"A run directory."`
	JSON bool     `name:"json" help:"Print one JSON object."`
	Vars []string `sep:"none" placeholder:"GLOB" help:"Only what is called so: w, w[0], sigma*. May be repeated."`
}

func (c *summaryCmd) Help() string {
	return `Means, standard deviations, quantiles, Monte Carlo errors, effective sample sizes and R-hat of the draws that every
chain has (Vehtari et al. 2021); of points on spheres the mean direction and the mean resultant length, which is 1 for draws
that all agree and 0 for draws without direction; and the health of the dynamics by block: statistics whose values theory knows.
Of a run of optimize: its best, last and averaged points, and how good they are.

  sgppl summary runs/logistic-1 --vars 'w[1?]' --vars b`
}

// Run prints the summary of a run.
func (c *summaryCmd) Run(e *env) error {
	if r, err := run.Read(c.Dir); err == nil && r.Optimize != nil && !c.JSON {
		if r.Status != run.Done {
			e.note(fmt.Sprintf("the run is not complete (%s): these are its points so far", r.Status))
		}
		return e.found(c.Dir, r, c.Vars, math.MaxInt)
	}
	s, err := readSummary(c.Dir, c.Vars, math.MaxInt)
	if err != nil {
		return err
	}
	if len(s.Vars) == 0 && len(c.Vars) > 0 {
		return usage("--vars %s: nothing in %s is called so", strings.Join(c.Vars, " --vars "), c.Dir)
	}
	if s.status != run.Done {
		e.note(fmt.Sprintf("the run is not complete (%s): these are the %d draws that every chain has", s.status, s.Draws))
	}
	s.warn(e)
	if c.JSON {
		out := json.NewEncoder(e.stdout)
		out.SetEscapeHTML(false)
		err = out.Encode(s)
	} else {
		err = s.print(e.stdout)
	}
	if err != nil {
		return fail(exitFiles, "cannot write: %v", err)
	}
	return nil
}

// warn says what of the draws is gone.
func (s *summary) warn(e *env) {
	if n := len(s.missing); n > 0 {
		text := "draws are missing, and read as NaN: there is no " + strings.Join(s.missing[:min(n, 3)], ", ")
		if n > 3 {
			text += fmt.Sprintf(" and %d files more", n-3)
		}
		e.note(text)
	}
}

// A summary is the JSON of `summary --json`.
type summary struct {
	Model   string       `json:"model"`
	Sampler string       `json:"sampler"`
	Chains  int          `json:"chains"`
	Draws   int          `json:"draws"` // of each chain
	Vars    []summaryVar `json:"vars"`
	// Directions are the points of spheres whose coordinates are all in Vars.
	Directions []direction  `json:"directions,omitempty"`
	Health     []run.Health `json:"health"`
	// HeldOut scores the rows of --held-out by all draws that were evaluated.
	HeldOut *run.Score `json:"held_out,omitempty"`

	dir     string
	status  run.Status
	more    int      // numbers that were left out
	missing []string // files of draws that are gone
}

type summaryVar struct {
	Name     string    `json:"name"`
	Mean     run.Float `json:"mean"`
	SD       run.Float `json:"sd"`
	MCSEMean run.Float `json:"mcse_mean"`
	MCSESD   run.Float `json:"mcse_sd"`
	Q5       run.Float `json:"q5"`
	Q50      run.Float `json:"q50"`
	Q95      run.Float `json:"q95"`
	ESSBulk  run.Float `json:"ess_bulk"`
	ESSTail  run.Float `json:"ess_tail"`
	Rhat     run.Float `json:"rhat"`
}

// sampleRows is how many numbers `sgppl sample` shows.
const sampleRows = 24

// readSummary summarises at most limit numbers of a run whose names, or those
// of the arrays they are in, match one of the globs; all without any.
func readSummary(dir string, globs []string, limit int) (*summary, error) {
	r, err := run.Read(dir)
	if err != nil {
		return nil, ownStatus(err)
	}
	store, err := trace.Open(run.Draws(dir))
	if err != nil {
		return nil, fail(exitFiles, "%v", err)
	}
	draws, err := store.Common()
	if err != nil {
		return nil, fail(exitFiles, "%v", err)
	}
	s := &summary{Model: r.Model, Sampler: r.Outline().Method, Chains: store.Chains(), Draws: draws, Vars: []summaryVar{}, Health: r.Health, dir: dir, status: r.Status}
	if s.Health == nil {
		s.Health = []run.Health{}
	}
	for _, v := range storedDraws(store) {
		first := len(s.Vars)
		s.missing = append(s.missing, store.Missing(v, draws)...)
		if err := s.variable(store, v, globs, limit); err != nil {
			return nil, fail(exitFiles, "%v", err)
		}
		if r.Types[v.Name] == "sphere" {
			s.Directions = append(s.Directions, directions(v, s.Vars[first:])...)
		}
	}
	if s.HeldOut = heldOutScore(r); len(storedDraws(store)) > 0 {
		return s, nil
	}
	return s, s.moments(store, r, globs, limit)
}

// heldOutScore is what a run has of rows held out; nil without.
func heldOutScore(r *run.Record) *run.Score {
	if r.HeldOut == nil {
		return nil
	}
	return r.HeldOut.Score
}

// summaryNumbers bounds what is in memory at once.
const summaryNumbers = 1 << 24

// variable summarises the elements of an array, many at a time.
func (s *summary) variable(store *trace.Store, v trace.Variable, globs []string, limit int) error {
	if len(globs) == 0 && len(s.Vars) >= limit {
		s.more += v.Len()
		return nil
	}
	names := make([]string, 0, v.Len())
	for _, name := range v.Elements() {
		names = append(names, name)
	}
	block := max(1, summaryNumbers/max(1, s.Chains*s.Draws))
	for lo := 0; lo < len(names); {
		if !matches(globs, v.Name, names[lo]) {
			lo++
			continue
		}
		if len(s.Vars) >= limit {
			s.more++
			lo++
			continue
		}
		hi := lo + 1
		for hi < len(names) && hi-lo < min(block, limit-len(s.Vars)) && matches(globs, v.Name, names[hi]) {
			hi++
		}
		a, err := store.ReadElements(v.Group, v.Name, lo, hi)
		if err != nil {
			return err
		}
		all, err := diagnose.SummarizeMany(hi-lo, a.Chains, a.Draws, 0, func(i int, dst [][]float64) error {
			if a.Draws > 0 {
				a.Series(i, dst)
			}
			return nil
		})
		if err != nil {
			return err
		}
		for i, x := range all {
			s.Vars = append(s.Vars, summaryVar{names[lo+i], run.Float(x.Mean), run.Float(x.SD), run.Float(x.MCSEMean), run.Float(x.MCSESD),
				run.Float(x.Q5), run.Float(x.Q50), run.Float(x.Q95), run.Float(x.ESSBulk), run.Float(x.ESSTail), run.Float(x.Rhat)})
		}
		lo = hi
	}
	return nil
}

func matches(globs []string, names ...string) bool {
	for _, g := range globs {
		for _, n := range names {
			if run.Match(g, n) {
				return true
			}
		}
	}
	return len(globs) == 0
}

// print writes the tables for people.
func (s *summary) print(w io.Writer) error {
	fmt.Fprintf(w, "%s by %s: %d chains of %d draws\n\n", s.Model, s.Sampler, s.Chains, s.Draws)
	t := table{head: []string{"", "mean", "sd", "mcse", "5%", "50%", "95%", "ess_bulk", "ess_tail", "rhat"}}
	for _, v := range s.Vars {
		t.add(v.Name, digits(v.Mean), digits(v.SD), digits(v.MCSEMean), digits(v.Q5), digits(v.Q50), digits(v.Q95),
			format("%.0f", v.ESSBulk), format("%.0f", v.ESSTail), format("%.3f", v.Rhat))
	}
	if err := t.write(w); err != nil {
		return err
	}
	if s.more > 0 {
		fmt.Fprintf(w, "… and %d more: sgppl summary %s\n", s.more, s.dir)
	}
	if err := printDirections(w, s.Directions); err != nil {
		return err
	}
	if h := s.HeldOut; h != nil {
		fmt.Fprintln(w)
		if err := scoreTable(h, fmt.Sprintf("held-out rows by %d draws", h.Draws)).write(w); err != nil {
			return err
		}
	}
	if len(s.Health) == 0 {
		return nil
	}
	fmt.Fprintln(w)
	h := table{head: []string{"health of", "statistic", "value", "expected", "mcse", "verdict"}, left: map[string]bool{"statistic": true, "verdict": true}}
	rows := make([]sampler.HealthRow, len(s.Health))
	for i, x := range s.Health {
		h.add(x.Block, x.Statistic, digits(x.Value), digits(x.Expected), digits(x.MCSE), x.Verdict)
		rows[i] = sampler.HealthRow{Block: x.Block, Statistic: x.Statistic, Value: float64(x.Value), Expected: float64(x.Expected), MCSE: float64(x.MCSE), Verdict: x.Verdict}
	}
	if err := h.write(w); err != nil {
		return err
	}
	for _, says := range sampler.Advice(rows, sampler.Config{Sampler: s.Sampler}) {
		fmt.Fprintln(w, says)
	}
	return nil
}

func digits(x run.Float) string { return format("%.4g", x) }

func format(verb string, x run.Float) string {
	if f := float64(x); f-f != 0 {
		return "-"
	}
	return fmt.Sprintf(verb, float64(x))
}
