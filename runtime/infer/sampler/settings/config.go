// Package settings has the settings of a run, their defaults, settings of some blocks alone, and
// the checks that refuse settings or combinations of them, with errors that say what to change.
package settings

import (
	"fmt"
	"math"
	"strings"

	"github.com/sgppl/sgppl/runtime/base/setting"
	"github.com/sgppl/sgppl/runtime/base/spelling"
	"github.com/sgppl/sgppl/runtime/dynamics/batch"
	"github.com/sgppl/sgppl/runtime/dynamics/flow"
	"github.com/sgppl/sgppl/runtime/dynamics/manifold"
	"github.com/sgppl/sgppl/runtime/dynamics/scheme"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler/table"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// A Config has all settings that a run's draws depend on, other than the model and its data. Start
// from DefaultConfig: a zero is a value, not a default. Its JSON is flat: the keys of its groups,
// in their order.
type Config struct {
	Dynamics
	// Leapfrog is the number of steps of a trajectory of gmc; 0: 10 there. It is a field of Config,
	// not of a group, so that it hides the field of LocalOptions.
	Leapfrog int `json:"leapfrog,omitempty"`
	WarmupGoal
	Exchange
	NoiseModel
	Preconditioning

	// Blocks has settings for some params alone; see For. All blocks take one step together, with one
	// gradient at one point, and each block has its own dynamics. A Metropolis test applies to the
	// whole state: a sampler with one must be that of all blocks.
	Blocks []BlockConfig `json:"blocks,omitempty"`

	// Options for drawing latent values of rows, if the model has some.
	target.LocalOptions

	Goal
	Batching

	// The length of a run. These are fields of Config, not of a group, since Thin hides that of
	// LocalOptions.
	Chains int   `json:"chains"`
	Warmup int64 `json:"warmup"` // in steps
	Draws  int64 `json:"draws"`
	Thin   int64 `json:"thin"` // a draw is taken after every Thin steps
	// Begun is the number of draws with which the run began, if more were requested later; otherwise
	// 0. Settings that depend on the length of the run stay as they were.
	Begun      int64  `json:"begun_draws,omitempty"`
	Seed       uint64 `json:"seed"`
	SaveWarmup bool   `json:"save_warmup"` // also hand out every Thin-th state of the warm-up

	Origin
	Density
}

// DefaultConfig returns the default of every setting. The step size has none, since it depends on
// the model's scale; 0 means that the warm-up finds it.
func DefaultConfig() Config {
	return Config{
		Dynamics: Dynamics{
			Sampler: "auto", Schedule: "constant", Friction: DefaultFriction,
			Temperature: 1, InnerSteps: 1,
		},
		Preconditioning: Preconditioning{PreconditionerDecay: 0.99, PreconditionerLambda: 1e-5},
		Batching:        Batching{BatchOrder: string(batch.Shuffle)},
		Origin:          Origin{InitRadius: 2},
		Chains:          4, Warmup: 1000, Draws: 1000, Thin: 1, Seed: 1,
	}
}

// Steps returns the number of steps of the run.
func (c *Config) Steps() int64 { return c.Warmup + c.Draws*c.Thin }

// BegunSteps returns the number of steps of the run as it was begun.
func (c *Config) BegunSteps() int64 {
	if c.Begun > 0 {
		return c.Warmup + c.Begun*c.Thin
	}
	return c.Steps()
}

// More changes the settings of a complete run to ask for n more draws of every chain. Chains
// continue from their checkpoints. It is refused if the past of a chain depends on the length of
// the run.
func (c *Config) More(n int64) error {
	if n < 1 || n > (math.MaxInt64-c.Steps())/c.Thin {
		return &ConfigError{Setting: "more-draws",
			Problem: fmt.Sprintf("%d is not a number of draws", n), Try: "at least 1"}
	}
	schedules := []string{c.Schedule}
	for i := range c.Blocks {
		schedules = append(schedules, c.Blocks[i].Schedule)
	}
	for _, s := range schedules {
		if s != "" && s != "constant" {
			return &ConfigError{Setting: "more-draws",
				Problem: setting.Sprintf("the steps of {step-schedule} %s are spread over the "+
					"whole run, and it has come to their end", s),
				Try: setting.Text("a new run with more {draws}")}
		}
	}
	if c.Begun == 0 {
		c.Begun = c.Draws
	}
	c.Draws += n
	return nil
}

// Resolve checks the settings against each other and the target, and returns
// them with every name canonical and every choice made. Errors are
// *ConfigError and *BlockError.
func (c Config) Resolve(t target.Target) (Config, error) {
	if err := Undropped(t); err != nil {
		return c, err
	}
	if err := c.countReplicas(); err != nil {
		return c, err
	}
	if err := c.allByConditionals(); err != nil {
		return c, err
	}
	if len(c.Blocks) > 0 {
		return c.resolveBlocks(t)
	}
	factors, err := manifold.Product(t.Blocks(), t.Dim())
	if err != nil {
		return c, err
	}
	return c.resolve(t, factors)
}

// Undropped returns the error that a target has dropout, and so no posterior; nil if it has none.
func Undropped(t target.Target) error {
	at := target.MasksOf(t)
	if len(at) == 0 {
		return nil
	}
	return &coded{&ConfigError{Setting: "sampler",
		Problem: fmt.Sprintf("the model has dropout (%s), which changes the network at random from "+
			"step to step: there is no one posterior to draw from", spelling.List(at)),
		Try: "sgppl optimize, or the model without dropout (its rate 0)"}, "S0108"}
}

// resolve is Resolve for the given blocks, which have these settings.
func (c Config) resolve(t target.Target, factors []manifold.Factor) (Config, error) {
	if err := c.resolveSampler(t); err != nil {
		return c, err
	}
	row, _ := table.Lookup(c.Sampler)
	if err := c.checkStill(row, t); err != nil {
		return c, err
	}
	for i := range factors {
		if f := &factors[i]; !row.Runs(f) {
			return c, &BlockError{Sampler: row.Name, Block: f.Name, Kind: f.Space.Kind(),
				Only: row.Space, Usable: table.Usable(f)}
		}
	}
	for _, check := range []func(*Config, target.Target) error{
		(*Config).checkMetropolis, (*Config).checkNumbers, (*Config).checkBatch,
		(*Config).checkNoise, (*Config).checkInit, (*Config).checkReplicas,
		(*Config).checkPermute,
	} {
		if err := check(&c, t); err != nil {
			return c, err
		}
	}
	return c, nil
}

// Validate returns the error of Resolve.
func (c Config) Validate(t target.Target) error {
	_, err := c.Resolve(t)
	return err
}

func (c *Config) resolveSampler(t target.Target) error {
	if c.Sampler == "auto" || c.Sampler == "" {
		c.Sampler = "geodesic_sgnht"
		if t.Dim() == 0 {
			c.Sampler = "fixed"
		} else if c.Batch == 0 && target.FullPasses(t) && len(target.LocalsOf(t)) == 0 {
			c.Sampler = "nuts"
			if curvedBlocks(t) {
				c.Sampler = "gmc"
			}
		}
	}
	row, ok := table.Lookup(c.Sampler)
	if !ok {
		problem := fmt.Sprintf("there is no sampler %q", c.Sampler)
		if near := spelling.Nearest(c.Sampler, table.Known()); near != "" {
			problem += fmt.Sprintf(" (did you mean %s?)", near)
		}
		return &coded{&ConfigError{Setting: "sampler", Problem: problem,
			Try: "one of " + strings.Join(table.Names(), ", ")}, "S0101"}
	}
	c.Sampler = row.Name
	s, ok := row.Scheme(c.Scheme)
	if !ok {
		var names []string
		for _, s := range row.Schemes {
			names = append(names, s.Name)
		}
		return &ConfigError{Setting: "scheme",
			Problem: fmt.Sprintf("sampler %s has no scheme %q", row.Name, c.Scheme),
			Try:     strings.Join(names, ", ")}
	}
	c.Scheme = s.Name
	return c.resolveThermostat(row)
}

func (c *Config) resolveThermostat(row *table.Row) error {
	if c.Thermostat == "" {
		c.Thermostat = row.Grains[0].String()
	}
	if _, ok := row.Grain(c.Thermostat); !ok {
		if !row.Thermostat() {
			return &ConfigError{Setting: "thermostat",
				Problem: fmt.Sprintf("sampler %s has none", row.Name),
				Try:     "sgnht, msgnht or geodesic_sgnht"}
		}
		return &ConfigError{Setting: "thermostat",
			Problem: fmt.Sprintf("sampler %s has no thermostat %q", row.Name, c.Thermostat),
			Try:     "geodesic_sgnht, which has coordinate, point and all"}
	}
	if c.Thermostat == flow.Constant.String() {
		c.Thermostat = ""
	}
	if c.Xi0 != nil && !row.Thermostat() {
		return &ConfigError{Setting: "xi0",
			Problem: fmt.Sprintf("sampler %s has no thermostat to start: its friction is constant",
				row.Name), Try: setting.Text("{friction}")}
	}
	return nil
}

func (c *Config) checkNumbers(t target.Target) error {
	row, _ := table.Lookup(c.Sampler)
	locals := c.LocalOptions.Filled()
	for _, n := range []struct {
		setting string
		value   int64
		least   int64
	}{
		{"chains", int64(c.Chains), 1}, {"warmup", c.Warmup, 0}, {"draws", c.Draws, 0},
		{"thin", c.Thin, 1}, {"inner-steps", int64(c.InnerSteps), 1}, {"batch", int64(c.Batch), 0},
		{"local-draws", int64(locals.Kept), 1}, {"local-thin", int64(locals.Thin), 1},
		{"local-leapfrog", int64(locals.Leapfrog), 1},
	} {
		if n.value < n.least {
			return &ConfigError{Setting: n.setting,
				Problem: fmt.Sprintf("%d is below %d", n.value, n.least)}
		}
	}
	if c.Draws > (math.MaxInt64-c.Warmup)/c.Thin {
		return &ConfigError{Setting: "draws",
			Problem: "warm-up and draws times thin are more steps than can be counted"}
	}
	s, err := scheme.ParseSchedule(c.Schedule, c.Step, c.Steps())
	if err != nil {
		return &ConfigError{Setting: "step-schedule", Problem: err.Error()}
	}
	if c.Schedule == "" {
		c.Schedule = "constant"
	}
	if n := s.Cycle(); n > 0 {
		if err := c.checkCycles(row, n); err != nil {
			return err
		}
	}
	if s.NeedsStep() && !(c.Step > 0 && special.Finite(c.Step)) && !c.Adapts() && !c.Tunes() &&
		!row.Conditionals && !row.Still {
		return &ConfigError{Setting: "step",
			Problem: fmt.Sprintf("the step size must be above 0, not %g", c.Step),
			Try:     setting.Text("no {step}, for one that is found in warm-up")}
	}
	if !(c.Temperature > 0 && special.Finite(c.Temperature)) {
		return &ConfigError{Setting: "temperature",
			Problem: fmt.Sprintf("the temperature must be above 0, not %g", c.Temperature),
			Try:     "an optimiser for the mode itself"}
	}
	if !(c.Friction >= 0 && special.Finite(c.Friction)) {
		return &ConfigError{Setting: "friction",
			Problem: fmt.Sprintf("the friction must be at least 0, not %g", c.Friction)}
	}
	if row.Velocity && !row.Thermostat() && !row.Metropolis && c.Friction == 0 {
		return &ConfigError{Setting: "friction",
			Problem: fmt.Sprintf("without friction %s has no noise and forgets nothing", row.Name),
			Try:     setting.Text("{friction} 1, or msgnht with {xi0}")}
	}
	if c.Xi0 != nil && !special.Finite(*c.Xi0) {
		return &ConfigError{Setting: "xi0",
			Problem: fmt.Sprintf("%g is not a number to start at", *c.Xi0)}
	}
	if !c.Tunes() {
		c.FixFriction = false
	}
	return c.checkPreconditioner(row)
}

func (c *Config) checkInit(t target.Target) error {
	if !(c.InitRadius >= 0 && special.Finite(c.InitRadius)) {
		return &ConfigError{Setting: "init",
			Problem: fmt.Sprintf("the radius must be at least 0, not %g", c.InitRadius),
			Try:     "2, the default"}
	}
	if n := len(c.Init); n > 1 && n != c.Chains {
		return &ConfigError{Setting: "init",
			Problem: fmt.Sprintf("%d starting points for %d chains", n, c.Chains),
			Try:     "one for all, or one for each"}
	}
	for _, x := range c.Init {
		if len(x) != t.Dim() {
			return &ConfigError{Setting: "init",
				Problem: fmt.Sprintf("a starting point has %d coordinates, the model %d", len(x),
					t.Dim())}
		}
	}
	return nil
}
