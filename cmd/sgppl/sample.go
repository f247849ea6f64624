package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"sync"

	"github.com/alecthomas/kong"
	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/dynamics/scheme"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/infer/sampler/table"
	"github.com/sgppl/sgppl/runtime/infer/surrogate"
	"github.com/sgppl/sgppl/runtime/results/sketch"
)

// sampleCmd has the flags of `sgppl sample`. Defaults are those of
// sampler.DefaultConfig, by kong's variables.
type sampleCmd struct {
	modelFlags
	samplerFlags
	batchFlags
	streaming
	locals
	planning
	surrogates
	runFlags
	outputFlags
	liveFlags

	configs *configFiles `kong:"-"`
}

// sampleVars are the variables of sampleCmd's tags.
func sampleVars() kong.Vars {
	c := sampler.DefaultConfig()
	return kong.Vars{
		"samplers": strings.Join(table.Names(), ", "), "schedules": scheme.Schedules,
		"surrogate_rows": fmt.Sprint(surrogate.DefaultRows),
		"friction":       fmt.Sprint(c.Friction), "temperature": fmt.Sprint(c.Temperature),
		"inner": fmt.Sprint(c.InnerSteps), "order": c.BatchOrder,
		"chains": fmt.Sprint(c.Chains), "warmup": fmt.Sprint(c.Warmup),
		"draws": fmt.Sprint(c.Draws), "thin": fmt.Sprint(c.Thin), "seed": fmt.Sprint(c.Seed),
		"entries": fmt.Sprintf("%d, and %d where there are more than %d numbers",
			sketch.SmallEntries, sketch.DefaultEntries, sketch.SmallNumbers),
		"phases": "ast, lower, grad, opt:PASS, stage, plan",
	}
}

func (c *sampleCmd) Help() string {
	return `Draws from the posterior into a run directory and prints a summary.

  sgppl sample logistic.sg --data x=a9a.gz:features --data y=a9a.gz:label --sampler msgnht --step 0.0003 --friction 50 --batch 100
  sgppl sample eight_schools.sg --data schools.json
  sgppl sample embedding_mixture.sg --data x=embeddings.npy --batch 1000 --init kmeans:mu=x,kappa=100
  sgppl sample topics.sg --data w=docs.ldac --batch D=50 --sampler msgnht --step 0.0001 --sampler phi=sgrld --step phi=0.01
  sgppl sample --resume runs/logistic-1
  sgppl sample --resume runs/logistic-1 --more-draws 4000`
}

// AfterApply keeps the files of --config, whose settings by block Run reads.
func (c *sampleCmd) AfterApply(files *configFiles) error {
	c.configs = files
	return nil
}

// Run samples.
func (c *sampleCmd) Run(e *session.Session, ctx *kong.Context) (err error) {
	e.JsonNotes = c.Progress == "json"
	end, err := c.serve(e, c.what())
	if err != nil {
		return err
	}
	defer func() { end(err) }()
	return c.run(e, ctx)
}

// what names the run before it is known: its model, or the directory that it goes on in.
func (c *sampleCmd) what() string {
	if c.Resume != "" {
		return c.Resume
	}
	return strings.TrimSuffix(filepath.Base(c.Model), ".sg")
}

func (c *sampleCmd) run(e *session.Session, ctx *kong.Context) error {
	if c.Resume != "" {
		return c.resume(e, ctx)
	}
	if c.MoreDraws != nil {
		return session.Usagef("--more-draws goes with --resume RUN, the run that is to have more")
	}
	if c.Model == "" {
		return session.Usagef("sample needs a model, or --resume DIR")
	}
	src, err := e.ReadModel(c.Model)
	if err != nil {
		return err
	}
	if c.Dump != "" {
		return dump(e, src, driver.Options{Set: session.Numbers(c.Set)}, c.Dump)
	}
	s := &sampling{sampleCmd: c, e: e, ctx: ctx}
	if err := s.compile(src); err != nil {
		return err
	}
	end := sync.OnceFunc(s.b.Storing(e))
	defer end()
	if err := s.bind(); err != nil {
		return err
	}
	if err := s.resolve(); err != nil {
		return err
	}
	r, err := s.record()
	if err != nil {
		return err
	}
	eng, err := c.engine(e, s.b)
	if err != nil {
		return err
	}
	r.Engine = eng.Name
	if s.planned && c.Dry {
		return c.dry(e, eng, s.b, r, src.Text)
	}
	if !s.planned {
		s.tellMethod()
	}
	if c.Dry {
		return e.Print("sampler %s: %s\n", s.cfg.Methods(), s.why)
	}
	dir, err := c.prepare(e, s.b, s.dir, r)
	if err != nil {
		return err
	}
	end()
	if c.Prepare {
		return s.prepared(eng, dir, r)
	}
	return c.sample(e, eng, s.b, dir, r)
}
