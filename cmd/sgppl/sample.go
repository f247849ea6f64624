package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"github.com/alecthomas/kong"
	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/internal/show"
	"github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/dynamics/scheme"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/infer/tall"
	"github.com/sgppl/sgppl/runtime/results/run"
	"github.com/sgppl/sgppl/runtime/results/sketch"
)

// sampleCmd has the flags of `sgppl sample`. Defaults are those of
// sampler.DefaultConfig, by kong's variables.
type sampleCmd struct {
	Model  string   `arg:"" optional:"" help:"The model file, or - for standard input."`
	Data   []string `sep:"none" placeholder:"SPEC" help:"NAME=FILE[:FIELD], or a FILE whose fields are inputs. May be repeated."`
	Set    []string `sep:"none" placeholder:"NAME=VALUE" help:"A dim, a const or a scalar input. May be repeated."`
	Names  []string `sep:"none" placeholder:"DIM=FILE" help:"Names of the entries of a dim, one a line of the file, such as a vocabulary: V=vocab.txt. May be repeated."`
	Levels []string `sep:"none" placeholder:"DIM=ORDER" help:"The order of the levels of a dim, where a column of words is its index: appearance (the default), sorted, or a list such as G=control,low,high, which may end in ... for all others. Numbers are levels too then. May be repeated."`
	NA     string   `name:"na" placeholder:"drop[=NAME,...]" help:"Leave out rows with missing entries: of any input whose missing entries the model does not describe, or of the inputs that are named. How many is said, and kept with the run."`

	Sampler        []string `sep:"none" placeholder:"[BLOCK=]NAME" help:"One of auto (the default), ${samplers}. BLOCK=NAME is for a param alone, or for several: names or globs, apart by commas; those on stochastic gradients can be mixed (phi=sgrld W1,W2=msgnht). May be repeated, as all flags with BLOCK=." group:"Sampler"`
	Scheme         []string `sep:"none" placeholder:"[BLOCK=]SCHEME" help:"split or euler; split unless the sampler has only one." group:"Sampler"`
	Step           []string `sep:"none" placeholder:"[BLOCK=]H" help:"The step size. Without it each sampler finds its own in warm-up: those on stochastic gradients from the curvature and the noise of minibatches." group:"Sampler"`
	StepSchedule   []string `sep:"none" placeholder:"[BLOCK=]SCHEDULE" help:"One of ${schedules}; over all steps (default constant)." group:"Sampler"`
	Friction       []string `sep:"none" placeholder:"[BLOCK=]D" help:"D (default: found along with the step; ${friction} beside a --step)." group:"Sampler"`
	Xi0            []string `name:"xi0" sep:"none" placeholder:"[BLOCK=]X" help:"Where thermostats start (default: the friction)." group:"Sampler"`
	Temperature    []string `sep:"none" placeholder:"[BLOCK=]T" help:"T (default ${temperature}): the target is the posterior to the power 1/T." group:"Sampler"`
	Thermostat     []string `sep:"none" placeholder:"[BLOCK=]GRAIN" help:"coordinate, point or all." group:"Sampler"`
	InnerSteps     int      `default:"${inner}" help:"Steps on one minibatch (default ${default})." group:"Sampler"`
	Leapfrog       *int     `placeholder:"L" help:"Steps of a trajectory, for gmc and hmc." group:"Sampler"`
	TargetAccept   float64  `placeholder:"P" help:"Mean acceptance that a step found in warm-up is to give (default 0.8)." group:"Sampler"`
	Metric         string   `placeholder:"KIND" help:"Inverse mass matrix found in warm-up: auto (the default of nuts, hmc and gmc: of the next three the one that is predicted to be cheapest), diag, dense, lowrank (a diagonal and some directions) or unit. With it samplers on stochastic gradients begin by a pilot of nuts." group:"Sampler"`
	MaxDepth       int      `placeholder:"D" help:"Greatest depth of a trajectory of nuts (default 10)." group:"Sampler"`
	GradNoise      []string `sep:"none" placeholder:"[BLOCK=]V|fisher" help:"Variance of the gradient's noise that the kick makes room for; fisher: estimated from minibatches that are drawn independently (--batch-order replace)." group:"Sampler"`
	SyntheticNoise string   `placeholder:"KIND:X" help:"diffusion:B or gradient:V, noise of known size for studies." group:"Sampler"`

	Batch      []string `sep:"none" placeholder:"N=100" help:"Minibatch this axis, with so many rows a step at most; a plain number when only one axis can be. Without it a sampler on stochastic gradients takes 100 rows, fewer where each has latent values to be drawn, and at least a thousandth of all. A pass is cut into batches of nearly equal size." group:"Minibatches"`
	FullBatch  bool     `help:"All rows at every step." group:"Minibatches"`
	BatchOrder string   `placeholder:"ORDER" help:"shuffle, sequential, replace or blocks, or with an anchor size (default ${order}; replace with --grad-noise fisher)." group:"Minibatches"`

	streaming
	locals
	planning
	Chains     int    `default:"${chains}" help:"Chains (default ${default})." group:"Run"`
	Warmup     int64  `default:"${warmup}" help:"Steps before the first draw (default ${default})." group:"Run"`
	Draws      int64  `default:"${draws}" help:"Draws of each chain (default ${default})." group:"Run"`
	Thin       int64  `default:"${thin}" help:"Steps a draw (default ${default})." group:"Run"`
	Seed       uint64 `default:"${seed}" help:"(default ${default})" group:"Run"`
	Threads    int    `help:"Chains at once; 0 is as many as there are processors." group:"Run"`
	Init       string `help:"FILE.json, prior, kmeans:PARAM=INPUT (PARAM at centres of the rows of INPUT, by k-means++; others may follow as ,PARAM=NUMBER or ,FILE.json), or a radius (default 2, but for params with an init of their own); 0 is the origin." group:"Run"`
	Engine     string `default:"auto" enum:"auto,native,vm" help:"auto, native or vm." group:"Run"`
	Precision  string `default:"f64" enum:"f64,f32" help:"Of data, activations and gradients: f64, or f32, which takes half the memory and about half the time where products of matrices decide." group:"Run"`
	SaveWarmup bool   `help:"Also keep the states of the warm-up." group:"Run"`
	LogLik     bool   `name:"log-lik" help:"After the run also store the log likelihood of every row (of a model without rows: of every observed entry) and draw, as ArviZ wants it for model comparison." group:"Run"`
	Lp         bool   `name:"lp" help:"Also store the log density of every draw: a full pass each." group:"Run"`

	Out        string     `placeholder:"DIR" help:"The run directory (default runs/MODEL-N)." group:"Output"`
	Force      bool       `help:"Replace the run in an existing directory." group:"Output"`
	Resume     string     `placeholder:"DIR" help:"Go on with an interrupted run. Needs nothing else." group:"Output"`
	HeldOut    []string   `sep:"none" placeholder:"SPEC" help:"Rows that are not fitted, as for --data: their predictive, averaged over the draws as they come, is shown and stored. May be repeated." group:"Held-out rows"`
	HeldEvery  int64      `name:"held-out-every" default:"1" placeholder:"N" help:"Evaluate only every N-th draw (default ${default})." group:"Held-out rows"`
	Keep       []string   `sep:"none" placeholder:"GLOB" help:"Store only what is called so; last=K: only the last K draws of each chain; moments: means, variances and quantiles instead of draws. May be repeated." group:"Output"`
	Reservoir  int64      `placeholder:"R" help:"Store R draws of each chain, evenly spread over it, instead of every one; with --keep moments beside those." group:"Output"`
	Sketch     *int       `placeholder:"E" help:"Draws that the quantiles of --keep moments remember of each number, 0 for means and variances alone (default ${entries})." group:"Output"`
	Chunk      int        `placeholder:"N" help:"Draws a file of the store holds (default: by their size)." group:"Output"`
	Checkpoint float64    `default:"60" placeholder:"SECONDS" help:"Time between checkpoints (default ${default})." group:"Output"`
	Config     configFile `placeholder:"FILE.toml" help:"Flags from a file; those of the command line go first." group:"Output"`
	Progress   string     `default:"auto" enum:"auto,plain,json,none" help:"auto, plain, json or none." group:"Output"`
	Dump       string     `placeholder:"PHASE" help:"Print a stage of the compiler instead: ${phases}." group:"Output"`

	configs *configFiles `kong:"-"`
}

// sampleVars are the variables of sampleCmd's tags.
func sampleVars() kong.Vars {
	c := sampler.DefaultConfig()
	return kong.Vars{
		"samplers": strings.Join(sampler.Names(), ", "), "schedules": scheme.Schedules,
		"friction": fmt.Sprint(c.Friction), "temperature": fmt.Sprint(c.Temperature), "inner": fmt.Sprint(c.InnerSteps), "order": c.BatchOrder,
		"chains": fmt.Sprint(c.Chains), "warmup": fmt.Sprint(c.Warmup), "draws": fmt.Sprint(c.Draws), "thin": fmt.Sprint(c.Thin), "seed": fmt.Sprint(c.Seed),
		"entries": fmt.Sprintf("%d, and %d where there are more than %d numbers", sketch.SmallEntries, sketch.DefaultEntries, sketch.SmallNumbers),
		"phases":  "ast, lower, grad, opt:PASS, stage, plan",
	}
}

func (c *sampleCmd) Help() string {
	return `Draws from the posterior into a run directory and prints a summary.

  sgppl sample logistic.sg --data x=a9a.gz:features --data y=a9a.gz:label --sampler msgnht --step 0.0003 --friction 50 --batch 100
  sgppl sample eight_schools.sg --data schools.json
  sgppl sample embedding_mixture.sg --data x=embeddings.npy --batch 1000 --init kmeans:mu=x,kappa=100
  sgppl sample topics.sg --data w=docs.ldac --batch D=50 --sampler msgnht --step 0.0001 --sampler phi=sgrld --step phi=0.01
  sgppl sample --resume runs/logistic-1`
}

// AfterApply keeps the files of --config, whose settings by block Run reads.
func (c *sampleCmd) AfterApply(files *configFiles) error {
	c.configs = files
	return nil
}

// Run samples.
func (c *sampleCmd) Run(e *session.Session, ctx *kong.Context) error {
	e.JsonNotes = c.Progress == "json"
	if c.Resume != "" {
		return c.resume(e, ctx)
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
	if err := c.later(); err != nil {
		return err
	}
	if err := c.planning.check(ctx); err != nil {
		return err
	}
	if err := c.checkStream(ctx); err != nil {
		return err
	}
	axis, err := c.axis()
	if err != nil {
		return err
	}
	own, err := c.byBlock()
	if err != nil {
		return err
	}
	b := &session.Binding{Data: c.Data, Set: c.Set, Names: c.Names, Levels: c.Levels, NA: c.NA, Axis: axis, Precision: c.Precision, Sampled: len(c.Batch) > 0 || !c.FullBatch && show.Stochastic(own.Sampler) || c.Stream}
	b.Charts = chartsFor(e, src, c.Set, &own)
	if err := b.Compile(e, src); err != nil {
		return err
	}
	keep, err := c.keep()
	if err != nil {
		return err
	}
	if err := b.Storable(keep.Globs); err != nil {
		return err
	}
	cfg, err := c.settings(e, b.Compiled, own)
	if err != nil {
		return err
	}
	auto := cfg.Sampler == "auto"
	dir := c.Out
	if dir == "" {
		if dir, err = freshDir(filepath.Join("runs", b.Compiled.Spec.Name)); err != nil {
			return err
		}
	}
	if c.Stream {
		b.Rows = &session.RowsOptions{Block: c.BlockRows, Window: c.Window, Follow: c.Follow, Cache: c.Cache, Dir: dir}
	}
	end := sync.OnceFunc(b.Storing(e))
	defer end()
	if err := b.Bind(e); err != nil {
		return err
	}
	if err := drawsRows(b, e, ctx, c, &cfg, keep); err != nil {
		return err
	}
	if err := b.Moves(); err != nil {
		return err
	}
	if err := c.passes(&cfg, b.Target.Rows()); err != nil {
		return err
	}
	if err := b.HoldOut(e, "--held-out", c.HeldOut, c.Set); err != nil {
		return err
	}
	if cfg.Init, err = c.start(e, b, &cfg); err != nil {
		return err
	}
	planned, why, err := c.plans(e, ctx, b, &cfg, keep)
	if err != nil {
		return err
	}
	full := cfg // what is stored of full passes
	switch {
	case planned && !sampler.InPairs(cfg.Sampler): // it is resolved
	case planned:
		full = cfg.WithoutAnchor(b.Target)
		fallthrough
	default:
		if full, err = full.Resolve(b.Target); err != nil {
			return session.Refused(err)
		}
	}
	if !planned {
		cfg = full
		c.unplanned(e, why)
	}
	if planned {
		b.Planned = driver.Planned{Evaluators: tall.Evaluators(c.Threads), Bytes: tall.Memory(b.Target.Rows(), b.Target.Dim())}
	}
	if err := b.Fits(cfg.Chains, c.Threads); err != nil {
		return err
	}
	if err := b.Keeps(keep.Globs); err != nil {
		return err
	}
	r := b.Record(cfg)
	if planned {
		r.RowDim = b.Target.RowAxis()
	}
	r.Passes = c.Passes
	if err := b.Index(r, dir); err != nil {
		return err
	}
	r.Threads, r.Keep, r.Chunk, r.CheckpointEvery = c.Threads, keep.Globs, c.Chunk, c.Checkpoint
	r.KeepLast, r.KeepMoments, r.HeldOut = keep.Last, keep.Moments, b.HeldOut(c.HeldEvery)
	r.Reservoir, r.Sketch = keep.Reservoir, b.Entries(keep)
	room := *r
	room.Settings = full
	if err := run.Room(dir, b.Target, &room); err != nil {
		return session.OwnStatus(err)
	}
	if r.LogLik = c.LogLik; c.LogLik {
		if err := b.LoglikFits(e, dir, &full, keep); err != nil {
			return err
		}
	}
	eng, err := c.engine(e, b)
	if err != nil {
		return err
	}
	r.Engine = eng.Name
	if planned && c.Dry {
		return c.dry(e, eng, b, r, src.Text)
	}
	if !planned {
		tellMethod(e, b, &cfg, auto)
	}
	if c.Dry {
		return e.Print("sampler %s: %s\n", cfg.Methods(), why)
	}
	if dir, err = c.prepare(e, b, dir, r, src.Text); err != nil {
		return err
	}
	end()
	return c.sample(e, eng, b, dir, r)
}

// tellMethod notes which samplers a run without a plan has, where they were not given, and
// which rows each step reads.
func tellMethod(e *session.Session, b *session.Binding, cfg *sampler.Config, auto bool) {
	if auto || len(cfg.Blocks) > 0 {
		text := "sampler " + cfg.Methods()
		if len(cfg.Blocks) == 0 && cfg.Thermostat != "" {
			text += ", thermostats: " + cfg.Thermostat
		}
		e.Note("%s", text)
	}
	rows := b.Target.Rows()
	switch {
	case rows == 0:
		return
	case cfg.Batch > 0:
		e.Note("%s", minibatches(cfg.Batch, cfg.BatchOrder, rows, b.Target.RowAxis()))
		return
	}
	how, few := "", b.Target.Collapses()
	if few {
		how = ", by sums that are computed once"
	}
	e.Note("all %d rows of %s at every step%s", rows, b.Target.RowAxis(), how)
	few = few && !b.Target.Spec.Collapse.Rows
	row, _ := sampler.Lookup(cfg.Sampler)
	if row.Metropolis && !few && slowPass(rows, b.Target.Dim()) {
		e.Note("a full pass is slow here; minibatches may be faster by far: --batch %s=%d",
			b.Target.RowAxis(), min(100, rows))
	}
}

// prepare makes the directory of a run, and returns its path. Without --out that is the
// next one that no other process takes.
func (c *sampleCmd) prepare(e *session.Session, b *session.Binding, dir string, r *run.Record, model string) (string, error) {
	r.Before = func() error { return b.SettleRows(e, dir) }
	err := run.PrepareOn(disk.Or(e.Disk), dir, r, model, c.Force && c.Out != "", e.Now())
	for c.Out == "" && errors.Is(err, fs.ErrExist) { // somebody took the number meanwhile
		if dir, err = freshDir(filepath.Join("runs", b.Compiled.Spec.Name)); err != nil {
			return "", err
		}
		if err := b.Index(r, dir); err != nil {
			return "", err
		}
		err = run.PrepareOn(disk.Or(e.Disk), dir, r, model, false, e.Now())
	}
	if err != nil {
		b.UnsettleRows(e, dir)
		return "", session.OwnStatus(err)
	}
	return dir, nil
}

// slowPass says whether a gradient on all rows takes some 20 ms or more, at a
// nanosecond for a row and a coordinate. It is a rule of sizes, not a
// measurement, so that the same command says the same.
func slowPass(rows, dim int) bool { return float64(rows)*float64(dim) > 2e7 }

// freshDir is the first of base-1, base-2, … that does not exist.
func freshDir(base string) (string, error) {
	for n := 1; ; n++ {
		dir := base + "-" + strconv.Itoa(n)
		_, err := os.Lstat(dir)
		if errors.Is(err, fs.ErrNotExist) {
			return dir, nil
		}
		if err != nil {
			return "", session.Failf(session.ExitFiles, "cannot look for a name of the run directory: %v; --out names one", err)
		}
	}
}
