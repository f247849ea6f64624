package optimize

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/runtime/base/setting"
	"github.com/sgppl/sgppl/runtime/dynamics/batch"
	"github.com/sgppl/sgppl/runtime/dynamics/manifold"
	"github.com/sgppl/sgppl/runtime/dynamics/scheme"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// A Config is everything that a run's points depend on besides the model and
// its data. Start from DefaultConfig: a zero is a value, not a default.
type Config struct {
	Algorithm string  `json:"algorithm"`     // a name of Table or an alias
	Step      float64 `json:"step"`          // h
	Schedule  string  `json:"step_schedule"` // see scheme.ParseSchedule
	Steps     int64   `json:"steps"`
	Clip      float64 `json:"clip"` // the greatest length of the mean gradient m; 0: any

	// Of some algorithms, see Settings; nil is the default.
	Burnin      *float64 `json:"burnin,omitempty"`
	AnnealA     *float64 `json:"anneal_a,omitempty"`
	AnnealGamma *float64 `json:"anneal_gamma,omitempty"`
	Friction    *float64 `json:"friction,omitempty"`
	Xi0         *float64 `json:"xi0,omitempty"`
	XiFloor     *float64 `json:"xi_floor,omitempty"`
	Momentum    *float64 `json:"momentum,omitempty"`
	Decay       *float64 `json:"decay,omitempty"`
	V0          *float64 `json:"v0,omitempty"`
	Lambda      *float64 `json:"lambda,omitempty"`

	// Every CheckEvery steps, and after the last, the criterion is computed and
	// the best point kept: the mean log likelihood of a row of the held-out data,
	// or without any the log density with all rows. 0: 20 checks a run.
	CheckEvery int64 `json:"check_every"`
	// Trace hands out what every check found, as points of the kind Check.
	Trace bool `json:"trace,omitempty"`
	// Patience ends a chain after so many checks in a row without a better point,
	// those of an exploration not counted; 0: never. It wants held-out data.
	Patience int64 `json:"patience,omitempty"`
	// The last part of the steps, from 0 to 1, is averaged; and so many iterates,
	// evenly spread over it, are handed out.
	Average  float64 `json:"average"`
	Iterates int64   `json:"iterates,omitempty"`

	// How latent values of rows are drawn, where the model has some.
	target.LocalOptions

	// the most rows of a step, see batch.NewCut; 0 with FullBatch, or without a row axis
	Batch      int    `json:"batch"`
	FullBatch  bool   `json:"full_batch"`
	BatchOrder string `json:"batch_order"` // "shuffle", "sequential", "replace", "blocks"
	// Of the order "blocks", and of rows that are read as they are needed: rows of a
	// block, blocks of a window. 0: as of sampler.Config.
	BlockRows    int `json:"block_rows,omitempty"`
	WindowBlocks int `json:"window_blocks,omitempty"`

	// restarts, each from its own start and with its own random numbers
	Chains int `json:"chains"`
	// Ensemble says that the best points of all chains are used together: predictions are averages
	// over them (Lakshminarayanan, Pritzel and Blundell 2017, "Simple and scalable predictive
	// uncertainty estimation using deep ensembles").
	Ensemble   bool        `json:"ensemble,omitempty"`
	Seed       uint64      `json:"seed"`
	InitRadius float64     `json:"init_radius"` // as of start.Law, like the next two
	PlainStart bool        `json:"plain_start,omitempty"`
	Init       [][]float64 `json:"init,omitempty"`
}

// DefaultConfig has the default of every setting that does not depend on the
// algorithm. The step size has none: it depends on algorithm and model.
func DefaultConfig() Config {
	return Config{Algorithm: Table[0].Name, Schedule: "constant", Steps: 10000, Average: 0.25,
		BatchOrder: string(batch.Shuffle), Chains: 1, Seed: 1, InitRadius: 2}
}

// Checks is how many checks of the criterion a chain has that takes all its steps. The
// configuration is resolved.
func (c *Config) Checks() int64 { return (c.Steps + c.CheckEvery - 1) / c.CheckEvery }

// Resolve checks the settings against each other and the target, and returns
// them with every name canonical and every choice made. held, which may be
// nil, has held-out data. Errors are of type *sampler.ConfigError.
func (c Config) Resolve(t, held target.Target) (Config, error) {
	row, ok := Lookup(c.Algorithm)
	if !ok {
		return c, &sampler.ConfigError{Setting: "algorithm",
			Problem: fmt.Sprintf("there is no algorithm %q", c.Algorithm),
			Try:     "one of " + strings.Join(Names(), ", ")}
	}
	c.Algorithm = row.Name
	if err := runsOn(row, t); err != nil {
		return c, err
	}
	if err := c.checkNumbers(); err != nil {
		return c, err
	}
	if err := c.resolveSettings(row, rowsOf(t)); err != nil {
		return c, err
	}
	if c.CheckEvery == 0 {
		c.CheckEvery = max(c.Steps/20, 1)
	}
	if err := c.checkBatch(t, held); err != nil {
		return c, err
	}
	return c, c.checkHeldOut(t, held)
}

// rowsOf is N: a model without rows counts as one.
func rowsOf(t target.Target) float64 { return float64(max(t.Rows(), 1)) }

// runsOn refuses blocks that are not R^n.
func runsOn(row *Row, t target.Target) error {
	for _, b := range t.Blocks() {
		if b.Geometry.Kind != manifold.Table[0].Kind {
			return &sampler.ConfigError{Setting: "algorithm",
				Problem: fmt.Sprintf("%s runs on R^n, and block %s lives on the space %q", row.Name,
					b.Name, b.Geometry.Kind),
				Try: setting.Text("sgppl sample {sampler} geodesic_sghmc {temperature} 0.01, " +
					"which comes near the mode")}
		}
	}
	return nil
}

func (c *Config) checkNumbers() error {
	bad := func(name, format string, args ...any) error {
		return &sampler.ConfigError{Setting: name, Problem: fmt.Sprintf(format, args...)}
	}
	s, err := scheme.ParseSchedule(c.Schedule, c.Step, c.Steps)
	locals := c.LocalOptions.Filled()
	switch {
	case err != nil:
		return bad("step-schedule", "%v", err)
	case s.Cycle() > 0:
		return bad("step-schedule", "cycle:L,f is of samplers: it draws at the ends of cycles")
	case c.Step == 0 && s.NeedsStep():
		return &sampler.ConfigError{Setting: "step",
			Problem: "a step size is needed: it depends on the algorithm and the scale of the model",
			Try: "0.001 for adam and rmsprop, 0.1 for sgd and sgdm, 0.001/√N for santa, and " +
				"smaller ones where it diverges"}
	case !(c.Step > 0 && special.Finite(c.Step)) && s.NeedsStep():
		return bad("step", "the step size must be above 0, not %g", c.Step)
	case min(locals.Kept, locals.Thin, locals.Leapfrog) < 1:
		return bad("local-draws",
			"draws, sweeps a draw and steps of latent values: each at least 1")
	case c.Steps < 1 || c.Steps >= 1<<53:
		return bad("steps", "%d steps: at least 1", c.Steps)
	case !(c.Clip >= 0 && special.Finite(c.Clip)):
		return bad("clip", "a length is above 0, not %g", c.Clip)
	case c.CheckEvery < 0:
		return bad("check-every", "%d steps: at least 1", c.CheckEvery)
	case c.Patience < 0:
		return bad("patience", "%d checks: at least 1", c.Patience)
	case !(c.Average >= 0 && c.Average <= 1):
		return bad("average", "a part of the steps is from 0 to 1, not %g", c.Average)
	case c.Iterates < 0 || c.Iterates > int64(c.Average*float64(c.Steps)):
		return bad("iterates", "%d iterates of the last %d steps, those that are averaged",
			c.Iterates, int64(c.Average*float64(c.Steps)))
	case c.Chains < 1:
		return bad("chains", "at least 1, not %d", c.Chains)
	case c.Ensemble && c.Chains < 2:
		return bad("ensemble", "an ensemble has at least 2 points, not %d", c.Chains)
	case !(c.InitRadius >= 0 && special.Finite(c.InitRadius)):
		return bad("init", "the radius must be at least 0, not %g", c.InitRadius)
	case len(c.Init) > 1 && len(c.Init) != c.Chains:
		return bad("init", "%d starting points for %d chains", len(c.Init), c.Chains)
	}
	return nil
}

func (c *Config) checkBatch(t, held target.Target) error {
	n := t.Rows()
	if c.BatchOrder == "" {
		c.BatchOrder = string(batch.Shuffle)
	}
	refuse := func(name, try, format string, args ...any) error {
		return &sampler.ConfigError{Setting: name, Problem: setting.Sprintf(format, args...),
			Try: try}
	}
	switch {
	case c.BatchOrder != string(batch.Blocks) &&
		!slices.Contains(batch.Orders, batch.Order(c.BatchOrder)):
		return refuse("batch-order", "shuffle, sequential, replace or blocks",
			"there is no order %q", c.BatchOrder)
	case c.Batch > 0 && c.FullBatch:
		return refuse("batch", "one of them", "a minibatch and {full-batch} exclude each other")
	case n == 0 && c.Batch > 0:
		return refuse("batch", "running without it: every step uses all data",
			"this model has no axis that can be minibatched")
	case n == 0:
		c.FullBatch = true
	case c.Batch == 0 && !c.FullBatch:
		return refuse("batch",
			setting.Sprintf("{batch} %s=%d, or {full-batch} for all rows at every step",
				t.RowAxis(), min(100, n)),
			"%s takes stochastic gradients, and axis %s (%d rows) can be minibatched", c.Algorithm,
			t.RowAxis(), n)
	case c.Batch > n:
		return refuse("batch", setting.Text("{full-batch}"),
			"%d rows are asked for, axis %s has %d", c.Batch, t.RowAxis(), n)
	}
	if err := c.checkBlocks(t, held); err != nil {
		return err
	}
	for _, x := range c.Init {
		if len(x) != t.Dim() {
			return refuse("init", "", "a starting point has %d coordinates, the model %d", len(x), t.Dim())
		}
	}
	return nil
}

func (c *Config) checkHeldOut(t, held target.Target) error {
	switch {
	case held == nil && c.Patience > 0:
		return &sampler.ConfigError{Setting: "patience",
			Problem: "a run ends early on held-out data", Try: setting.Text("{validate} SPEC")}
	case held == nil:
	case held.Rows() == 0:
		return &sampler.ConfigError{Setting: "validate",
			Problem: "there are no rows whose likelihood could be told"}
	case held.Dim() != t.Dim():
		return &sampler.ConfigError{Setting: "validate",
			Problem: fmt.Sprintf("with these rows the model has %d unknowns, and %d with those "+
				"it is fitted to: unknowns of rows cannot be held out", held.Dim(), t.Dim())}
	}
	return nil
}
