package main

import (
	"github.com/sgppl/sgppl/internal/derived"
	"github.com/sgppl/sgppl/internal/session"
)

// deriveCmd has the fields of derived.Expressions, as flags.
type deriveCmd struct {
	Dir         string   `arg:"" name:"run" help:"A run directory."`
	Expressions []string `arg:"" name:"expression" help:"NAME = EXPRESSION, or an expression without a name, over what the model declares."`
	Data        []string `sep:"none" placeholder:"SPEC" help:"Rows at which expressions are evaluated that read data; the run's own without. May be repeated."`
	Set         []string `sep:"none" placeholder:"NAME=VALUE" help:"A dim or scalar input of these rows. Consts are the run's."`
	Out         string   `placeholder:"FILE" help:"Also write the draws, as FILE.json, FILE.csv or FILE.zarr."`
	Save        bool     `help:"Also store the draws in the run, as the group derived of its store."`
	Draws       int      `placeholder:"K" help:"Use at most K draws, as many of every chain, evenly spread (default: all)."`
	Threads     int      `help:"Draws at once; 0 is as many as there are processors."`
	Force       bool     `help:"Replace the FILE of --out, or what --save stored before."`
	JSON        bool     `name:"json" help:"Print one JSON object."`
}

func (c *deriveCmd) Help() string {
	return `Quantities of stored draws: contrasts, odds, means of groups, predictions at values. An expression is written in the
language of the model, over its params, lets, dims and data; arrays have a summary for every entry. Draws that
--keep left out are not there to be read.

  sgppl derive runs/logistic-1 'exp(beta[1]) - exp(beta[0])'
  sgppl derive runs/linear-1 'slope = b' 'at_two = a + 2 * b' --out slopes.csv
  sgppl derive runs/linear-1 'mu = a + b * x' --data grid.csv --json`
}

// Run evaluates the expressions.
func (c *deriveCmd) Run(e *session.Session) error {
	o := derived.Expressions(*c)
	return o.Run(e)
}
