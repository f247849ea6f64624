package sampling

// methodFlags has the flags of `sgppl approximate` that choose the method and its settings.
type methodFlags struct {
	Method     string   `default:"${method}" help:"One of ${methods} (default ${default})." group:"Method"`
	Covariance string   `placeholder:"KIND" help:"Of laplace and advi: ${covariances}; mean-field and full-rank are diagonal and dense. Default: of laplace dense up to 2000 unknowns, else low-rank; of advi dense up to 100, else diagonal." group:"Method"`
	Rank       int      `placeholder:"R" help:"Directions of low-rank (default 10)." group:"Method"`
	Only       []string `sep:"none" placeholder:"GLOB" help:"Of laplace: params that vary, while all others stay at the maximum, as the last layer of a network. May be repeated." group:"Method"`
	Paths      int      `placeholder:"P" help:"Points at which the method begins (default 8): modes that none of them leads to are not seen. Of smc: points by which the law that it begins with is set (default 100)." group:"Method"`
	Iterations int      `placeholder:"N" help:"Most steps of a climb, or temperatures of smc (default 1000), of advi most steps of it (default 20000)." group:"Method"`
	Samples    int      `placeholder:"M" help:"Draws by which pathfinder estimates an ELBO and advi a gradient (default 10)." group:"Method"`
	Tolerance  float64  `placeholder:"X" help:"Of advi: it ends when halving its step moves its law by less, in standard deviations (default 0.02)." group:"Method"`
	Batch      []string `sep:"none" placeholder:"N=100" help:"Of advi: minibatch this axis, with so many rows a step at most; a plain number when only one axis can be." group:"Method"`
	Candidates int64    `placeholder:"N" help:"Draws that are held against the density, a pass over all rows each; of smc the particles of all runs (default: as many as are stored)." group:"Exactness"`
	Resample   string   `default:"${resample}" help:"psis: draw again by smoothed importance weights; none: draws of the approximation as it is (default ${default})." group:"Exactness"`
	Accept     bool     `name:"accept-approximation" help:"Keep draws that cannot stand for the posterior; summary says so in its first line." group:"Exactness"`
}

// approximateRunFlags has the flags that say how a run of `sgppl approximate` starts and computes.
type approximateRunFlags struct {
	Chains    int    `default:"${approximate_chains}" help:"Groups of draws, stored as chains are; of smc independent runs (default ${default})." group:"Run"`
	Draws     int64  `default:"${draws}" help:"Draws of each (default ${default})." group:"Run"`
	Seed      uint64 `default:"${seed}" help:"(default ${default})" group:"Run"`
	Threads   int    `help:"Threads; 0 is as many as there are processors. Draws do not depend on it." group:"Run"`
	Init      string `placeholder:"START" help:"Where climbs begin, as for sample: FILE.json, a run directory, prior, kmeans:PARAM=INPUT or a radius (default 2, but for params with an init of their own)." group:"Run"`
	Engine    string `default:"auto" enum:"auto,native,vm" help:"auto, native or vm." group:"Run"`
	Precision string `default:"f64" enum:"f64,f32" help:"Of data, activations and gradients: f64, or f32." group:"Run"`
	LogLik    bool   `name:"log-lik" help:"Also store the log likelihood of every row and draw." group:"Run"`
}

// approximateOutputFlags has the flags of the run directory of `sgppl approximate`.
type approximateOutputFlags struct {
	Out      string   `placeholder:"DIR" help:"The run directory (default runs/MODEL-N)." group:"Output"`
	Force    bool     `help:"Replace the run in an existing directory." group:"Output"`
	Resume   string   `placeholder:"DIR" help:"Begin an interrupted run again, which comes to the same draws. Needs nothing else." group:"Output"`
	Keep     []string `sep:"none" placeholder:"GLOB" help:"Store only what is called so. May be repeated." group:"Output"`
	HeldOut  []string `sep:"none" placeholder:"SPEC" help:"Rows that are not fitted, as for --data: their predictive is shown and stored. May be repeated." group:"Held-out rows"`
	Config   string   `placeholder:"FILE.toml" help:"Flags from a file; those of the command line go first." group:"Output"`
	Progress string   `default:"auto" enum:"auto,plain,json,none" help:"auto, plain, json or none." group:"Output"`
}
