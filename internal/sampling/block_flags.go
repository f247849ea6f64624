package sampling

import (
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
)

// A blockFlag is a flag whose value some params may have for themselves: VALUE is
// for all, BLOCK=VALUE for a param, or for several, names or globs, separated by commas.
type blockFlag struct {
	name string
	of   func(c *Sample) []string
	set  func(c *sampler.Config, text string) error
	own  func(b *sampler.BlockConfig, text string) error
}

// blockFlags has every flag that may differ by block.
var blockFlags = []blockFlag{
	textFlag("sampler", func(c *Sample) []string { return c.Sampler },
		func(c *sampler.Config) *string { return &c.Sampler },
		func(b *sampler.BlockConfig) *string { return &b.Sampler }),
	textFlag("scheme", func(c *Sample) []string { return c.Scheme },
		func(c *sampler.Config) *string { return &c.Scheme },
		func(b *sampler.BlockConfig) *string { return &b.Scheme }),
	textFlag("step-schedule", func(c *Sample) []string { return c.StepSchedule },
		func(c *sampler.Config) *string { return &c.Schedule },
		func(b *sampler.BlockConfig) *string { return &b.Schedule }),
	textFlag("thermostat", func(c *Sample) []string { return c.Thermostat },
		func(c *sampler.Config) *string { return &c.Thermostat },
		func(b *sampler.BlockConfig) *string { return &b.Thermostat }),
	numberFlag("step", func(c *Sample) []string { return c.Step },
		func(c *sampler.Config, x float64) { c.Step = x },
		func(b *sampler.BlockConfig) **float64 { return &b.Step }),
	numberFlag("friction", func(c *Sample) []string { return c.Friction },
		func(c *sampler.Config, x float64) { c.Friction, c.FixFriction = x, true },
		func(b *sampler.BlockConfig) **float64 { return &b.Friction }),
	numberFlag("xi0", func(c *Sample) []string { return c.Xi0 },
		func(c *sampler.Config, x float64) { c.Xi0 = &x },
		func(b *sampler.BlockConfig) **float64 { return &b.Xi0 }),
	numberFlag("temperature", func(c *Sample) []string { return c.Temperature },
		func(c *sampler.Config, x float64) { c.Temperature = x },
		func(b *sampler.BlockConfig) **float64 { return &b.Temperature }),
	gradNoiseFlag(),
}

func textFlag(
	name string, of func(*Sample) []string, all func(*sampler.Config) *string,
	own func(*sampler.BlockConfig) *string,
) blockFlag {
	return blockFlag{name, of,
		func(c *sampler.Config, text string) error { *all(c) = text; return nil },
		func(b *sampler.BlockConfig, text string) error { *own(b) = text; return nil }}
}

func numberFlag(
	name string, of func(*Sample) []string, all func(*sampler.Config, float64),
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
	return blockFlag{"grad-noise", func(c *Sample) []string { return c.GradNoise },
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
