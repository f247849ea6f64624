package settings

import (
	"fmt"

	"github.com/sgppl/sgppl/runtime/base/setting"
	"github.com/sgppl/sgppl/runtime/infer/sampler/table"
)

// checkCycles resolves the settings of a run in cycles of so many steps, each of which ends in a
// draw.
func (c *Config) checkCycles(row *table.Row, length int64) error {
	refuse := func(name, problem, try string) error {
		return &coded{&ConfigError{Setting: name, Problem: problem, Try: try}, "S0109"}
	}
	if c.Thin == 1 {
		c.Thin = length
	}
	switch {
	case row.Thermostat():
		return refuse("step-schedule", fmt.Sprintf("a cycle explores without noise, which the "+
			"thermostats of %s would put back", row.Name), "sgld or sghmc")
	case len(c.Blocks) > 0:
		return refuse("step-schedule", "all params move in the same cycles, and some have settings "+
			"of their own", "one setting for all")
	case c.GradNoise != 0 || c.Fisher || c.SyntheticNoise != "":
		return refuse("step-schedule", "a cycle explores without noise, so that none can be taken "+
			"out of it or put into it", setting.Text("no {grad-noise} and no {synthetic-noise}"))
	case c.Step == 0:
		return refuse("step", "the largest step of a cycle has to be given",
			setting.Text("a {step} with which a chain leaves its mode"))
	case c.Thin != length:
		return refuse("thin", fmt.Sprintf("a draw is the end of a cycle of %d steps, and not one of %d",
			length, c.Thin), setting.Sprintf("no {thin}, or {thin} %d", length))
	case c.Warmup%length != 0:
		return refuse("warmup", fmt.Sprintf("%d steps are not whole cycles of %d", c.Warmup, length),
			setting.Sprintf("{warmup} %d", (c.Warmup/length+1)*length))
	}
	return nil
}
