package main

import (
	"github.com/sgppl/sgppl/internal/checks"
	"github.com/sgppl/sgppl/internal/session"
)

// cvCmd has the fields of checks.Folds, as flags.
type cvCmd struct {
	Dir       string   `arg:"" name:"run" help:"A run directory: its model, data and settings are those of every fold."`
	Data      []string `sep:"none" placeholder:"SPEC" help:"The data of the run, where they are not any more what it read. May be repeated."`
	Folds     int      `placeholder:"K" help:"Fold the rows K times (default 10, or with --by a fold for each group)."`
	By        string   `placeholder:"INPUT" help:"Leave out whole groups: rows with the same value of this input."`
	Seed      uint64   `default:"1" help:"Of the folds and of their chains (default ${default})."`
	Out       string   `placeholder:"DIR" help:"Where the runs of the folds are (default RUN-cv). Folds that are there already are not run again."`
	Pointwise string   `placeholder:"FILE" help:"Also write every observation, as FILE.csv."`
	Engine    string   `default:"auto" enum:"auto,native,vm" help:"auto, native or vm."`
	Threads   int      `help:"Chains at once, of one fold or of several; 0 is as many as there are processors."`
	Force     bool     `help:"Replace the FILE of --pointwise."`
	JSON      bool     `name:"json" help:"Print one JSON object."`
}

func (c *cvCmd) Help() string {
	return `K-fold cross-validation: the model of a run is fitted K times, each time without a part of the rows, and predicts those. It is
slower than sgppl loo, needs no Pareto k, and with --by leaves out whole groups: how well are new groups predicted? elpd_kfold
is the sum over rows of the log of the mean likelihood over the draws of the fold that has not seen them.

Every fold is a run, in DIR/fold-K. The same command goes on where it was interrupted.

  sgppl cv runs/linear-1
  sgppl cv runs/schools-1 --by school --folds 5 --json`
}

// Run cross-validates.
func (c *cvCmd) Run(e *session.Session) error {
	o := checks.Folds(*c)
	return o.Run(e)
}
