package sampling

import (
	"fmt"
	"strings"
	"sync"

	"github.com/sgppl/sgppl/internal/commandline"
	"github.com/sgppl/sgppl/internal/config"
	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/dynamics/scheme"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/infer/sampler/table"
	"github.com/sgppl/sgppl/runtime/infer/surrogate"
	"github.com/sgppl/sgppl/runtime/results/sketch"
)

// Sample has the flags of `sgppl sample`. Defaults are those of
// sampler.DefaultConfig, by kong's variables.
type Sample struct {
	modelFlags
	samplerFlags
	batchFlags
	streaming
	Locals
	planning
	surrogates
	runFlags
	outputFlags
	liveFlags

	Configs *config.Files `flag:"-"` // the files of --config, whose settings by block Run reads
	// Generates is for a model of which only what it generates is wanted: one with params is refused.
	Generates bool `flag:"-"`
}

// SampleVars are the variables of Sample's tags.
func SampleVars() commandline.Vars {
	c := sampler.DefaultConfig()
	return commandline.Vars{
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

// Run samples.
func (c *Sample) Run(e *session.Session, ctx *commandline.Context) (err error) {
	e.JsonNotes = c.Progress == "json"
	end, err := c.serve(e, c.what())
	if err != nil {
		return err
	}
	defer func() { end(err) }()
	return c.run(e, ctx)
}

// what names the run before it is known: its model, or the directory that it goes on in.
func (c *Sample) what() string {
	if c.Resume != "" {
		return c.Resume
	}
	return session.ModelName(c.Model)
}

func (c *Sample) run(e *session.Session, ctx *commandline.Context) error {
	if c.Resume != "" {
		return c.resume(e, ctx)
	}
	if c.MoreDraws != nil {
		return session.Usagef("--more-draws goes with --resume RUN, the run that is to have more")
	}
	src, err := c.read(e, "sample", c.Seed)
	if err != nil {
		return err
	}
	if c.Dump != "" {
		return session.Dump(e, src, driver.Options{Set: session.Numbers(c.Set)}, c.Dump)
	}
	e.ForeseeEngine(c.Engine, src.Text)
	s := &sampling{Sample: c, e: e, ctx: ctx}
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
	eng, done, err := s.engine(r)
	if err != nil {
		return err
	}
	defer done()
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
	if err := c.sample(e, eng, s.b, dir, r); err != nil {
		return err
	}
	if len(c.Keep) == 0 && !s.b.Still() {
		s.b.NoteGenerated(e, dir)
	}
	return nil
}
