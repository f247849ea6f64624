package checks

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/internal/show"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/math/rng"
	"github.com/sgppl/sgppl/runtime/results/diagnose"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// Options of checks.
type Options struct {
	Data    []string // where the data are not any more what the run read
	Seed    uint64
	Threads int
}

// The bounds of what is looked at.
const (
	mostRows    = 2000 // of the axis of rows
	mostEntries = 20000
	mostDraws   = 4000
	leastDraws  = 500 // where the run has so many
	mostWork    = 2_000_000
)

// A checker is a run with its data.
type checker struct {
	e    *session.Session // says nothing
	said *bytes.Buffer    // what it would have said
	dir  string
	r    *run.Record
	o    Options
	b    *session.Binding
	keep []int // the rows that are taken; nil: all
	rows int   // of the data
	most int   // draws; 0 before it is known

	against []string // what speaks against the model

	loo
	simulated
}

// Add holds a run against its data, and its posterior against its priors, and adds what is found
// to a report. What cannot be done is told there, with what to do.
func Add(e *session.Session, dir string, o Options, to *show.Report) error {
	c := &checker{dir: dir, o: o, said: &bytes.Buffer{}}
	quiet := *e
	quiet.Stderr, quiet.Screen, c.e = c.said, c.said, &quiet
	if why := c.open(); why != "" {
		to.Checks = []show.Section{{Heading: "Checks against the data", Text: []string{why}}}
		return nil
	}
	stop, release := e.Stopper()
	defer release()
	if err := c.predictor(); err != nil {
		c.simWhy = c.why(err)
	}
	if err := c.crossValidate(stop); err != nil {
		if stop.Err() != nil {
			return stop.Err()
		}
		c.looWhy = c.why(err)
	}
	if c.simWhy == "" {
		if err := c.simulate(stop); err != nil {
			if stop.Err() != nil {
				return stop.Err()
			}
			c.simWhy = c.why(err)
		}
	}
	to.Checks = append(c.predictive(), c.crossSections()...)
	if c.r.OfProgram() {
		to.Checks[0].Text = append(to.Checks[0].Text, "The run was made by a Go program, which "+
			"leaves no digests of its data: that these are the same is taken on trust.")
	}
	to.Fit, to.FitSays = c.verdict()
	var err error
	to.Priors, err = c.priors(stop)
	return err
}

// verdict is what the checks come to, in a word and a sentence; empty where there were none. What
// speaks against the model leaves a doubt, as one check of twenty does so by chance.
func (c *checker) verdict() (word, says string) {
	switch {
	case c.simWhy != "" && c.looWhy != "":
		return "", ""
	case len(c.against) > 0:
		return "unsure", strings.Join(c.against, "; ")
	}
	var done []string
	if c.simWhy == "" {
		done = append(done, "what was observed looks like what the model simulates")
	}
	if c.looWhy == "" {
		done = append(done, "no single observation decides the posterior")
	}
	return "ok", strings.Join(done, ", and ")
}

// doubt notes what speaks against the model.
func (c *checker) doubt(format string, args ...any) {
	c.against = append(c.against, fmt.Sprintf(format, args...))
}

// open reads the data of the run; it says why it cannot.
func (c *checker) open() (why string) {
	r, b, err := bind(c.e, c.dir, c.o.Data, "")
	if err == nil && r.Stream {
		return "The run read its rows from files as they were needed (--stream), and the report " +
			"does not read them again. sgppl score scores rows that were held out."
	}
	if err == nil {
		err = read(c.e, r, b)
	}
	if err != nil {
		return "The data of the run could not be read, so nothing here is held against them: " +
			c.why(err) + " Where the files are elsewhere now: sgppl report " + c.dir +
			" --data SPEC --force, as for sample."
	}
	c.said.Reset()
	c.r, c.b = r, b
	c.choose()
	return ""
}

// place is where a diagnostic of a model stands, with its code.
var place = regexp.MustCompile(`^\S*:\d+:\d+: error\[[A-Z0-9]+\]: `)

// why is an error as a sentence; of one that was told, the first line that says what is wrong.
func (c *checker) why(err error) string {
	text := err.Error()
	for line := range strings.Lines(c.said.String()) {
		line = strings.TrimSpace(line)
		if text == "" && line != "" && !strings.HasPrefix(line, "note:") {
			text = place.ReplaceAllString(line, "")
		}
	}
	c.said.Reset()
	if text == "" {
		text = "the reason is not known"
	}
	return strings.TrimSuffix(text, ".") + "."
}

// choose takes some rows where there are too many, evenly spread.
func (c *checker) choose() {
	c.rows = c.b.Target.Rows()
	dim := c.b.Compiled.Spec.RowDim
	if dim == "" || c.b.Compiled.SomeRows() != nil {
		return
	}
	for _, d := range c.b.Compiled.Spec.Schema.Dims {
		if d.Of == dim {
			return // rows of their own lengths
		}
	}
	each := 1
	for _, s := range c.b.Compiled.Spec.Sites {
		if v := c.b.Bound.Values[s.Name]; v != nil && c.rows > 0 {
			each = max(each, v.Len()/c.rows)
		}
	}
	most := max(1, min(mostRows, mostEntries/each))
	if c.rows <= most {
		return
	}
	for i := range most {
		c.keep = append(c.keep, int((2*int64(i)+1)*int64(c.rows)/(2*int64(most))))
	}
}

// taken says which rows are looked at; "" where all are.
func (c *checker) taken() string {
	if c.keep == nil {
		return ""
	}
	return fmt.Sprintf("Of %d rows of %s, %d are taken, evenly spread.", c.rows,
		c.b.Compiled.Spec.RowDim, len(c.keep))
}

// limit is how many draws n entries are looked at by.
func limit(n int) int { return min(max(mostWork/max(1, n), leastDraws), mostDraws) }

// simulated are data sets drawn given the draws of the run.
type simulated struct {
	simWhy string // there are none
	p      *driver.Posterior
	target *session.Binding
	sites  []driver.Predicted
	width  int
	n      int       // data sets
	drawn  []float64 // [data set][entry]
	seen   []float64 // the entries that were observed; NaN where none was
}

// predictor compiles the model for data sets like those of the run.
func (c *checker) predictor() error {
	src := c.b.Src
	o := driver.Options{Set: session.Numbers(c.r.Set), RowDim: c.r.RowDim,
		Sampled: c.r.Sampled || c.b.Compiled.Spec.Chain != nil}
	p, diags := driver.Predict(src, o)
	c.e.Diagnose(diags)
	if p == nil {
		return errors.New("")
	}
	b := &session.Binding{Src: src, Compiled: &p.Compiled, Bound: c.b.Bound, Labels: c.b.Labels}
	if c.keep != nil {
		b.Bound = c.b.BoundRows(c.keep)
	}
	if err := c.constants(p, b); err != nil {
		return err
	}
	var err error
	if b.Target, err = p.VM(b.Bound, b.Constants); err != nil {
		return err
	}
	c.p, c.target = p, b
	one, err := p.Predictor(b.Target, b.Bound)
	if err != nil {
		return err
	}
	c.sites, c.width = one.Sites, one.Len()
	if c.width > mostEntries {
		return fmt.Errorf("the model predicts %d entries that cannot be taken by rows, more than "+
			"%d; `sgppl predict` writes them", c.width, mostEntries)
	}
	c.observe()
	return nil
}

// constants are values such as mean(x), of all data of the run.
func (c *checker) constants(p *driver.Posterior, b *session.Binding) error {
	known, all := p.Known(session.Recorded(c.r))
	if !all {
		var err error
		if known, err = p.Fit(c.b.Bound); err != nil {
			return err
		}
	}
	b.Constants = known
	return nil
}

// observe puts what was observed in the order of what is simulated.
func (c *checker) observe() {
	c.seen = make([]float64, c.width)
	for i := range c.seen {
		c.seen[i] = math.NaN()
	}
	for _, s := range c.sites {
		v := c.target.Bound.Values[s.Name]
		if v == nil || v.CSR != nil || v.Len() != s.Len {
			continue
		}
		for i, y := range v.Floats() {
			c.seen[s.Offset+i] = y + float64(s.From)
		}
	}
}

// simulate draws a data set for every draw that is taken.
func (c *checker) simulate(stop *session.Stopper) error {
	if c.most == 0 {
		c.most = limit(c.width)
	}
	draws, err := session.OpenDraws(c.dir, c.r, c.target.Target, session.Choice{Limit: c.most},
		"predicting")
	if err != nil {
		return err
	}
	draws.Stop = stop
	workers := make([]*driver.Predictor, session.ThreadsOf(c.o.Threads, draws.Total()))
	for i := range workers {
		if workers[i], err = c.p.Predictor(c.target.Target, c.target.Bound); err != nil {
			return err
		}
	}
	c.n, c.drawn = 0, make([]float64, 0, draws.Total()*c.width)
	return draws.ForEach(c.o.Threads, c.width,
		func(worker int, p session.Drawn, out []float64) error {
			return workers[worker].Draw(p.X, rng.New(c.o.Seed, p.Chain, rng.Predict),
				uint64(p.Draw), out)
		}, func(_ session.Drawn, out []float64) error {
			c.drawn, c.n = append(c.drawn, out...), c.n+1
			return nil
		})
}

// column are the simulated values of an entry, in the order of the draws.
func (c *checker) column(entry int, out []float64) []float64 {
	out = out[:0]
	for d := range c.n {
		out = append(out, c.drawn[d*c.width+entry])
	}
	return out
}

// discrete reports whether values of a kind are counted.
func discrete(k data.Kind) bool { return session.Whole(k) }

// loo is the cross-validation of a run.
type loo struct {
	looWhy  string // there is none
	l       *session.Loglik
	at      []int // the observations that are taken
	points  []diagnose.LOOPoint
	weights [][]float64 // of every one, its logarithms of weights by draw
	draws   int
	none    int // that have no part in the likelihood
}

// crossValidate evaluates the observations.
func (c *checker) crossValidate(stop *session.Stopper) error {
	if err := session.Likelihood(c.b.Compiled, "cross-validation"); err != nil {
		return err
	}
	of := *c.b
	l, err := session.NewLoglik(c.e, &of)
	if err != nil {
		return err
	}
	if c.at = c.keep; c.at == nil {
		for i := range l.N {
			c.at = append(c.at, i)
		}
	}
	if l.N < 2 {
		return fmt.Errorf("cross-validation wants at least 2 observations to leave out, and the "+
			"model has %d", l.N)
	}
	if len(c.at) > mostEntries {
		return fmt.Errorf("the model has %d observations that cannot be taken by rows, more than "+
			"%d; `sgppl loo` takes all", l.N, mostEntries)
	}
	c.most = limit(max(c.width, len(c.at)))
	draws, err := session.OpenDraws(c.dir, c.r, l.B.Target, session.Choice{Limit: c.most},
		"cross-validation")
	if err != nil {
		return err
	}
	draws.Stop, c.l = stop, l
	return c.evaluate(draws)
}

// evaluate smooths the weights of the observations.
func (c *checker) evaluate(draws *session.RunDraws) error {
	states, err := statesOf(draws)
	if err != nil {
		return err
	}
	n := len(c.at)
	values := make([]float64, n*len(states))
	workers := c.l.Evaluators(c.o.Threads, len(states))
	share(len(workers), len(states), draws.Stop, func(worker, s int) {
		workers[worker].EvalAt(states[s].X, c.at, values[s*n:(s+1)*n])
	})
	points, weights := make([]diagnose.LOOPoint, n), make([][]float64, n)
	spaces := make([]space, session.ThreadsOf(c.o.Threads, n))
	for i := range spaces {
		spaces[i] = newSpace(draws)
	}
	share(len(spaces), n, draws.Stop, func(worker, i int) {
		points[i] = spaces[worker].loo(values, n, i)
		weights[i] = slices.Clone(spaces[worker].work.LogWeights())
	})
	if err := draws.Stop.Err(); err != nil {
		return err
	}
	if err := finite(c.l, points, c.at); err != nil {
		return err
	}
	at := c.at
	c.at, c.draws = nil, len(states)
	for i, p := range points {
		if p.LPD == 0 && p.PWAIC == 0 { // no statement observes the row
			c.none++
			continue
		}
		c.at, c.points, c.weights = append(c.at, at[i]), append(c.points, p),
			append(c.weights, weights[i])
	}
	if len(c.points) < 2 {
		return fmt.Errorf("cross-validation wants at least 2 observations to leave out, and the "+
			"model has %d", len(c.points))
	}
	return nil
}
