package settings

// Dynamics are the settings of how a state moves: the sampler, its integrator and step,
// friction, temperature and thermostats.
type Dynamics struct {
	Sampler  string  `json:"sampler"`       // "auto", a name of Table or an alias
	Scheme   string  `json:"scheme"`        // "split", "euler"; "": the sampler's default
	Step     float64 `json:"step"`          // h; 0: found in warm-up
	Schedule string  `json:"step_schedule"` // see scheme.ParseSchedule
	Friction float64 `json:"friction"`      // D
	// FixFriction has a Friction of DefaultFriction taken as it is. Without a Step it
	// stands for one that is found in warm-up, as the step is.
	FixFriction bool     `json:"fix_friction,omitempty"`
	Xi0         *float64 `json:"xi0,omitempty"` // the thermostats' start; nil is D
	Temperature float64  `json:"temperature"`   // T: the target is π^{1/T}
	Thermostat  string   `json:"thermostat"`    // "coordinate", "point", "all"; "": the default
	InnerSteps  int      `json:"inner_steps"`   // steps on one minibatch
}

// WarmupGoal says what gmc and nuts are to find in warm-up, and how long their
// trajectories may be.
type WarmupGoal struct {
	// TargetAccept is the mean acceptance that a step found in warm-up is to give; 0: 0.8.
	TargetAccept float64 `json:"target_accept,omitempty"`
	// Metric is "auto", "diag", "dense", "lowrank" or "unit" ("": auto; unit where a block
	// is curved, whose metric is its own: others then may have "diag", which auto is there,
	// or "dense"). A Metric of a sampler without a Metropolis test makes the first half of
	// the warm-up a pilot by nuts that finds it, and the step where none is given; see pilot.
	Metric string `json:"metric,omitempty"`
	// MaxDepth bounds a trajectory of nuts to 2^MaxDepth − 1 steps; 0: 10 there.
	MaxDepth int `json:"max_depth,omitempty"`
	// EnergyError has nuts halve the leapfrog steps along which the energy over T moves by
	// more; 0: none is halved.
	EnergyError float64 `json:"energy_error,omitempty"`
}

// NoiseModel says what is known of the gradient's noise, and what noise is added to it.
type NoiseModel struct {
	// GradNoise is V̂, the variance of ∇Ũ that is subtracted from the kick's noise.
	GradNoise float64 `json:"grad_noise"`
	// Fisher estimates V̂ from the minibatches instead, as a matrix (of more than 32
	// coordinates its diagonal and leading directions), from FisherSlices slices of a
	// minibatch (0: 8) every FisherEvery steps (0: 10), and at each of the first 50; see
	// fisher. Minibatches must be independent: BatchOrder "replace". Passes without
	// replacement cancel the noise of their batches by their end, and draws would
	// be too narrow if it were taken out as well; they are refused.
	Fisher       bool `json:"grad_noise_fisher,omitempty"`
	FisherSlices int  `json:"grad_noise_slices,omitempty"`
	FisherEvery  int  `json:"grad_noise_every,omitempty"`
	// SyntheticNoise is "", "diffusion:B" (N(0, 2Bh) added to every step's
	// impulse) or "gradient:V" (N(0, V) added to the gradient).
	SyntheticNoise string `json:"synthetic_noise"`
}

// Preconditioning has the constants of the preconditioner g = 1 ⊘ (λ + √v):
// v ← σ v + (1 − σ) (∇Ũ/N)² in the first half of the warm-up, and the average over its
// second half from then on.
type Preconditioning struct {
	PreconditionerDecay  float64 `json:"preconditioner_decay"`  // σ
	PreconditionerLambda float64 `json:"preconditioner_lambda"` // λ
}

// Goal asks for minibatches with a control variate, and says when their chains are done.
type Goal struct {
	// Anchor asks for minibatches with a control variate at an anchor, by a plan that is
	// found before the first draw; see Anchors and package tall.
	Anchor string `json:"anchor,omitempty"`
	// TargetESS is the least effective sample size at which chains end; 0: they end at Draws.
	TargetESS float64 `json:"target_ess,omitempty"`
	// MaxBias is the largest bias, in standard deviations of a mean; half of it holds for
	// the logarithm of a standard deviation.
	MaxBias float64 `json:"max_bias,omitempty"`
	// TimeLimit ends the chains after so many seconds; 0: never.
	TimeLimit float64 `json:"time_limit_seconds,omitempty"`
}

// Batching says which rows a step reads.
type Batching struct {
	// Batch is the most rows of a step, see batch.NewCut; 0 with FullBatch, or without a
	// row axis.
	Batch      int    `json:"batch"`
	FullBatch  bool   `json:"full_batch"`
	BatchOrder string `json:"batch_order"` // "shuffle", "sequential", "replace", "blocks"
	// BlockRows are the rows of a block, and WindowBlocks the blocks of a window, of the
	// order "blocks" and of rows that are read as they are needed; see batch.Layout. A
	// target that reads its rows settles both.
	BlockRows    int `json:"block_rows,omitempty"`
	WindowBlocks int `json:"window_blocks,omitempty"`
	// Follow has each pass take the rows that there are when it begins: rows may
	// be appended during the run.
	Follow bool `json:"follow,omitempty"`
	// FirstRows, with Follow, are the rows of the first pass, where there may be more by
	// now: a run that died before its first checkpoint begins with the rows that it
	// began with. 0 takes those that there are.
	FirstRows int `json:"-"`
}

// Origin says where chains start.
type Origin struct {
	// InitRadius is r of a random start, uniform on (−r, r) in unconstrained coordinates; 0 is
	// the origin.
	InitRadius float64 `json:"init_radius"`
	// PlainStart has parameters whose model says where they start (`init`) start as others do.
	PlainStart bool `json:"plain_start,omitempty"`
	// Init, if given, is the starting state: one vector for all chains, or one for each.
	Init [][]float64 `json:"init,omitempty"`
}

// Density says which log densities are stored with the draws.
type Density struct {
	// LogDensity asks for log p of every draw, which costs a full pass.
	LogDensity bool `json:"log_density"`
	// LogDensityEstimate asks for the estimate of log p from the step's minibatch.
	LogDensityEstimate bool `json:"log_density_estimate"`
}
