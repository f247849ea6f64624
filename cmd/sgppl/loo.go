package main

import (
	"github.com/sgppl/sgppl/internal/checks"
	"github.com/sgppl/sgppl/internal/session"
)

// looCmd has the fields of checks.LeaveOneOut, as flags.
type looCmd struct {
	Dirs      []string `arg:"" name:"run" help:"Run directories; of several the difference to the best is given, and their weights."`
	Data      []string `sep:"none" placeholder:"SPEC" help:"The data of the run, where they are not any more what it read. May be repeated."`
	Axis      string   `placeholder:"N" help:"Leave out rows of this axis, of a model with several."`
	Pointwise string   `placeholder:"FILE" help:"Also write every observation, as FILE.csv."`
	Save      bool     `help:"Also store the log likelihoods in the run, as the groups log_likelihood and observed_data of ArviZ."`
	Draws     int      `placeholder:"K" help:"Use at most K draws, as many of every chain, evenly spread (default: all)."`
	Threads   int      `help:"Workers; 0 is as many as there are processors."`
	Seed      uint64   `default:"1" help:"Of the replications of pseudo-BMA+ (default ${default})."`
	Force     bool     `help:"Replace the FILE of --pointwise."`
	JSON      bool     `name:"json" help:"Print one JSON object."`
}

func (c *looCmd) Help() string {
	return `Leave-one-out cross-validation of a run from its own draws: Pareto smoothed importance sampling (PSIS-LOO; Vehtari et al.
2017, 2024) and WAIC. An observation is a row of the axis that can be minibatched; of a model without one an entry of what
is observed. Where the Pareto k of an observation is above its threshold the draws say too little of leaving it out. The
expected log predictive density elpd_loo is a sum over observations; larger is better. Several runs have weights for their
mixture: by stacking, the mixture that predicts best, and by pseudo-BMA+.

  sgppl loo runs/logistic-1
  sgppl loo runs/linear-1 runs/robust-1 --json`
}

// Run cross-validates.
func (c *looCmd) Run(e *session.Session) error {
	o := checks.LeaveOneOut(*c)
	return o.Run(e)
}
