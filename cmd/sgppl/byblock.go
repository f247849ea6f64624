package main

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/lang/types"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/infer/sampler/settings"
	"github.com/sgppl/sgppl/runtime/infer/sampler/table"
)

// A blockFlag is a flag whose value some params may have for themselves: VALUE is
// for all, BLOCK=VALUE for a param, or for several, names or globs, separated by commas.
type blockFlag struct {
	name string
	of   func(c *sampleCmd) []string
	set  func(c *sampler.Config, text string) error
	own  func(b *sampler.BlockConfig, text string) error
}

// blockFlags has every flag that may differ by block.
var blockFlags = []blockFlag{
	textFlag("sampler", func(c *sampleCmd) []string { return c.Sampler },
		func(c *sampler.Config) *string { return &c.Sampler },
		func(b *sampler.BlockConfig) *string { return &b.Sampler }),
	textFlag("scheme", func(c *sampleCmd) []string { return c.Scheme },
		func(c *sampler.Config) *string { return &c.Scheme },
		func(b *sampler.BlockConfig) *string { return &b.Scheme }),
	textFlag("step-schedule", func(c *sampleCmd) []string { return c.StepSchedule },
		func(c *sampler.Config) *string { return &c.Schedule },
		func(b *sampler.BlockConfig) *string { return &b.Schedule }),
	textFlag("thermostat", func(c *sampleCmd) []string { return c.Thermostat },
		func(c *sampler.Config) *string { return &c.Thermostat },
		func(b *sampler.BlockConfig) *string { return &b.Thermostat }),
	numberFlag("step", func(c *sampleCmd) []string { return c.Step },
		func(c *sampler.Config, x float64) { c.Step = x },
		func(b *sampler.BlockConfig) **float64 { return &b.Step }),
	numberFlag("friction", func(c *sampleCmd) []string { return c.Friction },
		func(c *sampler.Config, x float64) { c.Friction, c.FixFriction = x, true },
		func(b *sampler.BlockConfig) **float64 { return &b.Friction }),
	numberFlag("xi0", func(c *sampleCmd) []string { return c.Xi0 },
		func(c *sampler.Config, x float64) { c.Xi0 = &x },
		func(b *sampler.BlockConfig) **float64 { return &b.Xi0 }),
	numberFlag("temperature", func(c *sampleCmd) []string { return c.Temperature },
		func(c *sampler.Config, x float64) { c.Temperature = x },
		func(b *sampler.BlockConfig) **float64 { return &b.Temperature }),
	gradNoiseFlag(),
}

func textFlag(
	name string, of func(*sampleCmd) []string, all func(*sampler.Config) *string,
	own func(*sampler.BlockConfig) *string,
) blockFlag {
	return blockFlag{name, of,
		func(c *sampler.Config, text string) error { *all(c) = text; return nil },
		func(b *sampler.BlockConfig, text string) error { *own(b) = text; return nil }}
}

func numberFlag(
	name string, of func(*sampleCmd) []string, all func(*sampler.Config, float64),
	own func(*sampler.BlockConfig) **float64,
) blockFlag {
	read := func(text string) (float64, error) {
		x, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil {
			return 0, session.Usagef("--%s: expected a number but got %q", name, text)
		}
		return x, nil
	}
	return blockFlag{name, of,
		func(c *sampler.Config, text string) error {
			x, err := read(text)
			if err == nil {
				all(c, x)
			}
			return err
		},
		func(b *sampler.BlockConfig, text string) error {
			x, err := read(text)
			*own(b) = &x
			return err
		}}
}

// gradNoiseFlag is a number, or for all blocks "fisher".
func gradNoiseFlag() blockFlag {
	read := func(text string) (float64, error) {
		x, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return 0, session.Usagef("--grad-noise: %q is neither a number nor fisher", text)
		}
		return x, nil
	}
	return blockFlag{"grad-noise", func(c *sampleCmd) []string { return c.GradNoise },
		func(c *sampler.Config, text string) (err error) {
			if c.Fisher = text == "fisher"; c.Fisher {
				c.GradNoise = 0
				return nil
			}
			c.GradNoise, err = read(text)
			return err
		},
		func(b *sampler.BlockConfig, text string) error {
			if text == "fisher" {
				return session.Usagef("--grad-noise: fisher estimates one V̂ for all blocks; a " +
					"block takes a number")
			}
			x, err := read(text)
			b.GradNoise = &x
			return err
		}}
}

// isBlockFlag reports whether a flag of sample is one of them.
func isBlockFlag(name string) bool {
	return slices.ContainsFunc(blockFlags, func(f blockFlag) bool { return f.name == name })
}

// values are what a configuration file says of a flag, and behind it what the
// command line does, which counts: for all blocks, and for those that it names.
func (f *blockFlag) values(c *sampleCmd) []string {
	var out []string
	for _, file := range c.configs.list {
		out = append(out, file.of(f.name)...)
	}
	return append(out, f.of(c)...)
}

// byBlock reads the flags that may differ by block.
func (c *sampleCmd) byBlock() (sampler.Config, error) {
	cfg := sampler.DefaultConfig()
	for i := range blockFlags {
		f := &blockFlags[i]
		for _, spec := range f.values(c) {
			params, value, named := cutBlock(spec)
			if !named {
				if err := f.set(&cfg, spec); err != nil {
					return cfg, err
				}
				continue
			}
			if value == "" || slices.Contains(params, "") {
				return cfg, session.Usagef("--%s %s: BLOCK=VALUE is expected, BLOCK a param or "+
					"several apart by commas", f.name, spec)
			}
			if err := f.own(cfg.For(params...), value); err != nil {
				return cfg, err
			}
		}
	}
	if strings.Contains(c.Metric, "=") {
		return cfg, session.Usagef("--metric %s: the warm-up that finds a metric is a run of "+
			"nuts on all blocks at once, so no block can have its own; give steps instead: "+
			"--step BLOCK=H", c.Metric)
	}
	return cfg, nil
}

// cutBlock splits BLOCK=VALUE.
func cutBlock(spec string) (params []string, value string, named bool) {
	names, value, named := strings.Cut(spec, "=")
	for _, n := range strings.Split(names, ",") {
		params = append(params, strings.TrimSpace(n))
	}
	return params, strings.TrimSpace(value), named
}

// knownBlocks refuses blocks that the model has not.
func (c *sampleCmd) knownBlocks(compiled *driver.Compiled) error {
	var names []string
	for i := range compiled.Spec.Params {
		names = append(names, compiled.Spec.Params[i].Name)
	}
	for i := range blockFlags {
		for _, spec := range blockFlags[i].values(c) {
			params, _, named := cutBlock(spec)
			for _, p := range params {
				if !named {
					break
				}
				if err := settings.KnownParam(blockFlags[i].name, spec, p, names); err != nil {
					return session.Refused(err)
				}
			}
		}
	}
	return nil
}

// chartsFor are the charts of params that their samplers need, where the model
// asks for none: a sampler that runs on one space alone has simplexes there.
func chartsFor(
	e *session.Session, src *source.File, set []string, cfg *sampler.Config,
) map[string]string {
	charts := map[string]string{}
	_, m := driver.Check(src, driver.Options{Set: session.Numbers(set)})
	if m == nil || m.Diags.Errors() {
		return nil
	}
	for _, s := range m.Symbols {
		if s.Kind != check.Param || s.By != "" || s.Type.Kind != types.Simplex {
			continue
		}
		own := cfg.Of(s.Name)
		if row, ok := table.Lookup(own.Sampler); ok && row.Space == "mirrored" {
			charts[s.Name] = "expanded_mean"
			e.Note("%s by expanded_mean, the chart that %s runs on", s.Name, row.Name)
		}
	}
	if len(charts) == 0 {
		return nil
	}
	return charts
}
