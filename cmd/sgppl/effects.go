package main

import (
	"github.com/sgppl/sgppl/internal/derived"
	"github.com/sgppl/sgppl/internal/session"
)

// effectsCmd has the fields of derived.Effects, as flags.
type effectsCmd struct {
	Dir     string   `arg:"" name:"run" help:"A run directory."`
	Inputs  []string `arg:"" optional:"" name:"input" help:"Inputs whose effects are computed (default: all with a number for each row)."`
	At      []string `sep:"none" placeholder:"INPUT=V,V" help:"The mean of the expected response over the rows, all of which have this value. May be repeated."`
	Of      string   `placeholder:"NAME" help:"The response, where the model observes several names."`
	Draws   int      `placeholder:"K" help:"Use at most K draws, as many of every chain, evenly spread (default: all)."`
	Threads int      `help:"Draws at once; 0 is as many as there are processors."`
	JSON    bool     `name:"json" help:"Print one JSON object."`
}

func (c *effectsCmd) Help() string {
	return `Average marginal effects, on the scale of the response: by how much its expected value changes with an input, averaged over
the rows of the run, with the uncertainty of the draws. Of a real input that is the derivative, of a count the change from one
more, of a bool that from 0 to 1, of an index that from its first level to each other. Everything else of a row stays as it is, its group too.

  sgppl effects runs/model-1
  sgppl effects runs/model-1 age --at age=20,40,60`
}

// Run computes the effects.
func (c *effectsCmd) Run(e *session.Session) error {
	o := derived.Effects(*c)
	return o.Run(e)
}
