package sampling

import (
	"math"
	"path/filepath"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/sgppl/sgppl/internal/commandline"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/optimize"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// Optimize has the flags of `sgppl optimize`. Those of the algorithms are
// optimize.Settings, those of every run are as of sample.
type Optimize struct {
	modelFlags
	algorithmFlags
	pointFlags
	optimizeBatchFlags
	byRows
	Locals
	optimizeRunFlags
	optimizeOutputFlags
	liveFlags
}

// OptimizeVars are the variables of Optimize's tags.
func OptimizeVars() commandline.Vars {
	v := commandline.Vars{"algorithms": strings.Join(optimize.Names(), ", ")}
	for _, s := range optimize.Settings {
		first, size := utf8.DecodeRuneInString(s.Doc)
		if first < utf8.RuneSelf { // γ, λ, μ and σ stay as they are
			first = unicode.ToUpper(first)
		}
		v["optimize_"+strings.ReplaceAll(s.Name, "-", "_")] = string(first) + s.Doc[size:]
	}
	return v
}

// shared are the flags that sample has too, with their meaning there.
func (c *Optimize) shared() *Sample {
	return &Sample{
		modelFlags: modelFlags{Model: c.Model, Data: c.Data, Set: c.Set},
		batchFlags: batchFlags{Batch: c.Batch},
		Locals:     c.Locals,
		runFlags: runFlags{
			Chains: c.Chains, Seed: c.Seed, Threads: c.Threads, Init: c.Init,
			Engine: c.Engine, Precision: c.Precision,
		},
		outputFlags: outputFlags{
			Out: c.Out, Force: c.Force, Resume: c.Resume, Keep: c.Keep, HeldEvery: 1,
			Checkpoint: c.Checkpoint, Progress: c.Progress,
		},
		liveFlags: liveFlags{Serve: c.Serve, Open: c.Open},
	}
}

// Run optimises.
func (c *Optimize) Run(e *session.Session, ctx *commandline.Context) (err error) {
	e.JsonNotes = c.Progress == "json"
	s := c.shared()
	end, err := s.serve(e, s.what())
	if err != nil {
		return err
	}
	defer func() { end(err) }()
	return c.run(e, ctx, s)
}

func (c *Optimize) run(e *session.Session, ctx *commandline.Context, s *Sample) error {
	if c.Resume != "" {
		return s.resume(e, ctx)
	}
	if err := c.ensemble(ctx, s); err != nil {
		return err
	}
	src, err := s.read(e, "optimize", s.Seed)
	if err != nil {
		return err
	}
	if err := s.later(); err != nil {
		return err
	}
	axis, err := s.axis()
	if err != nil {
		return err
	}
	b := &session.Binding{
		Given: session.Given{Data: c.Data, Set: c.Set, Names: c.Names, Levels: c.Levels, NA: c.NA,
			Axis: axis, Precision: c.Precision},
		How: session.How{Sampled: len(c.Batch) > 0},
	}
	e.ForeseeEngine(s.Engine, src.Text)
	if err := b.Compile(e, src); err != nil {
		return err
	}
	if err := b.HasParams("optimise"); err != nil {
		return err
	}
	if err := b.Storable(c.Keep); err != nil {
		return err
	}
	cfg, err := c.settings(s, b)
	if err != nil {
		return err
	}
	if err := c.checkRows(c.Init); err != nil {
		return err
	}
	dir := c.Out
	if dir == "" {
		if dir, err = freshDir(filepath.Join("runs", b.Compiled.Spec.Name)); err != nil {
			return err
		}
	}
	if c.Stream {
		b.Rows = &session.RowsOptions{Block: c.BlockRows, Window: c.Window, Cache: c.Cache,
			Dir: dir}
	}
	end := sync.OnceFunc(b.Storing(e))
	defer end()
	if err := b.Bind(e); err != nil {
		return err
	}
	if err := b.Moves(); err != nil {
		return err
	}
	if err := c.passes(&cfg, b.Target.Rows()); err != nil {
		return err
	}
	if err := b.HoldOut(e, "--validate", c.Validate, c.Set); err != nil {
		return err
	}
	at := sampler.DefaultConfig()
	at.Seed, at.Chains = c.Seed, c.Chains
	if cfg.Init, err = s.start(e, b, &at); err != nil {
		return err
	}
	cfg.InitRadius, cfg.PlainStart = at.InitRadius, at.PlainStart
	var held target.Target
	if b.Held != nil {
		held = b.Held.Target
	}
	if cfg, err = cfg.Resolve(b.Target, held); err != nil {
		return session.Failf(session.ExitUsage, "%v", err)
	}
	if err := b.Fits(cfg.Chains, c.Threads); err != nil {
		return err
	}
	if err := b.Keeps(c.Keep); err != nil {
		return err
	}
	return c.begin(e, s, b, cfg, dir, end)
}

// begin makes the run directory of what is resolved, and runs; end is called when
// it is made.
func (c *Optimize) begin(
	e *session.Session, s *Sample, b *session.Binding, cfg optimize.Config, dir string,
	end func(),
) error {
	r := b.Record(sampler.Config{})
	if err := b.Index(r, dir); err != nil {
		return err
	}
	r.Optimize, r.Threads, r.Keep, r.CheckpointEvery, r.HeldOut = &cfg, c.Threads, c.Keep,
		c.Checkpoint, b.HeldOut(1)
	if err := run.PointsFit(dir, b.Target, r); err != nil {
		return session.OwnStatus(err)
	}
	eng, err := session.PickEngine(e, b, s.Engine, s.Progress == "none")
	if err != nil {
		return err
	}
	r.Engine = eng.Name
	if n := b.Target.Rows(); n > 0 {
		if cfg.Batch > 0 {
			e.Note("%s", minibatches(cfg.Batch, cfg.BatchOrder, n, b.Target.RowAxis()))
		} else {
			e.Note("all %d rows of %s at every step", n, b.Target.RowAxis())
		}
	}
	if dir, err = s.prepare(e, b, dir, r); err != nil {
		return err
	}
	end()
	return s.sample(e, eng, b, dir, r)
}

// ensemble makes as many chains as --ensemble has points.
func (c *Optimize) ensemble(ctx *commandline.Context, s *Sample) error {
	switch {
	case !given(ctx, "ensemble"):
		return nil
	case c.Ensemble < 2:
		return session.Usagef("--ensemble %d: an ensemble has at least 2 points", c.Ensemble)
	case given(ctx, "chains"):
		return session.Usagef("--chains and --ensemble: each point of an ensemble is that of a chain; " +
			"one of them says how many")
	}
	c.Chains, s.Chains = c.Ensemble, c.Ensemble
	return nil
}

// settings reads the flags as a configuration.
func (c *Optimize) settings(s *Sample, b *session.Binding) (optimize.Config, error) {
	cfg := optimize.DefaultConfig()
	cfg.Algorithm, cfg.Step, cfg.Schedule, cfg.Clip = c.Algorithm, c.Step, c.StepSchedule, c.Clip
	if c.Steps != nil {
		cfg.Steps = *c.Steps
	}
	cfg.Burnin, cfg.AnnealA, cfg.AnnealGamma, cfg.Friction, cfg.Xi0, cfg.XiFloor = c.Burnin,
		c.AnnealA, c.AnnealGamma, c.Friction, c.Xi0, c.XiFloor
	cfg.Momentum, cfg.Decay, cfg.Lambda, cfg.V0 = c.Momentum, c.Decay, c.Lambda, c.V0
	cfg.CheckEvery, cfg.Patience, cfg.Average, cfg.Iterates = c.CheckEvery, c.Patience, c.Average,
		c.Iterates
	cfg.Trace, cfg.Ensemble = c.Trace, c.Ensemble > 0
	cfg.BlockRows, cfg.WindowBlocks = c.BlockRows, c.Window
	cfg.FullBatch, cfg.BatchOrder, cfg.Chains, cfg.Seed = c.FullBatch, c.BatchOrder,
		c.Chains, c.Seed
	cfg.LocalOptions = c.Locals.Options()
	var err error
	cfg.Batch, err = session.BatchSize(s.Batch, b.Compiled)
	return cfg, err
}

// passes turns --epochs into steps, a look after each pass.
func (c *Optimize) passes(cfg *optimize.Config, rows int) error {
	switch {
	case c.Epochs == 0:
		return nil
	case c.Epochs < 0 || c.Epochs > math.MaxInt32:
		return session.Usagef("--epochs %d: at least 1", c.Epochs)
	case c.Steps != nil:
		return session.Usagef("--steps and --epochs: one of them says how long the run is")
	case rows == 0:
		return session.Usagef(
			"--epochs: the model has no axis that can be minibatched; give --steps")
	}
	pass := int64(1)
	if cfg.Batch > 0 {
		pass = int64((rows + cfg.Batch - 1) / cfg.Batch)
	}
	cfg.Steps = c.Epochs * pass
	if cfg.CheckEvery == 0 {
		cfg.CheckEvery = pass
	}
	return nil
}
