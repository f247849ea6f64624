package main

import (
	"github.com/sgppl/sgppl/internal/carry"
	"github.com/sgppl/sgppl/internal/session"
)

// priorCmd has the fields of carry.Options, as flags.
type priorCmd struct {
	Dir    string `arg:"" name:"run" help:"A run directory."`
	Out    string `required:"" placeholder:"FILE.sg" help:"The model that is written. Numbers that it reads as data go to FILE.json beside it."`
	Prefix string `default:"prior_" help:"What the names of these data begin with (default ${default})."`
	Force  bool   `help:"Replace the files."`
}

func (c *priorCmd) Help() string {
	return `Writes the model of a run with its posterior as priors, for data that come later: a normal distribution is fitted to the
draws of the params, of the logarithms of positive ones, and written as priors in the language, each given those declared
before it. What the draws are beyond that, skewed or with several modes, is lost.

Priors that depend on other params, as those of groups, stay. Params of other types keep their priors, and notes name them.

  sgppl prior runs/linear-1 --out next.sg
  sgppl sample next.sg --data next.json --data tuesday.csv`
}

// Run writes the model.
func (c *priorCmd) Run(e *session.Session) error {
	o := carry.Options(*c)
	return o.Run(e)
}
