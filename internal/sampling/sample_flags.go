package sampling

import (
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/lang/source"
)

// modelFlags are the flags of commands that fit a model: the model, its data, and how words and
// missing entries of the data are read.
type modelFlags struct {
	Model  string   `arg:"" optional:"" help:"The model file, or - for standard input."`
	Data   []string `sep:"none" placeholder:"SPEC" help:"NAME=FILE[:FIELD], or a FILE whose fields are inputs. May be repeated."`
	Set    []string `sep:"none" placeholder:"NAME=VALUE" help:"A dim, a const or a scalar input. May be repeated."`
	Names  []string `sep:"none" placeholder:"DIM=FILE" help:"Names of the entries of a dim, one a line of the file, such as a vocabulary: V=vocab.txt. May be repeated."`
	Levels []string `sep:"none" placeholder:"DIM=ORDER" help:"The order of the levels of a dim, where a column of words is its index: appearance (the default), sorted, or a list such as G=control,low,high, which may end in ... for all others. Numbers are levels too then. May be repeated."`
	NA     string   `name:"na" placeholder:"drop[=NAME,...]" help:"Leave out rows with missing entries: of any input whose missing entries the model does not describe, or of the inputs that are named. How many is said, and kept with the run."`
}

// read reads the model of a command that makes a run.
func (f *modelFlags) read(e *session.Session, command string, seed uint64) (*source.File, error) {
	if f.Model == "" {
		return nil, session.Usagef("%s needs a model, or --resume DIR", command)
	}
	return e.ReadModelFor(f.Model, f.Data, f.Set, seed)
}

// samplerFlags are the flags that choose samplers and their settings, of all params or by block.
type samplerFlags struct {
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
	EnergyError    float64  `placeholder:"E" help:"nuts halves the steps along which the energy moves by more (default: none)." group:"Sampler"`
	Replicas       int      `placeholder:"K" help:"Replica exchange: each chain has K temperatures, from a wide reference law to the posterior, which exchange states; for posteriors of several modes (default: none)." group:"Sampler"`
	Permute        string   `placeholder:"DIM" help:"Exchanges two entries of all params along a dim at random, as the labels of a mixture, by a Metropolis test after each step of nuts or gmc (default: none)." group:"Sampler"`
	GradNoise      []string `sep:"none" placeholder:"[BLOCK=]V|fisher" help:"Variance of the gradient's noise that the kick makes room for; fisher: estimated from minibatches that are drawn independently (--batch-order replace)." group:"Sampler"`
	SyntheticNoise string   `placeholder:"KIND:X" help:"diffusion:B or gradient:V, noise of known size for studies." group:"Sampler"`
}

// batchFlags are the flags of minibatches.
type batchFlags struct {
	Batch      []string `sep:"none" placeholder:"N=100" help:"Minibatch this axis, with so many rows a step at most; a plain number when only one axis can be. Without it a sampler on stochastic gradients takes 100 rows, fewer where each has latent values to be drawn, and at least a thousandth of all. A pass is cut into batches of nearly equal size." group:"Minibatches"`
	FullBatch  bool     `help:"All rows at every step." group:"Minibatches"`
	BatchOrder string   `placeholder:"ORDER" help:"shuffle, sequential, replace or blocks, or with an anchor size (default ${order}; replace with --grad-noise fisher)." group:"Minibatches"`
}

// runFlags are the flags that say how long a run is, and how it starts and computes.
type runFlags struct {
	Chains     int    `default:"${chains}" help:"Chains (default ${default})." group:"Run"`
	Warmup     int64  `default:"${warmup}" help:"Steps before the first draw (default ${default})." group:"Run"`
	Draws      int64  `default:"${draws}" help:"Draws of each chain (default ${default})." group:"Run"`
	Thin       int64  `default:"${thin}" help:"Steps a draw (default ${default})." group:"Run"`
	Seed       uint64 `default:"${seed}" help:"(default ${default})" group:"Run"`
	Threads    int    `help:"Processors; 0 is all. Chains run at once, and share what is left for their steps. Draws do not depend on it." group:"Run"`
	Init       string `help:"FILE.json, a run directory (each chain at a draw of it), pathfinder (each at a draw of its law, see approximate), prior, kmeans:PARAM=INPUT (PARAM at centres of the rows of INPUT, by k-means++; others may follow as ,PARAM=NUMBER or ,FILE.json), or a radius (default 2, but for params with an init of their own); 0 is the origin." group:"Run"`
	Engine     string `default:"auto" enum:"auto,native,vm" help:"auto, native or vm." group:"Run"`
	Device     string `default:"cpu" enum:"cpu,cuda" help:"What takes the steps: cpu, the processors (the default), or cuda, an NVIDIA GPU, by the program sgppl-cuda; for sgld, sghmc and msgnht with a --step, on minibatches, with --precision f32." group:"Run"`
	Precision  string `default:"f64" enum:"f64,f32" help:"Of data, activations and gradients: f64, or f32, which takes half the memory and about half the time where products of matrices decide." group:"Run"`
	SaveWarmup bool   `help:"Also keep the states of the warm-up." group:"Run"`
	LogLik     bool   `name:"log-lik" help:"After the run also store the log likelihood of every row (of a model without rows: of every observed entry) and draw, as ArviZ wants it for model comparison." group:"Run"`
	Lp         bool   `name:"lp" help:"Also store the log density of every draw: a full pass each." group:"Run"`
}

// outputFlags are the flags of the run directory: where it is, and what is stored in it.
type outputFlags struct {
	Out        string   `placeholder:"DIR" help:"The run directory (default runs/MODEL-N)." group:"Output"`
	Force      bool     `help:"Replace the run in an existing directory." group:"Output"`
	Prepare    bool     `help:"Make the run directory, find how the run is sampled, and leave; --resume DIR begins the chains." group:"Output"`
	Resume     string   `placeholder:"DIR" help:"Go on with an interrupted run. Needs nothing else." group:"Output"`
	MoreDraws  *int64   `placeholder:"N" help:"With --resume: take N more draws of every chain of a complete run." group:"Output"`
	HeldOut    []string `sep:"none" placeholder:"SPEC" help:"Rows that are not fitted, as for --data: their predictive, averaged over the draws as they come, is shown and stored. May be repeated." group:"Held-out rows"`
	HeldEvery  int64    `name:"held-out-every" default:"1" placeholder:"N" help:"Evaluate only every N-th draw (default ${default})." group:"Held-out rows"`
	Keep       []string `sep:"none" placeholder:"GLOB" help:"Store only what is called so; last=K: only the last K draws of each chain; moments: means, variances and quantiles instead of draws. May be repeated." group:"Output"`
	Reservoir  int64    `placeholder:"R" help:"Store R draws of each chain, evenly spread over it, instead of every one; with --keep moments beside those." group:"Output"`
	Sketch     *int     `placeholder:"E" help:"Draws that the quantiles of --keep moments remember of each number, 0 for means and variances alone (default ${entries})." group:"Output"`
	Chunk      int      `placeholder:"N" help:"Draws a file of the store holds (default: by their size)." group:"Output"`
	Checkpoint float64  `default:"60" placeholder:"SECONDS" help:"Time between checkpoints (default ${default})." group:"Output"`
	Config     string   `placeholder:"FILE.toml" help:"Flags from a file; those of the command line go first." group:"Output"`
	Progress   string   `default:"auto" enum:"auto,plain,json,none" help:"auto, plain, json or none." group:"Output"`
	Dump       string   `placeholder:"PHASE" help:"Print a stage of the compiler instead: ${phases}." group:"Output"`
}
