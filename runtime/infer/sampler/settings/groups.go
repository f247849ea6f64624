package settings

// Dynamics has the settings of how a state moves: the sampler, its integrator and step, friction,
// temperature and thermostats.
type Dynamics struct {
	Sampler  string  `json:"sampler"`       // "auto", a name of Table or an alias
	Scheme   string  `json:"scheme"`        // "split", "euler"; "": the sampler's default
	Step     float64 `json:"step"`          // h; 0: found in warm-up
	Schedule string  `json:"step_schedule"` // see scheme.ParseSchedule
	Friction float64 `json:"friction"`      // D
	// FixFriction says that a Friction equal to DefaultFriction is meant. Without it, and without a
	// Step, friction and step are both found in the warm-up.
	FixFriction bool     `json:"fix_friction,omitempty"`
	Xi0         *float64 `json:"xi0,omitempty"` // start of the thermostat variables; nil is D
	Temperature float64  `json:"temperature"`   // T: the target is π^{1/T}
	Thermostat  string   `json:"thermostat"`    // "coordinate", "point", "all"; "": the default
	InnerSteps  int      `json:"inner_steps"`   // steps taken on one minibatch
	// Device is what takes the steps: "" is the processor, "cuda" a graphics processor, for targets
	// that can have them taken there. Health looks at fewer steps then.
	Device string `json:"device,omitempty"`
}

// WarmupGoal has the goals of the warm-up of gmc and nuts, and the largest length of their
// trajectories.
type WarmupGoal struct {
	// TargetAccept is the mean acceptance to which the warm-up adapts the step; 0: 0.8.
	TargetAccept float64 `json:"target_accept,omitempty"`
	// Metric is "auto", "diag", "dense", "lowrank" or "unit" ("": auto; unit where a block is curved,
	// which has its own metric; flat blocks then may have "diag", the meaning of auto there, or
	// "dense"). With a sampler without a Metropolis test, a Metric makes the first half of the warm-up
	// a pilot run of nuts that finds the metric, and the step if none is given; see pilot.
	Metric string `json:"metric,omitempty"`
	// MaxDepth limits a trajectory of nuts to 2^MaxDepth − 1 steps; 0: 10.
	MaxDepth int `json:"max_depth,omitempty"`
	// EnergyError has nuts halve leapfrog steps along which the energy over T changes by more; 0: none
	// is halved.
	EnergyError float64 `json:"energy_error,omitempty"`
}

// Exchange has the settings of exchanges between temperatures and between labels.
type Exchange struct {
	// Replicas is the number of temperatures between which states are exchanged, from a wide reference
	// law to the posterior; 0: no exchange.
	Replicas int `json:"replicas,omitempty"`
	// Permute is the dim along which two entries of all params are exchanged at random, as the labels
	// of a mixture, by a Metropolis test after each step of gmc or nuts; "": none are.
	Permute string `json:"permute,omitempty"`
}

// NoiseModel describes the known noise of the gradient, and noise to be added to it.
type NoiseModel struct {
	// GradNoise is V̂, the variance of ∇Ũ that is subtracted from the kick's noise.
	GradNoise float64 `json:"grad_noise"`
	// Fisher estimates V̂ from the minibatches instead, as a matrix (of more than 32 coordinates its
	// diagonal and leading directions), from FisherSlices slices of a minibatch (0: 8) every
	// FisherEvery steps (0: 10), and at each of the first 50 steps; see fisher. Minibatches must be
	// independent: BatchOrder "replace". In passes without replacement the noise of batches cancels by
	// the end of the pass, and subtracting it too would make draws too narrow; they are refused.
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

// Goal asks for minibatches with a control variate, and sets when their chains end.
type Goal struct {
	// Anchor asks for minibatches with a control variate at an anchor, by a plan that is made before
	// the first draw; see Anchors and package tall.
	Anchor string `json:"anchor,omitempty"`
	// TargetESS is the smallest effective sample size at which chains end; 0: they end after Draws.
	TargetESS float64 `json:"target_ess,omitempty"`
	// MaxBias is the largest bias of a mean, in standard deviations. Half of it is the limit for the
	// logarithm of a standard deviation.
	MaxBias float64 `json:"max_bias,omitempty"`
	// TimeLimit ends the chains after this many seconds; 0: no limit.
	TimeLimit float64 `json:"time_limit_seconds,omitempty"`
}

// Batching sets which rows a step reads.
type Batching struct {
	// Batch is the largest number of rows of a step, see batch.NewCut; 0 with FullBatch, or without a
	// row axis.
	Batch      int    `json:"batch"`
	FullBatch  bool   `json:"full_batch"`
	BatchOrder string `json:"batch_order"` // "shuffle", "sequential", "replace", "blocks"
	// BlockRows is the number of rows of a block, and WindowBlocks that of blocks in a window, for the
	// order "blocks" and for rows that are read when they are needed; see batch.Layout. A target that
	// reads its rows determines both.
	BlockRows    int `json:"block_rows,omitempty"`
	WindowBlocks int `json:"window_blocks,omitempty"`
	// Follow has each pass use the rows that exist when the pass begins: rows may be appended during
	// the run.
	Follow bool `json:"follow,omitempty"`
	// FirstRows, with Follow, is the number of rows in the first pass, if there may be more by now: a
	// run that ended before its first checkpoint begins again with the same rows. 0 takes all present
	// rows.
	FirstRows int `json:"-"`
}

// Origin sets where chains start.
type Origin struct {
	// InitRadius is r of a random start, uniform on (−r, r) in unconstrained coordinates; 0 is
	// the origin.
	InitRadius float64 `json:"init_radius"`
	// PlainStart ignores the starts that the model gives (`init`).
	PlainStart bool `json:"plain_start,omitempty"`
	// Init, if given, is the starting state: one vector for all chains, or one for each.
	Init [][]float64 `json:"init,omitempty"`
}

// Density sets which log densities are stored with the draws.
type Density struct {
	// LogDensity asks for log p of every draw, which costs a full pass each.
	LogDensity bool `json:"log_density"`
	// LogDensityEstimate asks for the estimate of log p from the step's minibatch.
	LogDensityEstimate bool `json:"log_density_estimate"`
}
