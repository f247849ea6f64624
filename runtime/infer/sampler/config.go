package sampler

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/runtime/base/setting"
	"github.com/sgppl/sgppl/runtime/base/spelling"
	"github.com/sgppl/sgppl/runtime/dynamics/batch"
	"github.com/sgppl/sgppl/runtime/dynamics/flow"
	"github.com/sgppl/sgppl/runtime/dynamics/manifold"
	"github.com/sgppl/sgppl/runtime/dynamics/scheme"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// A Config is everything that a run's draws depend on besides the model and
// its data. Start from DefaultConfig: a zero is a value, not a default.
type Config struct {
	Sampler  string  `json:"sampler"`       // "auto", a name of Table or an alias
	Scheme   string  `json:"scheme"`        // "split", "euler"; "" is split unless the sampler has only one
	Step     float64 `json:"step"`          // h; 0: found in warm-up
	Schedule string  `json:"step_schedule"` // see scheme.ParseSchedule
	Friction float64 `json:"friction"`      // D
	// FixFriction has a Friction of DefaultFriction taken as it is. Without a Step it
	// stands for one that is found in warm-up, as the step is.
	FixFriction bool     `json:"fix_friction,omitempty"`
	Xi0         *float64 `json:"xi0,omitempty"` // the thermostats' start; nil is D
	Temperature float64  `json:"temperature"`   // T: the target is π^{1/T}
	Thermostat  string   `json:"thermostat"`    // "coordinate", "point", "all"; "" is the sampler's own
	InnerSteps  int      `json:"inner_steps"`   // steps on one minibatch
	// Leapfrog is the number of steps of a trajectory of gmc; 0: 10 there.
	Leapfrog int `json:"leapfrog,omitempty"`
	// Of gmc and nuts without a Step, which find it in warm-up: the mean
	// acceptance it is to give (0: 0.8), and the metric, "auto", "diag", "dense",
	// "lowrank" or "unit" ("": auto; unit where a block is curved, whose metric is its
	// own: others then may have "diag", which auto is there, or "dense"). A Metric of a sampler
	// without a Metropolis test makes the first half of the warm-up a pilot by
	// nuts that finds it, and the step where none is given; see pilot.
	TargetAccept float64 `json:"target_accept,omitempty"`
	Metric       string  `json:"metric,omitempty"`
	// MaxDepth bounds a trajectory of nuts to 2^MaxDepth − 1 steps; 0: 10 there.
	MaxDepth  int     `json:"max_depth,omitempty"`
	GradNoise float64 `json:"grad_noise"` // V̂: variance of ∇Ũ that the kick's noise makes room for
	// Fisher estimates V̂ from the minibatches instead, as a matrix (of more than 32
	// coordinates its diagonal and leading directions), from FisherSlices slices of a minibatch (0: 8) every
	// FisherEvery steps (0: 10), and at each of the first 50; see fisher.
	// Minibatches must be independent: BatchOrder "replace". Passes without
	// replacement cancel the noise of their batches by their end, and draws would
	// be too narrow if it were taken out as well; they are refused.
	Fisher       bool `json:"grad_noise_fisher,omitempty"`
	FisherSlices int  `json:"grad_noise_slices,omitempty"`
	FisherEvery  int  `json:"grad_noise_every,omitempty"`
	// SyntheticNoise is "", "diffusion:B" (N(0, 2Bh) added to every step's
	// impulse) or "gradient:V" (N(0, V) added to the gradient).
	SyntheticNoise string `json:"synthetic_noise"`
	// The preconditioner g = 1 ⊘ (λ + √v), v ← σ v + (1 − σ) (∇Ũ/N)² in the first
	// half of the warm-up, the average over its second half after it.
	PreconditionerDecay  float64 `json:"preconditioner_decay"`
	PreconditionerLambda float64 `json:"preconditioner_lambda"`

	// Blocks are settings that some params have of their own; see For. All blocks
	// take one step together, with one gradient at one point, and each moves by
	// its own dynamics. A Metropolis test is of the whole state: samplers that
	// have one are for all blocks or none.
	Blocks []BlockConfig `json:"blocks,omitempty"`

	// How latent values of rows are drawn, where the model has some.
	target.LocalOptions

	// Anchor asks for minibatches with a control variate at an anchor, by a plan that is
	// found before the first draw; see Anchors and package tall. Their chains go on until the least effective
	// sample size is TargetESS (0: until Draws), the bias is known to be below MaxBias
	// standard deviations of a mean and half of it of the logarithm of a standard
	// deviation, or TimeLimit seconds are over (0: never).
	Anchor    string  `json:"anchor,omitempty"`
	TargetESS float64 `json:"target_ess,omitempty"`
	MaxBias   float64 `json:"max_bias,omitempty"`
	TimeLimit float64 `json:"time_limit_seconds,omitempty"`

	Batch      int    `json:"batch"` // the most rows of a step, see batch.NewCut; 0 with FullBatch, or without a row axis
	FullBatch  bool   `json:"full_batch"`
	BatchOrder string `json:"batch_order"` // "shuffle", "sequential", "replace", "blocks"
	// Of the order "blocks", and of rows that are read as they are needed: rows of
	// a block, and blocks of a window; see batch.Layout. A target that reads its
	// rows settles both.
	BlockRows    int `json:"block_rows,omitempty"`
	WindowBlocks int `json:"window_blocks,omitempty"`
	// Follow has each pass take the rows that there are when it begins: rows may
	// be appended during the run.
	Follow bool `json:"follow,omitempty"`
	// FirstRows, with Follow, are the rows of the first pass, where there may be more by
	// now: a run that died before its first checkpoint begins with the rows that it
	// began with. 0 takes those that there are.
	FirstRows int `json:"-"`

	Chains     int    `json:"chains"`
	Warmup     int64  `json:"warmup"` // steps
	Draws      int64  `json:"draws"`
	Thin       int64  `json:"thin"` // a draw is the state after this many further steps
	Seed       uint64 `json:"seed"`
	SaveWarmup bool   `json:"save_warmup"` // also hand out every Thin-th state of the warm-up

	// InitRadius: a random start, uniform on (−r, r) in unconstrained
	// coordinates; 0 is the origin. Init, if given, is the starting state: one
	// vector for all chains, or one for each. Parameters whose model says where
	// they start (`init`) start there, unless PlainStart is set.
	InitRadius float64     `json:"init_radius"`
	PlainStart bool        `json:"plain_start,omitempty"`
	Init       [][]float64 `json:"init,omitempty"`
	// LogDensity asks for log p of every draw, which costs a full pass;
	// LogDensityEstimate for its estimate from the step's minibatch.
	LogDensity         bool `json:"log_density"`
	LogDensityEstimate bool `json:"log_density_estimate"`
}

// DefaultConfig has the default of every setting. The step size has none: it
// depends on the model's scale and is refused when 0.
func DefaultConfig() Config {
	return Config{
		Sampler: "auto", Schedule: "constant", Friction: DefaultFriction, Temperature: 1, InnerSteps: 1,
		PreconditionerDecay: 0.99, PreconditionerLambda: 1e-5,
		BatchOrder: string(batch.Shuffle),
		Chains:     4, Warmup: 1000, Draws: 1000, Thin: 1, Seed: 1, InitRadius: 2,
	}
}

// Steps is the length of the run.
func (c *Config) Steps() int64 { return c.Warmup + c.Draws*c.Thin }

// Resolve checks the settings against each other and the target, and returns
// them with every name canonical and every choice made. Errors are
// *ConfigError and *BlockError.
func (c Config) Resolve(t target.Target) (Config, error) {
	if len(c.Blocks) > 0 {
		return c.resolveBlocks(t)
	}
	factors, err := manifold.Product(t.Blocks(), t.Dim())
	if err != nil {
		return c, err
	}
	return c.resolve(t, factors)
}

// resolve is Resolve for the blocks that have the settings.
func (c Config) resolve(t target.Target, factors []manifold.Factor) (Config, error) {
	if err := c.resolveSampler(t); err != nil {
		return c, err
	}
	row, _ := Lookup(c.Sampler)
	for i := range factors {
		if f := &factors[i]; !row.runs(f) {
			return c, &BlockError{Sampler: row.Name, Block: f.Name, Kind: f.Space.Kind(), Only: row.Space, Usable: usable(f)}
		}
	}
	for _, check := range []func(*Config, target.Target) error{
		(*Config).checkMetropolis, (*Config).checkNumbers, (*Config).checkBatch, (*Config).checkNoise, (*Config).checkInit,
	} {
		if err := check(&c, t); err != nil {
			return c, err
		}
	}
	return c, nil
}

// Validate is Resolve for its error.
func (c Config) Validate(t target.Target) error {
	_, err := c.Resolve(t)
	return err
}

func (c *Config) resolveSampler(t target.Target) error {
	if c.Sampler == "auto" || c.Sampler == "" {
		c.Sampler = "geodesic_sgnht"
		_, _, streams := target.StreamOf(t)
		if c.Batch == 0 && !streams && len(target.LocalsOf(t)) == 0 {
			c.Sampler = "nuts"
			if curvedBlocks(t) {
				c.Sampler = "gmc"
			}
		}
	}
	row, ok := Lookup(c.Sampler)
	if !ok {
		problem := fmt.Sprintf("there is no sampler %q", c.Sampler)
		if near := spelling.Nearest(c.Sampler, known()); near != "" {
			problem += fmt.Sprintf(" (did you mean %s?)", near)
		}
		return &coded{&ConfigError{Setting: "sampler", Problem: problem, Try: "one of " + strings.Join(Names(), ", ")}, "S0101"}
	}
	c.Sampler = row.Name
	s, ok := row.Scheme(c.Scheme)
	if !ok {
		var names []string
		for _, s := range row.Schemes {
			names = append(names, s.Name)
		}
		return &ConfigError{Setting: "scheme", Problem: fmt.Sprintf("sampler %s has no scheme %q", row.Name, c.Scheme), Try: strings.Join(names, ", ")}
	}
	c.Scheme = s.Name
	return c.resolveThermostat(row)
}

func (c *Config) resolveThermostat(row *Row) error {
	if c.Thermostat == "" {
		c.Thermostat = row.Grains[0].String()
	}
	if _, ok := row.grain(c.Thermostat); !ok {
		if !row.Thermostat() {
			return &ConfigError{Setting: "thermostat", Problem: fmt.Sprintf("sampler %s has none", row.Name), Try: "sgnht, msgnht or geodesic_sgnht"}
		}
		return &ConfigError{Setting: "thermostat", Problem: fmt.Sprintf("sampler %s has no thermostat %q", row.Name, c.Thermostat), Try: "geodesic_sgnht, which has coordinate, point and all"}
	}
	if c.Thermostat == flow.Constant.String() {
		c.Thermostat = ""
	}
	if c.Xi0 != nil && !row.Thermostat() {
		return &ConfigError{Setting: "xi0", Problem: fmt.Sprintf("sampler %s has no thermostat to start: its friction is constant", row.Name), Try: setting.Text("{friction}")}
	}
	return nil
}

func (r *Row) grain(name string) (flow.Grain, bool) {
	for _, g := range r.Grains {
		if name == "" || g.String() == name {
			return g, true
		}
	}
	return 0, false
}

func (c *Config) checkNumbers(t target.Target) error {
	row, _ := Lookup(c.Sampler)
	locals := c.LocalOptions.Filled()
	for _, n := range []struct {
		setting string
		value   int64
		least   int64
	}{
		{"chains", int64(c.Chains), 1}, {"warmup", c.Warmup, 0}, {"draws", c.Draws, 0},
		{"thin", c.Thin, 1}, {"inner-steps", int64(c.InnerSteps), 1}, {"batch", int64(c.Batch), 0},
		{"local-draws", int64(locals.Kept), 1}, {"local-thin", int64(locals.Thin), 1}, {"local-leapfrog", int64(locals.Leapfrog), 1},
	} {
		if n.value < n.least {
			return &ConfigError{Setting: n.setting, Problem: fmt.Sprintf("%d is below %d", n.value, n.least)}
		}
	}
	if c.Draws > (math.MaxInt64-c.Warmup)/c.Thin {
		return &ConfigError{Setting: "draws", Problem: "warm-up and draws times thin are more steps than can be counted"}
	}
	s, err := scheme.ParseSchedule(c.Schedule, c.Step, c.Steps())
	if err != nil {
		return &ConfigError{Setting: "step-schedule", Problem: err.Error()}
	}
	if c.Schedule == "" {
		c.Schedule = "constant"
	}
	if s.NeedsStep() && !(c.Step > 0 && special.Finite(c.Step)) && !c.adapts() && !c.tunes() {
		return &ConfigError{Setting: "step", Problem: fmt.Sprintf("the step size must be above 0, not %g", c.Step), Try: setting.Text("no {step}, for one that is found in warm-up")}
	}
	if !(c.Temperature > 0 && special.Finite(c.Temperature)) {
		return &ConfigError{Setting: "temperature", Problem: fmt.Sprintf("the temperature must be above 0, not %g", c.Temperature), Try: "an optimiser for the mode itself"}
	}
	if !(c.Friction >= 0 && special.Finite(c.Friction)) {
		return &ConfigError{Setting: "friction", Problem: fmt.Sprintf("the friction must be at least 0, not %g", c.Friction)}
	}
	if row.Velocity && !row.Thermostat() && !row.Metropolis && c.Friction == 0 {
		return &ConfigError{Setting: "friction", Problem: fmt.Sprintf("without friction %s has no noise and forgets nothing", row.Name), Try: setting.Text("{friction} 1, or msgnht with {xi0}")}
	}
	if c.Xi0 != nil && !special.Finite(*c.Xi0) {
		return &ConfigError{Setting: "xi0", Problem: fmt.Sprintf("%g is not a number to start at", *c.Xi0)}
	}
	if !c.tunes() {
		c.FixFriction = false
	}
	return c.checkPreconditioner(row)
}

func (c *Config) checkBatch(t target.Target) error {
	n := t.Rows()
	if c.BatchOrder == "" {
		c.BatchOrder = string(batch.Shuffle)
	}
	if o := batch.Order(c.BatchOrder); o != batch.Blocks && !slices.Contains(batch.Orders, o) {
		return &ConfigError{Setting: "batch-order", Problem: fmt.Sprintf("there is no order %q", c.BatchOrder), Try: "shuffle, sequential, replace or blocks"}
	}
	if err := c.checkBlocks(t); err != nil {
		return err
	}
	switch {
	case c.Batch > 0 && c.FullBatch:
		return &ConfigError{Setting: "batch", Problem: setting.Text("a minibatch and {full-batch} exclude each other"), Try: "one of them"}
	case n == 0 && c.Batch > 0:
		return &ConfigError{Setting: "batch", Problem: "this model has no axis that can be minibatched", Try: "running without it: every step uses all data"}
	case n == 0:
		c.FullBatch = true
	case c.Batch == 0 && !c.FullBatch:
		c.Batch = DefaultBatch(t)
	case c.Batch > n:
		return &ConfigError{Setting: "batch", Problem: fmt.Sprintf("%d rows are asked for, axis %s has %d", c.Batch, t.RowAxis(), n), Try: setting.Text("{full-batch}")}
	}
	return nil
}

// synthetic reads SyntheticNoise.
func (c *Config) synthetic() (diffusion, gradient float64, err error) {
	if c.SyntheticNoise == "" {
		return 0, 0, nil
	}
	kind, number, _ := strings.Cut(c.SyntheticNoise, ":")
	x, perr := strconv.ParseFloat(number, 64)
	if perr == nil && x >= 0 && special.Finite(x) {
		switch kind {
		case "diffusion":
			return x, 0, nil
		case "gradient":
			return 0, x, nil
		}
	}
	return 0, 0, &ConfigError{Setting: "synthetic-noise", Problem: fmt.Sprintf("%q cannot be read", c.SyntheticNoise), Try: "diffusion:B or gradient:V with a number that is not negative"}
}

func (c *Config) checkNoise(t target.Target) error {
	row, _ := Lookup(c.Sampler)
	if _, _, err := c.synthetic(); err != nil {
		return err
	}
	if !(c.GradNoise >= 0 && special.Finite(c.GradNoise)) {
		return &ConfigError{Setting: "grad-noise", Problem: fmt.Sprintf("a variance is at least 0, not %g", c.GradNoise)}
	}
	if err := c.checkFisher(); err != nil {
		return err
	}
	if c.GradNoise == 0 {
		return nil
	}
	if !row.Velocity {
		return &ConfigError{Setting: "grad-noise", Problem: fmt.Sprintf("sampler %s has no kick whose noise could make room", row.Name), Try: "sghmc or a thermostat"}
	}
	s, err := scheme.ParseSchedule(c.Schedule, c.Step, c.Steps())
	if err != nil {
		return &ConfigError{Setting: "step-schedule", Problem: err.Error()}
	}
	have, need := 2*c.Friction*c.Temperature, c.GradNoise*s.Max()
	if have < need {
		return &ConfigError{Setting: "grad-noise", Problem: fmt.Sprintf("the kick's noise 2DT = %g is less than the gradient's V̂h = %g", have, need),
			Try: setting.Sprintf("{friction} %g, or a smaller {step}", math.Ceil(need/(2*c.Temperature)))}
	}
	return nil
}

func (c *Config) checkInit(t target.Target) error {
	if !(c.InitRadius >= 0 && special.Finite(c.InitRadius)) {
		return &ConfigError{Setting: "init", Problem: fmt.Sprintf("the radius must be at least 0, not %g", c.InitRadius), Try: "2, the default"}
	}
	if n := len(c.Init); n > 1 && n != c.Chains {
		return &ConfigError{Setting: "init", Problem: fmt.Sprintf("%d starting points for %d chains", n, c.Chains), Try: "one for all, or one for each"}
	}
	for _, x := range c.Init {
		if len(x) != t.Dim() {
			return &ConfigError{Setting: "init", Problem: fmt.Sprintf("a starting point has %d coordinates, the model %d", len(x), t.Dim())}
		}
	}
	return nil
}
