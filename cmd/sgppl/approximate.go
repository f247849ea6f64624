package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"sync"

	"github.com/alecthomas/kong"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/infer/approximate"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// approximateCmd has the flags of `sgppl approximate`. Those of the methods are
// approximate.Config, those of every run are as of sample.
type approximateCmd struct {
	modelFlags
	methodFlags
	approximateRunFlags
	approximateOutputFlags
	liveFlags
}

// approximateVars are the variables of approximateCmd's tags.
func approximateVars() kong.Vars {
	c := approximate.DefaultConfig()
	return kong.Vars{"methods": strings.Join(approximate.Names(), ", "), "method": c.Method,
		"covariances": strings.Join(approximate.Covariances, ", "),
		"resample":    c.Resample, "approximate_chains": fmt.Sprint(c.Chains)}
}

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

// shared are the flags that sample has too, with their meaning there.
func (c *approximateCmd) shared() *sampleCmd {
	return &sampleCmd{
		modelFlags: modelFlags{Model: c.Model, Data: c.Data, Set: c.Set},
		batchFlags: batchFlags{Batch: c.Batch},
		runFlags: runFlags{Chains: c.Chains, Draws: c.Draws, Thin: 1, Seed: c.Seed,
			Threads: c.Threads, Init: c.Init, Engine: c.Engine, Precision: c.Precision,
			LogLik: c.LogLik},
		outputFlags: outputFlags{Out: c.Out, Force: c.Force, Resume: c.Resume, Keep: c.Keep,
			HeldOut: c.HeldOut, HeldEvery: 1, Checkpoint: 60, Progress: c.Progress},
		liveFlags: c.liveFlags,
	}
}

// Run approximates.
func (c *approximateCmd) Run(e *session.Session, ctx *kong.Context) (err error) {
	e.JsonNotes = c.Progress == "json"
	s := c.shared()
	end, err := s.serve(e, s.what())
	if err != nil {
		return err
	}
	defer func() { end(err) }()
	if c.Resume != "" {
		return s.resume(e, ctx)
	}
	if c.Model == "" {
		return session.Usagef("approximate needs a model, or --resume DIR")
	}
	src, err := e.ReadModel(c.Model)
	if err != nil {
		return err
	}
	axis, err := s.axis()
	if err != nil {
		return err
	}
	b := &session.Binding{
		Given: session.Given{Data: c.Data, Set: c.Set, Names: c.Names, Levels: c.Levels, NA: c.NA,
			Axis: axis, Precision: c.Precision},
	}
	if err := b.Compile(e, src); err != nil {
		return err
	}
	stop := sync.OnceFunc(b.Storing(e))
	defer stop()
	cfg, err := c.bind(e, s, b)
	if err != nil {
		return err
	}
	r := b.Record(run.SettingsOf(cfg))
	r.Approximate, r.Threads, r.Keep, r.CheckpointEvery, r.LogLik = &cfg, c.Threads, c.Keep, 60,
		c.LogLik
	r.HeldOut = b.HeldOut(1)
	dir := c.Out
	if dir == "" {
		if dir, err = freshDir(filepath.Join("runs", b.Compiled.Spec.Name)); err != nil {
			return err
		}
	}
	if err := run.Room(dir, b.Target, r); err != nil {
		return session.OwnStatus(err)
	}
	eng, err := s.engine(e, b)
	if err != nil {
		return err
	}
	r.Engine = eng.Name
	if dir, err = s.prepare(e, b, dir, r); err != nil {
		return err
	}
	stop()
	return s.sample(e, eng, b, dir, r)
}
