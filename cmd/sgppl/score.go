package main

import (
	"encoding/json"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/internal/predict"
	"github.com/sgppl/sgppl/internal/sampling"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/internal/show"
	"github.com/sgppl/sgppl/runtime/results/run"
)

type scoreCmd struct {
	Dir     string   `arg:"" name:"run" help:"A run directory."`
	Data    []string `sep:"none" placeholder:"SPEC" help:"The rows to score, as for sample. May be repeated."`
	Set     []string `sep:"none" placeholder:"NAME=VALUE" help:"A dim or scalar input of these rows. Consts are the run's."`
	NA      string   `name:"na" placeholder:"drop[=NAME,...]" help:"Leave out rows with missing entries, as for sample."`
	Draws   int      `placeholder:"N" help:"Use at most N draws, evenly spread (default: all)."`
	Threads int      `help:"Draws at once; 0 is as many as there are processors."`
	JSON    bool     `name:"json" help:"Print one JSON object."`

	Observed     []string `sep:"none" placeholder:"SPEC" help:"Entries of the rows of --data that are known: the latent values of rows are fitted to them, and the entries of --data are scored given them (document completion). May be repeated." group:"Latent values of rows"`
	LocalSamples int      `default:"200" placeholder:"M" help:"Draws from the prior of latent values that the probability of a row is averaged over, without --observed (default ${default})." group:"Latent values of rows"`
	Seed         uint64   `default:"1" placeholder:"S" help:"Of the chains of latent values (default ${default})." group:"Latent values of rows"`
	sampling.Locals

	NewLevels bool `help:"Words that are no levels of the run are new levels: their unknowns are drawn from their prior."`

	Point     string `placeholder:"POINT" help:"Of a run of optimize: best (the default), last, average or iterates."`
	AllChains bool   `help:"Of a run of optimize: average the predictions of the points of all chains, not only of the best one."`
}

func (c *scoreCmd) Help() string {
	return `The log predictive density of held-out rows, log of the mean over draws of the likelihood, averaged over the rows;
beside it what applies of: the same over the sum of the lengths of ragged rows (the frames of pieces of music), accuracy, calibration error and perplexity
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
func (c *scoreCmd) Run(e *session.Session) error {
	if c.Draws < 0 {
		return session.Usagef("--draws %d: at least 1", c.Draws)
	}
	if err := c.Locals.Check(); err != nil {
		return err
	}
	r, src, err := session.OpenRun(c.Dir)
	if err != nil {
		return err
	}
	b := &session.Binding{
		Src:   src,
		Given: session.Given{Data: c.Data, Set: c.Set, Axis: r.RowDim, Levels: r.Levels, NA: c.NA},
		How:   session.How{Sampled: r.Sampled},
	}
	if len(c.Observed) > 0 {
		return c.complete(e, r, b)
	}
	if err := c.compile(e, b, r); err != nil {
		return err
	}
	if b.Compiled.Spec.Chain != nil {
		if c.LocalSamples < 1 {
			return session.Usagef("--local-samples %d: at least 1", c.LocalSamples)
		}
		return c.complete(e, r, b)
	}
	if b.Compiled.Spec.RowDim == "" {
		return session.Usagef("the rows of %s cannot be scored one by one: %s", r.Model,
			session.Coupled(b.Compiled.Check))
	}
	b.Fixed, b.Constants = session.SharedDims(b.Compiled, r.Dims), map[string][]float64{}
	for _, name := range b.Compiled.Fitted {
		if x, ok := r.Values()[name]; ok {
			b.Constants[name] = x
		}
	}
	if err := b.RunLabels(c.Dir, r); err != nil {
		return err
	}
	b.NewLevels = c.NewLevels
	if err := b.Bind(e); err != nil {
		return err
	}
	if b.Target.Rows() == 0 {
		return session.Failf(session.ExitData, "there are no rows to score: %s is 0",
			b.Target.RowAxis())
	}
	choice := session.Choice{Limit: c.Draws, Point: c.Point, AllChains: c.AllChains, Seed: c.Seed}
	if choice.New, err = session.NewLevels(e, b, r); err != nil {
		return err
	}
	e.NoteExactness(r)
	draws, err := session.OpenDraws(c.Dir, r, b.Target, choice, "scoring")
	if err != nil {
		return err
	}
	draws.Note(e, r)
	s, err := predict.Score(b, draws, c.Threads)
	if err != nil {
		return err
	}
	if c.JSON {
		err = json.NewEncoder(e.Stdout).Encode(s)
	} else {
		err = show.PrintScore(e, s)
	}
	if err != nil {
		return session.Failf(session.ExitFiles, "cannot write: %v", err)
	}
	return nil
}

// compile compiles the run's model with the run's consts.
func (c *scoreCmd) compile(e *session.Session, b *session.Binding, r *run.Record) error {
	var err error
	b.Compiled, err = e.Compile(b.Src,
		driver.Options{Set: session.Numbers(r.Set), RowDim: r.RowDim, Sampled: r.Sampled,
			Exact: true})
	if err != nil {
		return err
	}
	if err := session.InPrecision(b.Compiled, r.Precision); err != nil {
		return err
	}
	return session.ConstsStay(b.Compiled.Check, c.Set)
}
