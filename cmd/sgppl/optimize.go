package main

import (
	"github.com/sgppl/sgppl/internal/commandline"
	"github.com/sgppl/sgppl/internal/sampling"
	"github.com/sgppl/sgppl/internal/session"
)

// optimizeCmd is `sgppl optimize`.
type optimizeCmd struct{ sampling.Optimize }

func (c *optimizeCmd) Help() string {
	return `Finds a point where the posterior density, in the model's own coordinates, or the score of held-out rows is high. The run
directory is like that of sample: draws.zarr has one draw a chain, the best point, so that summary, score, predict and export
work; points.zarr has the last iterate and the average, for score --point last and --point average. sgppl doc algorithms lists the algorithms, sgppl doc santa has one with its settings:

  santa                  anneals a sampler, T = 1/(A t^G) in --burnin steps, and refines what it found at T = 0
  adam rmsprop sgdm sgd  what it is measured against

  sgppl optimize net.sg --data train.npz --batch 100 --algorithm adam --step 0.001 --steps 60000 --validate test.npz
  sgppl optimize net.sg --data train.npz --batch 100 --step 0.000004 --friction 100 --steps 60000 --burnin 30000 --anneal-gamma 0.7
  sgppl optimize --resume runs/net-1`
}

// Run makes a run.
func (c *optimizeCmd) Run(e *session.Session, ctx *commandline.Context) error {
	return c.Optimize.Run(e, ctx)
}
