package sampling

// algorithmFlags has the flags of `sgppl optimize` that choose the algorithm and its settings.
type algorithmFlags struct {
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
}

// pointFlags has the flags of the points that `sgppl optimize` stores, and of how the best is
// chosen.
type pointFlags struct {
	Validate   []string `sep:"none" placeholder:"SPEC" help:"Rows that are not fitted, as for --data: the best point is chosen by their mean log likelihood. May be repeated." group:"Points"`
	CheckEvery int64    `placeholder:"N" help:"Steps between looks at the criterion: that of --validate, or the log density with all rows (default: 20 looks, or one a pass of --epochs)." group:"Points"`
	Patience   int64    `placeholder:"N" help:"End a chain after so many looks at the rows of --validate without a better point." group:"Points"`
	Trace      bool     `help:"Store what each of these looks finds: the log density with all rows, and of --validate the mean log likelihood of a row and the score. A report draws them." group:"Points"`
	Average    float64  `default:"0.25" placeholder:"PART" help:"The last part of the steps whose iterates are averaged (default ${default})." group:"Points"`
	Iterates   int64    `placeholder:"K" help:"Store K iterates, evenly spread over that part, for score --point iterates." group:"Points"`
}

// optimizeBatchFlags has the flags of minibatches of `sgppl optimize`.
type optimizeBatchFlags struct {
	Batch      []string `sep:"none" placeholder:"N=100" help:"Minibatch this axis, with so many rows a step at most; a plain number when only one axis can be. A pass is cut into batches of nearly equal size." group:"Minibatches"`
	FullBatch  bool     `help:"All rows at every step." group:"Minibatches"`
	BatchOrder string   `default:"${order}" help:"shuffle, sequential, replace or blocks (default ${default})." group:"Minibatches"`
}

// optimizeRunFlags has the flags that say how a run of `sgppl optimize` starts and computes.
type optimizeRunFlags struct {
	Chains    int    `default:"1" aliases:"restarts" help:"Chains, each from a start of its own; also --restarts (default ${default})." group:"Run"`
	Ensemble  int    `placeholder:"M" help:"An ensemble of M chains: score and predict average over the best points of all of them." group:"Run"`
	Seed      uint64 `default:"${seed}" help:"(default ${default})" group:"Run"`
	Threads   int    `help:"Processors; 0 is all. Chains run at once, and share what is left for their steps. Draws do not depend on it." group:"Run"`
	Init      string `placeholder:"START" help:"As for sample: FILE.json, prior, kmeans:PARAM=INPUT or a radius; 0 is the origin (default 2, but for params with an init of their own)." group:"Run"`
	Engine    string `default:"auto" enum:"auto,native,vm" help:"auto, native or vm." group:"Run"`
	Precision string `default:"f64" enum:"f64,f32" help:"Of data, activations and gradients: f64, or f32, which takes half the memory and about half the time where products of matrices decide." group:"Run"`
}

// optimizeOutputFlags has the flags of the run directory of `sgppl optimize`.
type optimizeOutputFlags struct {
	Out        string   `placeholder:"DIR" help:"The run directory (default runs/MODEL-N)." group:"Output"`
	Force      bool     `help:"Replace the run in an existing directory." group:"Output"`
	Resume     string   `placeholder:"DIR" help:"Go on with an interrupted run. Needs nothing else." group:"Output"`
	Keep       []string `sep:"none" placeholder:"GLOB" help:"Store only what is called so. May be repeated." group:"Output"`
	Checkpoint float64  `default:"60" placeholder:"SECONDS" help:"Time between checkpoints (default ${default})." group:"Output"`
	Config     string   `placeholder:"FILE.toml" help:"Flags from a file; those of the command line go first." group:"Output"`
	Progress   string   `default:"auto" enum:"auto,plain,json,none" help:"auto, plain, json or none." group:"Output"`
}
