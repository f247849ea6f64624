package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/runtime/math/size"
	"github.com/sgppl/sgppl/runtime/results/run"
)

type scoreCmd struct {
	Dir     string   `arg:"" name:"run" help:"A run directory."`
	Data    []string `sep:"none" placeholder:"SPEC" help:"The rows to score, as for sample. May be repeated."`
	Set     []string `sep:"none" placeholder:"NAME=VALUE" help:"A dim or scalar input of these rows. Consts are the run's."`
	Draws   int      `placeholder:"N" help:"Use at most N draws, evenly spread (default: all)."`
	Threads int      `help:"Draws at once; 0 is as many as there are processors."`
	JSON    bool     `name:"json" help:"Print one JSON object."`

	Observed     []string `sep:"none" placeholder:"SPEC" help:"Entries of the rows of --data that are known: the latent values of rows are fitted to them, and the entries of --data are scored given them (document completion). May be repeated." group:"Latent values of rows"`
	LocalSamples int      `default:"200" placeholder:"M" help:"Draws from the prior of latent values that the probability of a row is averaged over, without --observed (default ${default})." group:"Latent values of rows"`
	Seed         uint64   `default:"1" placeholder:"S" help:"Of the chains of latent values (default ${default})." group:"Latent values of rows"`
	locals

	Point     string `placeholder:"POINT" help:"Of a run of optimize: best (the default), last, average or iterates."`
	AllChains bool   `help:"Of a run of optimize: average the predictions of the points of all chains, not only of the best one."`
}

func (c *scoreCmd) Help() string {
	return `The log predictive density of held-out rows, log of the mean over draws of the likelihood, averaged over the rows;
beside it what applies of: the same over the sum of the lengths of ragged rows (the frames of pieces of music), accuracy and perplexity
of classes, the root mean squared error of numbers. Sizes of the
parameters and values such as mean(x) are those of the fitted run.

  sgppl score runs/logistic-1 --data x=a9a.t.gz:features --data y=a9a.t.gz:label

Where rows have latent values of their own, such as the topics of a document, --observed gives one part of the words and --data another:
the latent values are drawn given the first, and the second are scored, word by word.

  sgppl score runs/lda-1 --observed w=corpus.ldac:rows=4%5:words=0%2 --data w=corpus.ldac:rows=4%5:words=1%2

Without --observed such rows are scored whole: their probability is averaged over --local-samples draws from the prior of the latent values
(importance sampling from the prior of the locals), and over the draws of the run.`
}

// Run scores rows under a run's draws.
func (c *scoreCmd) Run(e *env) error {
	if c.Draws < 0 {
		return usage("--draws %d: at least 1", c.Draws)
	}
	if err := c.locals.check(); err != nil {
		return err
	}
	r, src, err := openRun(c.Dir)
	if err != nil {
		return err
	}
	b := &binding{data: c.Data, set: c.Set, axis: r.RowDim, sampled: r.Sampled, src: src}
	if len(c.Observed) > 0 {
		return c.complete(e, r, b)
	}
	if err := c.compile(e, b, r); err != nil {
		return err
	}
	if b.compiled.Spec.Chain != nil {
		if c.LocalSamples < 1 {
			return usage("--local-samples %d: at least 1", c.LocalSamples)
		}
		return c.complete(e, r, b)
	}
	if b.compiled.Spec.RowDim == "" {
		return usage("the rows of %s cannot be scored one by one: %s", r.Model, coupled(b.compiled.Check))
	}
	b.fixed, b.constants = sharedDims(b.compiled, r.Dims), map[string][]float64{}
	for _, name := range b.compiled.Fitted {
		if x, ok := r.Values()[name]; ok {
			b.constants[name] = x
		}
	}
	if err := b.bind(e); err != nil {
		return err
	}
	if b.target.Rows() == 0 {
		return fail(exitData, "there are no rows to score: %s is 0", b.target.RowAxis())
	}
	draws, err := openDraws(c.Dir, r, b.target, choice{c.Draws, c.Point, c.AllChains}, "scoring")
	if err != nil {
		return err
	}
	draws.note(e, r)
	s, err := scoreRows(b, draws, c.Threads)
	if err != nil {
		return err
	}
	if c.JSON {
		err = json.NewEncoder(e.stdout).Encode(s)
	} else {
		err = printScore(e, s)
	}
	if err != nil {
		return fail(exitFiles, "cannot write: %v", err)
	}
	return nil
}

// compile compiles the run's model with the run's consts.
func (c *scoreCmd) compile(e *env, b *binding, r *run.Record) error {
	var err error
	b.compiled, err = e.compile(b.src, driver.Options{Set: numbers(r.Set), RowDim: r.RowDim, Sampled: r.Sampled, Exact: true})
	if err != nil {
		return err
	}
	if err := inPrecision(b.compiled, r.Precision); err != nil {
		return err
	}
	return constsStay(b.compiled.Check, c.Set)
}

// coupled says why no axis can be taken by rows.
func coupled(m *check.Model) string {
	if len(m.Unbatchable) == 0 {
		return "its likelihood is no sum over an axis of the data"
	}
	var out []string
	for _, u := range m.Unbatchable {
		out = append(out, u.Axis+": "+u.Reason)
	}
	return strings.Join(out, "; ")
}

// sharedDims are the sizes that parameters and tracked values have: those of
// the run, whatever the data to score would say.
func sharedDims(c *driver.Compiled, dims map[string]int) map[string]int {
	out := map[string]int{}
	add := func(shape []size.Poly) {
		for _, p := range shape {
			for _, d := range p.Dims() {
				if n, ok := dims[d]; ok && d != c.Spec.RowDim {
					out[d] = n
				}
			}
		}
	}
	for _, p := range c.Spec.Params {
		add(p.Shape)
		add(p.State)
	}
	return out
}

func printScore(e *env, s *run.Score) error { return scoreTable(s, "score").write(e.stdout) }

// scoreTable lists what applies of a score.
func scoreTable(s *run.Score, head string) *table {
	t := &table{head: []string{head, "value"}}
	t.add("rows", fmt.Sprint(s.Rows))
	t.add("draws", fmt.Sprint(s.Draws))
	t.add("lpd_mean", format("%.6g", s.LPDMean))
	for _, dim := range slices.Sorted(maps.Keys(s.Per)) {
		t.add("lpd_mean per "+dim, format("%.6g", s.Per[dim].LPDMean))
	}
	for _, x := range []struct {
		name  string
		value *run.Float
	}{{"accuracy", s.Accuracy}, {"rmse", s.RMSE}, {"perplexity", s.Perplexity}} {
		if x.value != nil {
			t.add(x.name, format("%.6g", *x.value))
		}
	}
	var names []string
	for name := range s.Sites {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if v := s.Sites[name].Accuracy; v != nil {
			t.add(name+" accuracy", format("%.6g", *v))
		}
		if v := s.Sites[name].RMSE; v != nil {
			t.add(name+" rmse", format("%.6g", *v))
		}
	}
	return t
}
