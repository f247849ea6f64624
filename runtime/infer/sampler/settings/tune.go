package settings

import (
	"github.com/sgppl/sgppl/runtime/base/setting"
	"github.com/sgppl/sgppl/runtime/dynamics/scheme"
	"github.com/sgppl/sgppl/runtime/infer/sampler/table"
)

// Tunes reports whether the step is found in warm-up without a Metropolis test.
func (c *Config) Tunes() bool {
	row, ok := table.Lookup(c.Sampler)
	if !ok || row.Exact() || c.Step != 0 {
		return false
	}
	s, err := scheme.ParseSchedule(c.Schedule, 1, c.Steps())
	return err == nil && s.NeedsStep()
}

// TunesFriction reports whether the friction is found together with the step.
func (c *Config) TunesFriction() bool {
	row, _ := table.Lookup(c.Sampler)
	return c.Tunes() && row.Velocity && c.Friction == DefaultFriction && !c.FixFriction
}

// DefaultFriction is the friction if none is given and none is found.
const DefaultFriction = 1

// checkPreconditioner refuses settings for which the preconditioner is not defined.
func (c *Config) checkPreconditioner(row *table.Row) error {
	if !row.Preconditioner {
		return nil
	}
	if !(c.PreconditionerDecay >= 0 && c.PreconditionerDecay < 1 && c.PreconditionerLambda > 0) {
		return &ConfigError{Setting: "preconditioner-decay",
			Problem: "the preconditioner needs 0 ≤ σ < 1 and λ > 0"}
	}
	if c.Warmup < 1 {
		return &ConfigError{Setting: "warmup",
			Problem: row.Name +
				" finds its preconditioner in the warm-up and keeps it, and there is none",
			Try: setting.Text("{warmup} 1000")}
	}
	return nil
}
