package main

import (
	"github.com/sgppl/sgppl/internal/derived"
	"github.com/sgppl/sgppl/internal/session"
)

// generateCmd has the fields of derived.Generation, as flags.
type generateCmd struct {
	Dir     string   `arg:"" name:"run" help:"A run directory."`
	Data    []string `sep:"none" placeholder:"SPEC" help:"Other data than those of the run, with --out. May be repeated."`
	Set     []string `sep:"none" placeholder:"NAME=VALUE" help:"A dim or scalar input of these data. Consts are the run's."`
	Out     string   `placeholder:"FILE" help:"Write the values as FILE.json, FILE.csv or FILE.zarr instead of storing them in the run."`
	Draws   int      `placeholder:"K" help:"Use at most K draws, as many of every chain, evenly spread (default: all)."`
	Seed    uint64   `default:"1" help:"Seed of what is drawn at random (default ${default})."`
	Threads int      `help:"Draws at once; 0 is as many as there are processors."`
	Force   bool     `help:"Replace the FILE of --out, or what the run holds already."`
}

func (c *generateCmd) Help() string {
	return `The values of the lines generate NAME = EXPRESSION of the model, once for each draw of the run. They may draw at random by
LAW.sample(arguments); what is drawn depends on the seed, the chain, the draw and the line alone. The values are stored in the run:
summary shows them, export writes them with the params. Generated quantities of programs of Stan become such lines.

  sgppl generate runs/eight_schools-1
  sgppl summary runs/eight_schools-1 --vars 'y_rep*'
  sgppl generate runs/eight_schools-1 --draws 100 --out y_rep.json`
}

// Run computes the values.
func (c *generateCmd) Run(e *session.Session) error {
	o := derived.Generation(*c)
	return o.Run(e)
}
