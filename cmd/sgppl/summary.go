package main

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"github.com/sgppl/sgppl/internal/commandline"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/internal/show"
	"github.com/sgppl/sgppl/runtime/results/run"
)

type summaryCmd struct {
	Dir  string   `arg:"" name:"run" help:"A run directory."`
	JSON bool     `name:"json" help:"Print one JSON object."`
	Vars []string `sep:"none" placeholder:"GLOB" help:"Only what is called so: w, w[0], sigma*. May be repeated."`

	Names []string `sep:"none" placeholder:"DIM=FILE" help:"Names of the entries of a dim, as for sample, which are shown instead of the run's own. May be repeated."`
	Words int      `default:"${words}" help:"How many of the largest entries of a topic are shown (default ${default})."`
	Chain *int     `placeholder:"K" help:"The chain whose topics are shown (default: the first, or the one with the best point); chains number topics in orders of their own."`
}

func summaryVars() commandline.Vars {
	return commandline.Vars{"words": fmt.Sprint(show.ShownWords)}
}

func (c *summaryCmd) Help() string {
	return `Means, standard deviations, quantiles, Monte Carlo errors, effective sample sizes and R-hat of the draws
(Vehtari et al. 2021), of a run that is not complete those of the chains that give most draws together, as many of each; of a run that kept moments instead of draws what was computed as they came, with its name; of points on spheres the mean direction and the mean resultant length, which is 1 for draws
that all agree and 0 for draws without direction; and the health of the run: by block statistics of the dynamics whose values theory knows, and the worst R-hat and the least effective
sample sizes, which are not sure above 1.01 and below 100 a chain; an R-hat above 1.05 is off.
Of a run of optimize: its best, last and averaged points, and how good they are.

Where the entries of a dim have names, as of a vocabulary, by --names here or when the run was made, elements are shown with
theirs, and arrays that are long along such a dim as topics: the largest entries of every row, by the mean over the draws of
one chain. A let of the model has topics too; it is computed once more, which needs the data of the run.

  sgppl summary runs/logistic-1 --vars 'w[1?]' --vars b
  sgppl summary runs/lda-1 --names V=vocab.txt --words 20`
}

// Run prints the summary of a run.
func (c *summaryCmd) Run(e *session.Session) error {
	v := show.View{Globs: c.Vars, Limit: math.MaxInt, Names: c.Names, Words: c.Words,
		Chain: c.Chain, Lets: true, Json: c.JSON}
	if c.Words < 1 {
		return session.Usagef("--words %d: at least 1", c.Words)
	}
	if r, err := run.Read(c.Dir); err == nil && r.Optimize != nil && !c.JSON {
		if r.Status != run.Done {
			e.Note("the run is not complete (%s): these are its points so far", r.Status)
		}
		return show.Found(e, c.Dir, r, v)
	}
	s, err := show.ReadSummary(e, c.Dir, v)
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
	if s.Status != run.Done {
		e.Note("the run is not complete (%s): %s", s.Status, s.Chosen)
	}
	if s.Owes {
		e.Note("the log likelihoods that --log-lik asked for are not stored yet: sgppl sample "+
			"--resume %s does that", c.Dir)
	}
	s.Warn(e)
	if c.JSON {
		out := json.NewEncoder(e.Stdout)
		out.SetEscapeHTML(false)
		err = out.Encode(s)
	} else {
		err = s.Print(e.Stdout)
	}
	if err != nil {
		return session.Failf(session.ExitFiles, "cannot write: %v", err)
	}
	return nil
}
