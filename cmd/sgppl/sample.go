package main

import (
	"github.com/sgppl/sgppl/internal/commandline"
	"github.com/sgppl/sgppl/internal/sampling"
	"github.com/sgppl/sgppl/internal/session"
)

// sampleCmd is `sgppl sample`.
type sampleCmd struct{ sampling.Sample }

func (c *sampleCmd) Help() string {
	return `Draws from the posterior into a run directory and prints a summary.

  sgppl sample logistic.sg --data x=a9a.gz:features --data y=a9a.gz:label --sampler msgnht --step 0.0003 --friction 50 --batch 100
  sgppl sample eight_schools.sg --data schools.json
  sgppl sample embedding_mixture.sg --data x=embeddings.npy --batch 1000 --init kmeans:mu=x,kappa=100
  sgppl sample topics.sg --data w=docs.ldac --batch D=50 --sampler msgnht --step 0.0001 --sampler phi=sgrld --step phi=0.01
  sgppl sample --resume runs/logistic-1
  sgppl sample --resume runs/logistic-1 --more-draws 4000`
}

// Run makes a run.
func (c *sampleCmd) Run(e *session.Session, ctx *commandline.Context) error {
	return c.Sample.Run(e, ctx)
}
