package sampling

import (
	"fmt"
	"path/filepath"
	"strings"
	"sync"

	"github.com/sgppl/sgppl/internal/commandline"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/infer/approximate"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// Approximate has the flags of `sgppl approximate`. Those of the methods are
// approximate.Config, those of every run are as of sample.
type Approximate struct {
	modelFlags
	methodFlags
	approximateRunFlags
	approximateOutputFlags
	liveFlags
}

// ApproximateVars are the variables of Approximate's tags.
func ApproximateVars() commandline.Vars {
	c := approximate.DefaultConfig()
	return commandline.Vars{"methods": strings.Join(approximate.Names(), ", "), "method": c.Method,
		"covariances": strings.Join(approximate.Covariances, ", "),
		"resample":    c.Resample, "approximate_chains": fmt.Sprint(c.Chains)}
}

// shared are the flags that sample has too, with their meaning there.
func (c *Approximate) shared() *Sample {
	return &Sample{
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
func (c *Approximate) Run(e *session.Session, ctx *commandline.Context) (err error) {
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
	src, err := s.read(e, "approximate", s.Seed)
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
	e.ForeseeEngine(s.Engine, src.Text)
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
	eng, err := session.PickEngine(e, b, s.Engine, s.Progress == "none")
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
