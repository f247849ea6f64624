package settings

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/runtime/base/setting"
	"github.com/sgppl/sgppl/runtime/base/spelling"
	"github.com/sgppl/sgppl/runtime/dynamics/manifold"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler/table"
)

// A BlockConfig has settings for some params. Settings that are "" or nil are those of the Config.
// A scheme, thermostat, ξ₀ or V̂ of the Config that does not apply to the block's sampler is
// ignored.
type BlockConfig struct {
	Params      []string `json:"params"` // names, or globs with * and ?
	Sampler     string   `json:"sampler,omitempty"`
	Scheme      string   `json:"scheme,omitempty"`
	Step        *float64 `json:"step,omitempty"`
	Schedule    string   `json:"step_schedule,omitempty"`
	Friction    *float64 `json:"friction,omitempty"`
	FixFriction *bool    `json:"fix_friction,omitempty"` // nil: true if Friction is set
	Xi0         *float64 `json:"xi0,omitempty"`
	Temperature *float64 `json:"temperature,omitempty"`
	Thermostat  string   `json:"thermostat,omitempty"`
	GradNoise   *float64 `json:"grad_noise,omitempty"`
	// Those of the preconditioner, as in Config.
	PreconditionerDecay  *float64 `json:"preconditioner_decay,omitempty"`
	PreconditionerLambda *float64 `json:"preconditioner_lambda,omitempty"`
}

// For appends settings for params, given by names or globs, and returns them to be filled in before
// the next call. If several name the same param, the last counts, setting by setting.
//
//	c.Sampler, c.Step, c.Friction = "msgnht", 1e-4, 40
//	phi := c.For("phi")
//	phi.Sampler, phi.Step = "sgrld", new(0.01)
func (c *Config) For(params ...string) *BlockConfig {
	c.Blocks = append(slices.Clip(c.Blocks), BlockConfig{Params: params})
	return &c.Blocks[len(c.Blocks)-1]
}

// names reports whether the settings apply to a param.
func (b *BlockConfig) names(param string) bool {
	return slices.ContainsFunc(b.Params, func(glob string) bool { return Matches(glob, param) })
}

// Matches reports whether a name matches a glob, in which only * and ? are special.
func Matches(glob, name string) bool {
	ok, err := path.Match(strings.NewReplacer("[", `\[`, "]", `\]`, `\`, `\\`).Replace(glob), name)
	return err == nil && ok
}

// Of returns the settings of one param, as a Config without Blocks.
func (c *Config) Of(param string) Config {
	out, given := *c, BlockConfig{}
	out.Blocks = nil
	for i := range c.Blocks {
		b := &c.Blocks[i]
		if !b.names(param) {
			continue
		}
		for _, s := range []struct{ own, to, mark *string }{
			{&b.Sampler, &out.Sampler, &given.Sampler}, {&b.Scheme, &out.Scheme, &given.Scheme},
			{&b.Schedule, &out.Schedule, &given.Schedule},
			{&b.Thermostat, &out.Thermostat, &given.Thermostat},
		} {
			if *s.own != "" {
				*s.to, *s.mark = *s.own, *s.own
			}
		}
		for _, s := range []struct{ own, to *float64 }{
			{b.Step, &out.Step}, {b.Friction, &out.Friction}, {b.Temperature, &out.Temperature},
			{b.GradNoise, &out.GradNoise},
			{b.PreconditionerDecay, &out.PreconditionerDecay},
			{b.PreconditionerLambda, &out.PreconditionerLambda},
		} {
			if s.own != nil {
				*s.to = *s.own
			}
		}
		if b.Friction != nil {
			out.FixFriction = true
		}
		if b.FixFriction != nil {
			out.FixFriction = *b.FixFriction
		}
		if b.Xi0 != nil {
			out.Xi0, given.Xi0 = b.Xi0, b.Xi0
		}
		if b.GradNoise != nil {
			given.GradNoise = b.GradNoise
		}
	}
	row, ok := table.Lookup(out.Sampler)
	if !ok || given.Sampler == "" {
		return out
	}
	if _, has := row.Scheme(out.Scheme); !has && given.Scheme == "" {
		out.Scheme = ""
	}
	if _, has := row.Grain(out.Thermostat); !has && given.Thermostat == "" {
		out.Thermostat = ""
	}
	if !row.Thermostat() && given.Xi0 == nil {
		out.Xi0 = nil
	}
	if !row.Velocity && given.GradNoise == nil {
		out.GradNoise = 0
	}
	return out
}

// An own is the key by which settings of blocks are compared: equal keys, equal settings.
type own struct {
	sampler, scheme, schedule, thermostat                       string
	step, friction, xi0, temperature, gradNoise, decay, damping float64
	fixed                                                       bool
}

func (c *Config) own() own {
	return own{c.Sampler, c.Scheme, c.Schedule, c.Thermostat, c.Step, c.Friction, c.StartXi(),
		c.Temperature, c.GradNoise, c.PreconditionerDecay, c.PreconditionerLambda, c.Step == 0 &&
			c.FixFriction}
}

// StartXi returns the initial value of thermostat variables.
func (c *Config) StartXi() float64 {
	if c.Xi0 != nil {
		return *c.Xi0
	}
	return c.Friction
}

// A Group has the blocks that share the same settings.
type Group struct {
	Config  Config
	Factors []manifold.Factor
}

func (g *Group) names() string {
	var names []string
	for i := range g.Factors {
		names = append(names, g.Factors[i].Name)
	}
	return spelling.List(names)
}

// Groups returns the groups of blocks with equal settings, in the order of the blocks, and the
// index of each block's group.
func (c *Config) Groups(factors []manifold.Factor) (out []Group, of []int) {
	at := map[own]int{}
	for _, f := range factors {
		cfg := c.Of(f.Name)
		k, ok := at[cfg.own()]
		if !ok {
			k = len(out)
			at[cfg.own()] = k
			out = append(out, Group{Config: cfg})
		}
		out[k].Factors = append(out[k].Factors, f)
		of = append(of, k)
	}
	return out, of
}

// resolveBlocks is Resolve for settings by block. If all blocks have the same settings in the end,
// the result has no Blocks. Otherwise the Config has the settings of the first block and of all
// blocks like it, and Blocks has the complete settings of the others.
func (c Config) resolveBlocks(t target.Target) (Config, error) {
	if err := c.checkNames(t); err != nil {
		return c, err
	}
	factors, err := manifold.Product(t.Blocks(), t.Dim())
	if err != nil {
		return c, err
	}
	groups, _ := c.Groups(factors)
	if len(groups) == 0 {
		c.Blocks = nil
		return c.resolve(t, factors)
	}
	if len(groups) == 1 {
		return groups[0].Config.resolve(t, factors)
	}
	if err := c.checkMixed(groups); err != nil {
		return c, err
	}
	for i := range groups {
		g := &groups[i]
		cfg, err := g.Config.resolve(t, g.Factors)
		var e *ConfigError
		if errors.As(err, &e) {
			return c, &coded{&ConfigError{Setting: e.Setting, Value: e.Value,
				Problem: g.names() + ": " + e.Problem, Try: e.Try}, CodeOf(err)}
		}
		if err != nil {
			return c, err
		}
		g.Config = cfg
	}
	out := groups[0].Config
	first := out.own()
	for i := 1; i < len(groups); i++ {
		g := &groups[i].Config
		if g.own() == first {
			continue
		}
		b := out.For()
		for _, f := range groups[i].Factors {
			b.Params = append(b.Params, f.Name)
		}
		b.Sampler, b.Scheme, b.Schedule, b.Thermostat = g.Sampler, g.Scheme, g.Schedule,
			g.Thermostat
		b.Step, b.Friction, b.Temperature, b.GradNoise = &g.Step, &g.Friction, &g.Temperature,
			&g.GradNoise
		b.PreconditionerDecay, b.PreconditionerLambda = &g.PreconditionerDecay,
			&g.PreconditionerLambda
		if g.Tunes() || out.Tunes() {
			b.FixFriction = &g.FixFriction
		}
		if row, _ := table.Lookup(g.Sampler); row.Thermostat() &&
			(g.Xi0 != nil || !g.TunesFriction()) {
			b.Xi0 = new(g.StartXi())
		}
	}
	return out, nil
}

// checkNames refuses settings for params that do not exist.
func (c *Config) checkNames(t target.Target) error {
	var names []string
	for _, b := range t.Blocks() {
		names = append(names, b.Name)
	}
	for i := range c.Blocks {
		for _, p := range c.Blocks[i].Params {
			if err := KnownParam("Blocks", "", p, names); err != nil {
				return err
			}
		}
	}
	return nil
}

// KnownParam refuses settings for a name or a glob that matches none of the params, and suggests
// one. The error, a *ConfigError, names the setting and its value, unless value is "".
func KnownParam(setting, value, name string, params []string) error {
	if slices.ContainsFunc(params, func(p string) bool { return Matches(name, p) }) {
		return nil
	}
	e := &ConfigError{Setting: setting, Value: value,
		Problem: fmt.Sprintf("settings are for %q, and the model has no such param", name),
		Try:     "one of " + spelling.List(params)}
	if near := spelling.Nearest(name, params); near != "" {
		e.Problem, e.Try = e.Problem+fmt.Sprintf("; did you mean %s?", near), ""
	}
	return &coded{e, "S0102"}
}

// checkMixed refuses settings that require one sampler for all blocks.
func (c *Config) checkMixed(groups []Group) error {
	var others []string
	for i := range groups {
		if row, ok := table.Lookup(groups[i].Config.Sampler); !ok || !row.Metropolis {
			others = append(others, groups[i].names())
		}
	}
	for i := range groups {
		g := &groups[i]
		if g.Config.Sampler == "auto" || g.Config.Sampler == "" {
			g.Config.Sampler = "geodesic_sgnht"
		}
		row, ok := table.Lookup(g.Config.Sampler)
		if !ok || !row.Metropolis {
			continue
		}
		if len(others) == 0 {
			return &coded{&ConfigError{Setting: "sampler",
				Problem: fmt.Sprintf("a trajectory of %s has one setting for all blocks, since "+
					"its Metropolis test is of the whole state, and those of %s and %s differ",
					row.Name, groups[0].names(), groups[1].names()),
				Try: "settings for all, or msgnht"}, "S0103"}
		}
		other := "msgnht"
		if slices.ContainsFunc(g.Factors, func(f manifold.Factor) bool { return !f.Flat }) {
			other = "geodesic_sgnht"
		}
		return &coded{&ConfigError{Setting: "sampler",
			Problem: fmt.Sprintf("%s is to move %s, and other samplers %s; but its Metropolis "+
				"test is of the whole state on all rows, so it can only be alone", row.Name,
				g.names(), spelling.List(others)),
			Try: setting.Sprintf("{sampler} %s for all blocks, or %s for %s", row.Name, other,
				g.names())}, "S0103"}
	}
	var err error
	switch {
	case c.Metric != "":
		err = &ConfigError{Setting: "metric",
			Problem: "the warm-up that finds a metric, and a step in it, is a run of nuts on all " +
				"blocks at once, whose metric mixes coordinates of blocks that have settings of their own",
			Try: setting.Text("a {step} for each block, and no {metric}")}
	case c.Fisher:
		err = &ConfigError{Setting: "grad-noise",
			Problem: "fisher estimates one V̂ for the kick of one sampler, and blocks have " +
				"settings of their own", Try: setting.Text("{grad-noise} BLOCK=V, or none")}
	case c.Leapfrog != 0:
		err = &ConfigError{Setting: "leapfrog",
			Problem: "samplers that can be mixed have no trajectories",
			Try:     setting.Text("{sampler} gmc for all blocks")}
	}
	if err != nil {
		return &coded{err, "S0105"}
	}
	return nil
}

// Methods returns the name of the sampler; if there are several, each with its params.
func (c *Config) Methods() string {
	if len(c.Blocks) == 0 {
		return c.Sampler
	}
	parts := []string{c.Sampler}
	for i := range c.Blocks {
		b := &c.Blocks[i]
		parts = append(parts, fmt.Sprintf("%s of %s", b.Sampler, spelling.List(b.Params)))
	}
	return strings.Join(parts, ", ")
}

// Velocities reports whether a sampler of the settings, which must be resolved, has velocities.
func (c *Config) Velocities() bool {
	row, ok := table.Lookup(c.Sampler)
	has := ok && row.Velocity
	for i := range c.Blocks {
		row, ok := table.Lookup(c.Blocks[i].Sampler)
		has = has || ok && row.Velocity
	}
	return has
}
