package main

import (
	"github.com/sgppl/sgppl/internal/commandline"
	"github.com/sgppl/sgppl/internal/sampling"
	"github.com/sgppl/sgppl/internal/session"
)

// approximateCmd is `sgppl approximate`.
type approximateCmd struct{ sampling.Approximate }

func (c *approximateCmd) Help() string {
	return `Draws from a distribution near to the posterior, and holds them against the density: the Pareto k of the importance ratios says
whether they can stand for the posterior, and their weights move them to it. The run directory is like that of sample, and
summary begins with how exact the draws are. Above k = 0.7 there are no draws: exit status 4. sgppl doc approximate lists the
methods, sgppl doc laplace has one:

  laplace     a normal law at each maximum that climbs find, by its curvature
  pathfinder  the best normal law along each of several climbs; the quickest
  advi        the normal law with the greatest ELBO, on minibatches too
  smc         particles through temperatures, with the log evidence; finds modes

  sgppl approximate logistic.sg --data logistic.json
  sgppl approximate logistic.sg --data logistic.json --method laplace
  sgppl approximate logistic.sg --data logistic.json --method advi --covariance dense --batch 100
  sgppl approximate two_normals.sg --data two_normals.json --method smc
  sgppl sample eight_schools.sg --data schools.json --init pathfinder`
}

// Run makes a run.
func (c *approximateCmd) Run(e *session.Session, ctx *commandline.Context) error {
	return c.Approximate.Run(e, ctx)
}
