package show

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/base/printable"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/infer/sampler/health"
	"github.com/sgppl/sgppl/runtime/results/diagnose"
	"github.com/sgppl/sgppl/runtime/results/run"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

// Empty reports whether an unfinished run has neither draws nor a held-out score to show.
func (s *Summary) Empty() bool {
	return s.Chosen.Each == 0 && s.Status != run.Done && s.HeldOut == nil
}

// numbered returns a text such as "chain 1" or "chains 0, 2 and 3".
func numbered(of string, numbers []int) string {
	text := make([]string, len(numbers))
	for i, n := range numbers {
		text[i] = fmt.Sprint(n)
	}
	if n := len(text); n > 1 {
		return of + "s " + strings.Join(text[:n-1], ", ") + " and " + text[n-1]
	}
	return of + " " + strings.Join(text, "")
}

// Warn prints a note about files of draws that are missing.
func (s *Summary) Warn(e *session.Session) {
	if n := len(s.missing); n > 0 {
		text := "draws are missing, and read as NaN: there is no " +
			strings.Join(s.missing[:min(n, 3)], ", ")
		if n > 3 {
			text += fmt.Sprintf(" and %d files more", n-3)
		}
		e.Note("%s", text)
	}
}

// A Summary is the JSON of `summary --json`.
type Summary struct {
	Model   string `json:"model"`
	Sampler string `json:"sampler"`
	Chains  int    `json:"chains"`
	Draws   int    `json:"draws"` // of each chain
	// Used has the chains that all numbers are computed from, if chains of an unfinished run were left
	// out because they have no draws or far fewer than the others.
	Used []int        `json:"chains_used,omitempty"`
	Vars []SummaryVar `json:"vars"`
	// Directions are the points of spheres whose coordinates are all in Vars.
	Directions []direction  `json:"directions,omitempty"`
	Health     []run.Health `json:"health"`
	// Topics are rows of arrays along dims whose entries have names.
	Topics []topic `json:"topics,omitempty"`
	// Streamed says what the numbers are of a run that summarised its draws as they came.
	Streamed *streamed `json:"streamed,omitempty"`
	// Exactness says how near to the posterior the draws of a surrogate are.
	Exactness *run.Exactness `json:"exactness,omitempty"`
	// Verdict says in a sentence what the health comes to.
	Verdict string `json:"verdict,omitempty"`
	// HeldOut scores the rows of --held-out by all draws that were evaluated.
	HeldOut *run.Score `json:"held_out,omitempty"`

	summarised
	shown
}

// summarised is the run that a summary is of.
type summarised struct {
	dir      string
	Status   run.Status  `json:"-"`
	Chosen   *run.Chosen `json:"-"`
	settings sampler.Config
	seconds  float64  // that the run took
	missing  []string // files of draws that are gone
	Owes     bool     `json:"-"` // log likelihoods were asked for and are not stored
	judged   int      // of how many numbers the health has R-hat and effective sizes; 0: all
}

// shown selects the parts of a summary that are printed.
type shown struct {
	view   View
	names  map[string][]string
	tables []*topics
	means  string   // description of the means by which the words of topics are ranked
	hidden []string // arrays that are shown only as topics
	within int      // number of elements of the hidden arrays
	more   int      // number of elements that were left out
}

// A View selects the results of a run to show.
type View struct {
	Globs []string // Names of arrays or elements; all without any
	Limit int      // of numbers
	Names []string // --names
	Words int      // of a topic
	Chain *int     // whose topics; nil for the first or best
	Lets  bool     // topics of lets too
	Json  bool     // every number, of topics as well
}

type SummaryVar struct {
	Name string `json:"name"`
	// Label has the names of the entry along dims with names
	Label    string    `json:"label,omitempty"`
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
	// Of runs that summarised their draws as they came: the effective sample size for the mean, by
	// batch means, and a bound of the error of the ranks of the three quantiles, as a share of the
	// draws.
	ESSMean   *run.Float `json:"ess_mean,omitempty"`
	RankError *run.Float `json:"rank_error,omitempty"`
}

// sampleRows is the number of elements that `sgppl sample` shows.
const sampleRows = 24

// ReadSummary returns the summary of the results of a run that a view selects.
func ReadSummary(e *session.Session, dir string, v View) (*Summary, error) {
	r, err := run.Read(dir)
	if err != nil {
		return nil, session.OwnStatus(err)
	}
	store, chosen, err := e.OpenRunDraws(dir, r)
	if err != nil {
		return nil, err
	}
	draws, err := store.Common()
	if err != nil {
		return nil, session.Failf(session.ExitFiles, "%v", err)
	}
	s := &Summary{
		Model: r.Model, Sampler: r.Outline().Method, Chains: store.Chains(), Draws: draws,
		Vars: []SummaryVar{}, Health: r.Health,
		Exactness: r.Exactness,
		summarised: summarised{dir: dir, Status: r.Status, Chosen: chosen, settings: r.Settings,
			seconds: r.Seconds},
		shown: shown{view: v},
	}
	if len(chosen.Used) < len(chosen.Draws) {
		s.Used = chosen.Used
	}
	s.Owes = r.LogLik && r.Status == run.Done && !session.HasLoglik(store)
	if s.Health == nil {
		s.Health = []run.Health{}
	}
	if s.names, err = session.NamesOf(e, dir, r, v.Names); err != nil {
		return nil, err
	}
	if err := s.topics(e, r, store); err != nil {
		return nil, err
	}
	streams := run.SummarisedAsDrawn(store)
	for _, v := range append(missingLast(session.StoredDraws(store)),
		session.GeneratedDraws(store)...) {
		first := len(s.Vars)
		s.missing = append(s.missing, store.Missing(v, draws)...)
		if streams || s.hides(v) {
			continue
		}
		if err := s.variable(store, v); err != nil {
			return nil, session.Failf(session.ExitFiles, "%v", err)
		}
		if r.Types[v.Name] == "sphere" {
			s.Directions = append(s.Directions, Directions(v, s.Vars[first:])...)
		}
	}
	s.HeldOut = heldOutScore(r)
	if streams {
		if err := s.moments(store, r); err != nil {
			return nil, err
		}
	}
	if err := s.judge(store, r); err != nil {
		return nil, err
	}
	s.Verdict = Verdict(s.Health)
	return s, nil
}

// missingLast returns the variables with those for missing entries of the data after the params of
// the model.
func missingLast(vars []trace.Variable) []trace.Variable {
	missing := func(v trace.Variable) bool { return strings.HasSuffix(v.Name, ".missing") }
	vars = slices.Clone(vars)
	slices.SortStableFunc(vars, func(a, b trace.Variable) int {
		switch {
		case missing(a) == missing(b):
			return 0
		case missing(b):
			return -1
		}
		return 1
	})
	return vars
}

// judge adds rows of convergence to the health. If all elements are shown, the rows are computed
// from them. Otherwise they are the run's rows, which are computed here for an unfinished run.
func (s *Summary) judge(store *trace.Store, r *run.Record) error {
	if r.Still() {
		return nil
	}
	s.judged = r.Judged
	if len(s.view.Globs) == 0 && s.more == 0 && s.within == 0 && len(s.Vars) > 0 {
		list := make([]health.Quantity, len(s.Vars))
		for i, v := range s.Vars {
			list[i] = health.Quantity{Name: v.Name, Rhat: float64(v.Rhat),
				ESSBulk: float64(v.ESSBulk), ESSTail: float64(v.ESSTail), ESSMean: math.NaN()}
			if v.ESSMean != nil {
				list[i].ESSMean = float64(*v.ESSMean)
			}
		}
		s.judged = 0
		s.Health = append(slices.DeleteFunc(slices.Clone(s.Health),
			func(h run.Health) bool { return health.Converges(h.Statistic) }),
			run.Judge(store, list, s.Draws)...)
		return nil
	}
	converges := func(h run.Health) bool { return health.Converges(h.Statistic) }
	if slices.ContainsFunc(s.Health, converges) {
		return nil
	}
	rows, looked, all, err := run.Convergence(s.dir, r)
	if err != nil {
		return session.OwnStatus(err)
	}
	s.Health = append(slices.Clone(s.Health), rows...)
	if s.Health == nil {
		s.Health = []run.Health{} // never null in JSON
	}
	if looked < all {
		s.judged = looked
	}
	return nil
}

// heldOutScore returns the score of a run's held-out rows; nil if there is none.
func heldOutScore(r *run.Record) *run.Score {
	if r.HeldOut == nil {
		return nil
	}
	return r.HeldOut.Score
}

// summaryNumbers is the largest number of values that a summary holds in memory at once.
const summaryNumbers = 1 << 24

// variable summarises the elements of an array, many at a time.
func (s *Summary) variable(store *trace.Store, v trace.Variable) error {
	globs, limit, labels := s.view.Globs, s.view.Limit, session.AxisNames(v, s.names)
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
		if !session.Matches(globs, v.Name, names[lo]) {
			lo++
			continue
		}
		if len(s.Vars) >= limit {
			s.more++
			lo++
			continue
		}
		hi := lo + 1
		for hi < len(names) && hi-lo < min(block, limit-len(s.Vars)) &&
			session.Matches(globs, v.Name, names[hi]) {
			hi++
		}
		a, err := store.ReadElements(v.Group, v.Name, lo, hi)
		if err != nil {
			return err
		}
		all, err := diagnose.SummarizeMany(hi-lo, a.Chains, a.Draws, 0,
			func(i int, dst [][]float64) error {
				if a.Draws > 0 {
					a.Series(i, dst)
				}
				return nil
			})
		if err != nil {
			return err
		}
		for i, x := range all {
			s.Vars = append(s.Vars,
				SummaryVar{names[lo+i], session.EntryName(v.Shape, labels, lo+i), run.Float(x.Mean),
					run.Float(x.SD), run.Float(x.MCSEMean), run.Float(x.MCSESD),
					run.Float(x.Q5), run.Float(x.Q50), run.Float(x.Q95), run.Float(x.ESSBulk),
					run.Float(x.ESSTail), run.Float(x.Rhat), nil, nil})
		}
		lo = hi
	}
	return nil
}

// Print writes the tables for people.
func (s *Summary) Print(w io.Writer) error {
	of := ""
	if len(s.Used) > 0 {
		of = fmt.Sprintf(" (%s of %d)", numbered("chain", s.Used), len(s.Chosen.Draws))
	}
	if s.Exactness != nil {
		fmt.Fprintf(w, "exactness   %s\n", s.Exactness)
	}
	printable.Fprintf(w, "%s by %s: %d chains of %d draws%s\n", s.Model, s.Sampler, s.Chains,
		s.Draws, of)
	if s.Verdict != "" {
		printable.Fprintf(w, "%s\n", s.Verdict)
	}
	fmt.Fprintln(w)
	if len(s.Vars) > 0 || len(s.tables) == 0 {
		if err := s.table().Write(w); err != nil {
			return err
		}
	}
	if s.Streamed != nil && len(s.Vars) > 0 {
		fmt.Fprintln(w, s.Streamed)
	}
	if s.more > 0 {
		printable.Fprintf(w, "… and %d more: sgppl summary %s\n", s.more, s.dir)
	}
	if s.within > 0 {
		fmt.Fprintf(w, "… and %s: sgppl summary %s --vars %s\n",
			session.NumbersOf(s.within, s.hidden), printable.Line(s.dir),
			strings.Join(s.hidden, " --vars "))
	}
	if err := printTopics(w, s.tables, s.means); err != nil {
		return err
	}
	if err := printDirections(w, s.Directions); err != nil {
		return err
	}
	if h := s.HeldOut; h != nil {
		fmt.Fprintln(w)
		if err := scoreTable(h, fmt.Sprintf("held-out rows by %d draws", h.Draws)).Write(w); err != nil {
			return err
		}
	}
	if len(s.Health) == 0 {
		return nil
	}
	fmt.Fprintln(w)
	h := Table{Head: []string{"health of", "statistic", "value", "expected", "mcse", "verdict"},
		Left: map[string]bool{"statistic": true, "verdict": true}}
	rows := make([]sampler.HealthRow, len(s.Health))
	for i, x := range s.Health {
		h.Add(x.Block, x.Statistic, digits(x.Value), digits(x.Expected), digits(x.MCSE), x.Verdict)
		rows[i] = sampler.HealthRow{Block: x.Block, Statistic: x.Statistic, Value: float64(x.Value),
			Expected: float64(x.Expected), MCSE: float64(x.MCSE), Verdict: x.Verdict}
	}
	if err := h.Write(w); err != nil {
		return err
	}
	if says := health.Bounds(rows); says != "" {
		printable.Fprintf(w, "%s\n", says)
	}
	for _, says := range health.AdviceAfter(rows, s.settings, s.seconds) {
		fmt.Fprintln(w, says)
	}
	if s.Verdict != "" && !strings.HasPrefix(s.Verdict, "ok") {
		fmt.Fprintln(w, "`sgppl doc health` says how to read this table.")
	}
	if s.judged > 0 {
		printable.Fprintf(w, "rhat and effective sizes in the health are of %d numbers, spread "+
			"over all: sgppl summary %s looks at every one\n", s.judged, s.dir)
	}
	return nil
}

// TableOf is the table of summaries of numbers.
func TableOf(vars []SummaryVar) *Table { return (&Summary{Vars: vars}).table() }

// table is that of single numbers, with their names along dims in a column of
// its own where there are some.
func (s *Summary) table() *Table {
	named := slices.ContainsFunc(s.Vars, func(v SummaryVar) bool { return v.Label != "" })
	head := []string{"", "mean", "sd", "mcse", "5%", "50%", "95%", "ess_bulk", "ess_tail", "rhat"}
	sketched := s.Streamed != nil && s.Streamed.Entries > 0
	if sketched {
		head[7], head[8] = "±rank", "ess_mean"
	}
	if named {
		head = slices.Insert(head, 1, "name")
	}
	t := &Table{Head: head, Left: map[string]bool{"name": true}}
	for _, v := range s.Vars {
		cells := []string{v.Name, digits(v.Mean), digits(v.SD), digits(v.MCSEMean), digits(v.Q5),
			digits(v.Q50), digits(v.Q95),
			Format("%.0f", v.ESSBulk), Format("%.0f", v.ESSTail), Format("%.3f", v.Rhat)}
		if sketched {
			cells[7], cells[8] = Format("%.3f", *v.RankError), Format("%.0f", *v.ESSMean)
		}
		if named {
			cells = slices.Insert(cells, 1, v.Label)
		}
		t.Add(cells...)
	}
	return t
}

func digits(x run.Float) string { return Format("%.4g", x) }

func Format(verb string, x run.Float) string {
	if f := float64(x); f-f != 0 {
		return "-"
	}
	return fmt.Sprintf(verb, float64(x))
}
