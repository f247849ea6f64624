package main

import (
	"errors"
	"os"
	"strings"

	"github.com/sgppl/sgppl/internal/checks"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/internal/show"
	"github.com/sgppl/sgppl/runtime/base/printable"
	"github.com/sgppl/sgppl/runtime/results/run"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

type reportCmd struct {
	Dir      string   `arg:"" name:"run" help:"A run directory."`
	Out      string   `default:"report.html" placeholder:"FILE" help:"The page (default ${default}); - for standard output."`
	Pairs    []string `sep:"none" placeholder:"A,B" help:"Draw number A against number B, as mu,tau or mu,theta[2]; without, the pairs that divergent draws or correlation point to. May be repeated."`
	Data     []string `sep:"none" placeholder:"SPEC" help:"The data of the run, where they are not any more what it read. May be repeated."`
	Seed     uint64   `default:"1" help:"Seed of the data sets that are simulated for checks (default ${default})."`
	Threads  int      `help:"Workers; 0 is as many as there are processors."`
	NoChecks bool     `help:"Leave out what needs the data: predictive checks, cross-validation, priors."`
	Force    bool     `help:"Replace a file that is there."`
	Vars     []string `sep:"none" placeholder:"GLOB" help:"Only what is called so, as for summary. May be repeated."`
	Names    []string `sep:"none" placeholder:"DIM=FILE" help:"Names of the entries of a dim, as for summary. May be repeated."`
	Words    int      `default:"${words}" help:"How many of the largest entries of a topic are shown (default ${default})."`
}

func (c *reportCmd) Help() string {
	return `One page of HTML that needs nothing beside it, and zooms: the verdict, the summary of the draws with their diagnostics,
topics, directions and scores where there are some, the health of the dynamics, pictures of the draws (intervals, pairs with
divergent draws, energies, traces, histograms, ranks, autocorrelations, growth of effective sizes), of those that agree least
where they are many; simulated data beside those observed, cross-validation with Pareto k and LOO-PIT, priors beside posteriors,
where the data of the run are at hand; then what ran on which data with which settings, and the model. docs/report.md says what is right in each.

Of a run of optimize the page has its points, and with --trace its learning curves.

  sgppl report runs/logistic-1 --out logistic.html
  sgppl report runs/eight_schools-1 --pairs mu,tau`
}

// Run writes the page.
func (c *reportCmd) Run(e *session.Session) error {
	if c.Words < 1 {
		return session.Usagef("--words %d: at least 1", c.Words)
	}
	r, err := run.Read(c.Dir)
	if err != nil {
		return session.OwnStatus(err)
	}
	if _, err := os.Lstat(c.Out); err == nil && !c.Force && c.Out != "-" {
		return session.Usagef("%s exists; --force replaces it", c.Out)
	}
	see := show.View{Globs: c.Vars, Limit: show.ReportRows, Names: c.Names, Words: c.Words,
		Lets: true}
	if r.Optimize != nil {
		return c.optimum(e, r, see)
	}
	s, err := show.ReadSummary(e, c.Dir, see)
	if err != nil {
		return err
	}
	if len(s.Vars) == 0 && len(s.Topics) == 0 && len(c.Vars) > 0 {
		return session.Usagef("--vars %s: nothing in %s is called so",
			strings.Join(c.Vars, " --vars "), c.Dir)
	}
	if s.Empty() {
		return session.NoDraws(c.Dir)
	}
	if r.Status != run.Done {
		e.Note("the run is not complete (%s): %s", r.Status, s.Chosen)
	}
	s.Warn(e)
	model, err := run.ReadModel(c.Dir, r)
	if err != nil {
		return session.OwnStatus(err)
	}
	store, err := run.OpenDraws(c.Dir, r)
	if err == nil {
		_, err = run.Choose(store, r, run.SummarisedAsDrawn(store))
	}
	if err != nil {
		return session.OwnStatus(err)
	}
	page := &show.Report{Dir: c.Dir, Record: r, Summary: s, Store: store, Model: model}
	if page.Pairs, err = show.ReadPairs(c.Pairs); err != nil {
		return err
	}
	if !c.NoChecks {
		o := checks.Options{Data: c.Data, Seed: c.Seed, Threads: c.Threads}
		if err := checks.Add(e, c.Dir, o, page); err != nil {
			return err
		}
	}
	p := &show.Page{}
	if err := p.Run(page); err != nil {
		var own *session.ExitError
		if errors.As(err, &own) {
			return err
		}
		return session.Failf(session.ExitFiles, "%v", err)
	}
	return c.write(e, p, r)
}

// optimum writes the page of a run of optimize.
func (c *reportCmd) optimum(e *session.Session, r *run.Record, see show.View) error {
	if len(c.Pairs) > 0 {
		return session.Usagef("--pairs: %s is a run of optimize: it has points and no draws", c.Dir)
	}
	model, err := run.ReadModel(c.Dir, r)
	if err != nil {
		return session.OwnStatus(err)
	}
	p := &show.Page{}
	if err := p.Found(e, c.Dir, r, see, model); err != nil {
		return err
	}
	return c.write(e, p, r)
}

// write writes the page to its file, or prints it.
func (c *reportCmd) write(e *session.Session, p *show.Page, r *run.Record) error {
	if c.Out == "-" {
		return e.Print("%s", p.Document(r.Model))
	}
	if err := trace.WriteFileAtomic(c.Out, p.Document(r.Model)); err != nil {
		return session.Failf(session.ExitFiles, "%v", err)
	}
	return e.Print("%s\n", printable.Line(c.Out))
}
