package main

import (
	"errors"
	"io/fs"
	"math"
	"path/filepath"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/alecthomas/kong"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/optimize"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// optimizeCmd has the flags of `sgppl optimize`. Those of the algorithms are
// optimize.Settings, those of every run are as of sample.
type optimizeCmd struct {
	Model  string   `arg:"" optional:"" help:"The model file, or - for standard input."`
	Data   []string `sep:"none" placeholder:"SPEC" help:"NAME=FILE[:FIELD], or a FILE whose fields are inputs. May be repeated."`
	Set    []string `sep:"none" placeholder:"NAME=VALUE" help:"A dim, a const or a scalar input. May be repeated."`
	Names  []string `sep:"none" placeholder:"DIM=FILE" help:"Names of the entries of a dim, one a line of the file, such as a vocabulary: V=vocab.txt. May be repeated."`
	Levels []string `sep:"none" placeholder:"DIM=ORDER" help:"The order of the levels of a dim, where a column of words is its index: appearance (the default), sorted, or a list such as G=control,low,high, which may end in ... for all others. Numbers are levels too then. May be repeated."`
	NA     string   `name:"na" placeholder:"drop[=NAME,...]" help:"Leave out rows with missing entries: of any input whose missing entries the model does not describe, or of the inputs that are named. How many is said, and kept with the run."`

	Algorithm    string   `default:"santa" help:"One of ${algorithms} (default ${default})." group:"Algorithm"`
	Steps        *int64   `placeholder:"N" help:"Steps of a chain (default 10000)." group:"Algorithm"`
	Epochs       int64    `placeholder:"N" help:"Passes over the rows, in place of --steps, with a look at the criterion after each." group:"Algorithm"`
	Step         float64  `placeholder:"H" help:"The step size: of adam, rmsprop, sgdm and sgd on the mean gradient of a row, as the literature has it; of santa the h = √η of its paper, on the sum." group:"Algorithm"`
	StepSchedule string   `default:"constant" help:"One of ${schedules}; over all steps." group:"Algorithm"`
	Burnin       *float64 `placeholder:"N" help:"${optimize_burnin}." group:"Algorithm"`
	AnnealA      *float64 `placeholder:"A" help:"${optimize_anneal_a} (default 1)." group:"Algorithm"`
	AnnealGamma  *float64 `placeholder:"G" help:"${optimize_anneal_gamma} (default 0.5)." group:"Algorithm"`
	Friction     *float64 `placeholder:"D" help:"${optimize_friction}." group:"Algorithm"`
	Xi0          *float64 `name:"xi0" placeholder:"X" help:"${optimize_xi0}." group:"Algorithm"`
	XiFloor      *float64 `placeholder:"X" help:"${optimize_xi_floor}." group:"Algorithm"`
	Momentum     *float64 `placeholder:"M" help:"${optimize_momentum} (default 0.9)." group:"Algorithm"`
	Decay        *float64 `placeholder:"S" help:"${optimize_decay} (default: santa 0.99, adam 0.999, rmsprop 0.9)." group:"Algorithm"`
	Lambda       *float64 `placeholder:"L" help:"${optimize_lambda} (default: santa 1e-5, adam and rmsprop 1e-8)." group:"Algorithm"`
	V0           *float64 `name:"v0" placeholder:"V" help:"${optimize_v0} (default 1)." group:"Algorithm"`
	Clip         float64  `placeholder:"C" help:"Shorten mean gradients of a row that are longer." group:"Algorithm"`

	Validate   []string `sep:"none" placeholder:"SPEC" help:"Rows that are not fitted, as for --data: the best point is chosen by their mean log likelihood. May be repeated." group:"Points"`
	CheckEvery int64    `placeholder:"N" help:"Steps between looks at the criterion: that of --validate, or the log density with all rows (default: 20 looks, or one a pass of --epochs)." group:"Points"`
	Patience   int64    `placeholder:"N" help:"End a chain after so many looks at the rows of --validate without a better point." group:"Points"`
	Average    float64  `default:"0.25" placeholder:"PART" help:"The last part of the steps whose iterates are averaged (default ${default})." group:"Points"`
	Iterates   int64    `placeholder:"K" help:"Store K iterates, evenly spread over that part, for score --point iterates." group:"Points"`

	Batch      []string `sep:"none" placeholder:"N=100" help:"Minibatch this axis, with so many rows a step at most; a plain number when only one axis can be. A pass is cut into batches of nearly equal size." group:"Minibatches"`
	FullBatch  bool     `help:"All rows at every step." group:"Minibatches"`
	BatchOrder string   `default:"${order}" help:"shuffle, sequential, replace or blocks (default ${default})." group:"Minibatches"`

	byRows
	locals
	Chains    int    `default:"1" aliases:"restarts" help:"Chains, each from a start of its own; also --restarts (default ${default})." group:"Run"`
	Seed      uint64 `default:"${seed}" help:"(default ${default})" group:"Run"`
	Threads   int    `help:"Chains at once; 0 is as many as there are processors." group:"Run"`
	Init      string `placeholder:"START" help:"As for sample: FILE.json, prior, kmeans:PARAM=INPUT or a radius; 0 is the origin (default 2, but for params with an init of their own)." group:"Run"`
	Engine    string `default:"auto" enum:"auto,native,vm" help:"auto, native or vm." group:"Run"`
	Precision string `default:"f64" enum:"f64,f32" help:"Of data, activations and gradients: f64, or f32, which takes half the memory and about half the time where products of matrices decide." group:"Run"`

	Out        string     `placeholder:"DIR" help:"The run directory (default runs/MODEL-N)." group:"Output"`
	Force      bool       `help:"Replace the run in an existing directory." group:"Output"`
	Resume     string     `placeholder:"DIR" help:"Go on with an interrupted run. Needs nothing else." group:"Output"`
	Keep       []string   `sep:"none" placeholder:"GLOB" help:"Store only what is called so. May be repeated." group:"Output"`
	Checkpoint float64    `default:"60" placeholder:"SECONDS" help:"Time between checkpoints (default ${default})." group:"Output"`
	Config     configFile `placeholder:"FILE.toml" help:"Flags from a file; those of the command line go first." group:"Output"`
	Progress   string     `default:"auto" enum:"auto,plain,json,none" help:"auto, plain, json or none." group:"Output"`
}

// optimizeVars are the variables of optimizeCmd's tags.
func optimizeVars() kong.Vars {
	v := kong.Vars{"algorithms": strings.Join(optimize.Names(), ", ")}
	for _, s := range optimize.Settings {
		first, size := utf8.DecodeRuneInString(s.Doc)
		if first < utf8.RuneSelf { // γ, λ, μ and σ stay as they are
			first = unicode.ToUpper(first)
		}
		v["optimize_"+strings.ReplaceAll(s.Name, "-", "_")] = string(first) + s.Doc[size:]
	}
	return v
}

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

// shared are the flags that sample has too, with their meaning there.
func (c *optimizeCmd) shared() *sampleCmd {
	return &sampleCmd{Model: c.Model, Data: c.Data, Set: c.Set, Batch: c.Batch, Chains: c.Chains, Seed: c.Seed, Threads: c.Threads, Init: c.Init,
		Engine: c.Engine, Precision: c.Precision, Out: c.Out, Force: c.Force, Resume: c.Resume, Keep: c.Keep, Checkpoint: c.Checkpoint,
		Progress: c.Progress, HeldEvery: 1, locals: c.locals}
}

// Run optimises.
func (c *optimizeCmd) Run(e *session.Session, ctx *kong.Context) error {
	e.JsonNotes = c.Progress == "json"
	s := c.shared()
	if c.Resume != "" {
		return s.resume(e, ctx)
	}
	if c.Model == "" {
		return session.Usagef("optimize needs a model, or --resume DIR")
	}
	src, err := e.ReadModel(c.Model)
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
	b := &session.Binding{Data: c.Data, Set: c.Set, Names: c.Names, Levels: c.Levels, NA: c.NA, Axis: axis, Precision: c.Precision, Sampled: len(c.Batch) > 0}
	if err := b.Compile(e, src); err != nil {
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
		b.Rows = &session.RowsOptions{Block: c.BlockRows, Window: c.Window, Cache: c.Cache, Dir: dir}
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
func (c *optimizeCmd) begin(e *session.Session, s *sampleCmd, b *session.Binding, cfg optimize.Config, dir string, end func()) error {
	base := filepath.Join("runs", b.Compiled.Spec.Name)
	r := b.Record(sampler.Config{})
	if err := b.Index(r, dir); err != nil {
		return err
	}
	r.Optimize, r.Threads, r.Keep, r.CheckpointEvery, r.HeldOut = &cfg, c.Threads, c.Keep, c.Checkpoint, b.HeldOut(1)
	if err := run.PointsFit(dir, b.Target, r); err != nil {
		return session.OwnStatus(err)
	}
	eng, err := s.engine(e, b)
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
	r.Before = func() error { return b.SettleRows(e, dir) }
	err = run.PrepareOn(disk.Or(e.Disk), dir, r, b.Src.Text, c.Force && c.Out != "", e.Now())
	for c.Out == "" && errors.Is(err, fs.ErrExist) { // somebody took the number meanwhile
		if dir, err = freshDir(base); err != nil {
			return err
		}
		if err := b.Index(r, dir); err != nil {
			return err
		}
		err = run.PrepareOn(disk.Or(e.Disk), dir, r, b.Src.Text, false, e.Now())
	}
	if err != nil {
		b.UnsettleRows(e, dir)
		return session.OwnStatus(err)
	}
	end()
	return s.sample(e, eng, b, dir, r)
}

// settings reads the flags as a configuration.
func (c *optimizeCmd) settings(s *sampleCmd, b *session.Binding) (optimize.Config, error) {
	cfg := optimize.DefaultConfig()
	cfg.Algorithm, cfg.Step, cfg.Schedule, cfg.Clip = c.Algorithm, c.Step, c.StepSchedule, c.Clip
	if c.Steps != nil {
		cfg.Steps = *c.Steps
	}
	cfg.Burnin, cfg.AnnealA, cfg.AnnealGamma, cfg.Friction, cfg.Xi0, cfg.XiFloor = c.Burnin, c.AnnealA, c.AnnealGamma, c.Friction, c.Xi0, c.XiFloor
	cfg.Momentum, cfg.Decay, cfg.Lambda, cfg.V0 = c.Momentum, c.Decay, c.Lambda, c.V0
	cfg.CheckEvery, cfg.Patience, cfg.Average, cfg.Iterates = c.CheckEvery, c.Patience, c.Average, c.Iterates
	cfg.BlockRows, cfg.WindowBlocks = c.BlockRows, c.Window
	cfg.FullBatch, cfg.BatchOrder, cfg.Chains, cfg.Seed = c.FullBatch, c.BatchOrder, c.Chains, c.Seed
	cfg.LocalOptions = c.locals.options()
	var err error
	cfg.Batch, err = batchSize(s.Batch, b.Compiled)
	return cfg, err
}

// passes turns --epochs into steps, a look after each pass.
func (c *optimizeCmd) passes(cfg *optimize.Config, rows int) error {
	switch {
	case c.Epochs == 0:
		return nil
	case c.Epochs < 0 || c.Epochs > math.MaxInt32:
		return session.Usagef("--epochs %d: at least 1", c.Epochs)
	case c.Steps != nil:
		return session.Usagef("--steps and --epochs: one of them says how long the run is")
	case rows == 0:
		return session.Usagef("--epochs: the model has no axis that can be minibatched; give --steps")
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
