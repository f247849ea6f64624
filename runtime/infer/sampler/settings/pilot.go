package settings

import (
	"fmt"
	"slices"

	"github.com/sgppl/sgppl/runtime/base/setting"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler/adapt"
	"github.com/sgppl/sgppl/runtime/infer/sampler/table"
)

const (
	// LongestPilot is the most steps of a pilot.
	LongestPilot = 1000
	// ShortestPilot is the smallest number of steps of a pilot, that of Stan's shortest warm-up with
	// full windows.
	ShortestPilot = 150
)

// Pilots reports whether the warm-up begins with a pilot run of nuts.
func (c *Config) Pilots() bool {
	row, ok := table.Lookup(c.Sampler)
	return ok && !row.Exact() && c.Metric != ""
}

// checkPilot refuses settings that cannot be combined with a metric under stochastic gradients.
func (c *Config) checkPilot(row *table.Row, t target.Target) error {
	s, _ := row.Scheme(c.Scheme)
	try := setting.Text("no {metric}, and a {step}")
	if curvedBlocks(t) {
		c.Metric = besideCurved(c.Metric, t.Dim())
	}
	switch {
	case !slices.Contains(adapt.Metrics, c.Metric):
		return &ConfigError{Setting: "metric",
			Problem: fmt.Sprintf("there is no metric %q", c.Metric), Try: adapt.MetricNames}
	case !row.Velocity:
		return &ConfigError{Setting: "metric",
			Problem: fmt.Sprintf("sampler %s has no masses", row.Name), Try: "sghmc or msgnht"}
	case c.Step == 0 && s.Name != "split":
		return &ConfigError{Setting: "step",
			Problem: fmt.Sprintf("the step is found for the scheme split, not for %s", s.Name),
			Try:     setting.Text("{scheme} split")}
	case c.GradNoise != 0 || c.SyntheticNoise != "":
		return &ConfigError{Setting: "metric",
			Problem: "a noise of the gradient is given in coordinates that the metric changes",
			Try:     try}
	case c.Warmup < 2*ShortestPilot:
		return &ConfigError{Setting: "warmup",
			Problem: fmt.Sprintf("the first half of the warm-up, at most %d steps, finds the "+
				"metric; %d steps are too short", LongestPilot, c.Warmup),
			Try: setting.Sprintf("{warmup} %d or more", 2*ShortestPilot)}
	case c.Metric == adapt.MetricDense && t.Dim() > largestDense:
		return &ConfigError{Setting: "metric",
			Problem: fmt.Sprintf("a dense metric has the square of %d numbers, and a step costs "+
				"as many; the limit is %d coordinates", t.Dim(), largestDense), Try: "diag"}
	}
	return nil
}
