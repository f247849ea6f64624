package main

import (
	"github.com/sgppl/sgppl/internal/derived"
	"github.com/sgppl/sgppl/internal/session"
)

// sensitivityCmd has the fields of derived.Sensitivity, as flags.
type sensitivityCmd struct {
	Dir     string   `arg:"" name:"run" help:"A run directory."`
	Prior   []string `sep:"none" placeholder:"GLOB" help:"Scale the priors of these params (default: of all params whose priors depend on no other unknown). May be repeated."`
	Vars    []string `sep:"none" placeholder:"GLOB" help:"Only what is called so: w, w[0], sigma*. May be repeated."`
	Draws   int      `placeholder:"K" help:"Use at most K draws, as many of every chain, evenly spread (default: all)."`
	Threads int      `help:"Draws at once; 0 is as many as there are processors."`
	JSON    bool     `name:"json" help:"Print one JSON object."`
}

func (c *sensitivityCmd) Help() string {
	return `How much a posterior depends on its priors and on its likelihood: each is raised to powers from 0.8 to 1.25, by importance
weights of the draws with Pareto smoothing (Kallioinen et al. 2024). No model is fitted again. A sensitivity is by how much the
distribution of a number moves, as the cumulative Jensen-Shannon distance, for each doubling of the power, near 1. Above 0.05 a number depends on
that part: on both is a conflict between prior and data, on the prior alone says that the likelihood is weak.

The priors that are scaled are those that depend on no other unknown: of a hierarchical model those of the top. The prior of a
factor in units of its scale (z ~ normal(0, 1), with b = mu + tau * z) is better left out: --prior names those to be scaled.

  sgppl sensitivity runs/eight_schools-1 --prior mu --prior tau`
}

// Run weighs the draws.
func (c *sensitivityCmd) Run(e *session.Session) error {
	o := derived.Sensitivity(*c)
	return o.Run(e)
}
