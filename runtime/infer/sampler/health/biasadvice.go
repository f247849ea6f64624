package health

import (
	"fmt"
	"math"
	"time"

	"github.com/sgppl/sgppl/runtime/base/setting"
	"github.com/sgppl/sgppl/runtime/infer/sampler/settings"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// biasLimit returns the bias of a statistic that the settings allow; 0 for statistics other than
// biases.
func biasLimit(statistic string, c *settings.Config) float64 {
	switch statistic {
	case "bias_mean":
		return c.MaxBias
	case "bias_sd":
		return c.MaxBias / 2
	}
	return 0
}

// biasSentence returns the rest of a sentence about a bias that is too large or not bounded, after
// a run of this many seconds.
func biasSentence(r Row, c *settings.Config, seconds float64) string {
	limit, size := biasLimit(r.Statistic, c), math.Abs(r.Value)
	what, in := "means", func(x float64) string { return fmt.Sprintf("%.2g sd", x) }
	if r.Statistic == "bias_sd" {
		what, in = "standard deviations",
			func(x float64) string { return fmt.Sprintf("%.2g %%", 100*x) }
	}
	if r.Verdict == "off" {
		return setting.Sprintf("is off: %s may be wrong by %s, and %s are allowed; the noise of "+
			"minibatches grows away from the anchor, or the posterior is far from normal; try "+
			"{sampler} nuts.", what, in(size), in(limit))
	}
	bound := size + 2*r.MCSE
	if !special.Finite(bound) {
		return setting.Sprintf("is not known yet: the run is too short to bound the bias of %s "+
			"by %s; more {draws} or {time} will tell.", what, in(limit))
	}
	text := fmt.Sprintf("is not bounded yet: the run is too short to bound the bias of %s by %s: "+
		"it is below %s", what, in(limit), in(bound))
	longer := math.Pow(bound/limit, 2) // if the value is due to chance
	if size > 2*r.MCSE {
		longer = math.Pow(2*r.MCSE/(limit-size), 2)
	}
	switch {
	case size >= limit || !(longer < mostLonger):
		return text + setting.Text("; more {draws} or {time} will tell.")
	case c.TimeLimit > 0 && seconds > 0:
		return setting.Sprintf("%s; {time} %s would do.", text, longTime(1.2*longer*seconds))
	}
	return setting.Sprintf("%s; {draws} %d would do.", text, roundedUp(1.2*longer*float64(c.Draws)))
}

// mostLonger is the largest factor by which a longer run is advised.
const mostLonger = 1000

// roundedUp rounds x up to two significant digits.
func roundedUp(x float64) int64 {
	unit := math.Pow(10, math.Max(math.Floor(math.Log10(math.Max(x, 1)))-1, 0))
	return int64(math.Ceil(x/unit) * unit)
}

// longTime returns a time as --time takes it, rounded up: 40s, 3m, 2h30m.
func longTime(seconds float64) string {
	unit := time.Second
	switch {
	case seconds >= 3600:
		unit = 10 * time.Minute
	case seconds >= 60:
		unit = time.Minute
	}
	d := time.Duration(math.Ceil(seconds/unit.Seconds())) * unit
	h, m, s := int(d.Hours()), int(d.Minutes())%60, int(d.Seconds())%60
	switch {
	case h > 0 && m == 0:
		return fmt.Sprintf("%dh", h)
	case h > 0:
		return fmt.Sprintf("%dh%dm", h, m)
	case s > 0 && m > 0:
		return fmt.Sprintf("%dm%ds", m, s)
	case s > 0:
		return fmt.Sprintf("%ds", s)
	}
	return fmt.Sprintf("%dm", m)
}

// Bounds returns a line with the bounds on the biases of a run; "" if they are not known or exceed
// their limit.
func Bounds(rows []Row) string {
	var mean, sd string
	for _, r := range rows {
		bound := math.Abs(r.Value) + 2*r.MCSE
		if r.Verdict == "off" || !special.Finite(bound) {
			continue
		}
		switch r.Statistic {
		case "bias_mean":
			mean = fmt.Sprintf("bias: means are right within %.2g sd (%s)", bound, r.Block)
		case "bias_sd":
			sd = fmt.Sprintf(", standard deviations within %.2g %% (%s)", 100*bound, r.Block)
		}
	}
	if mean == "" || sd == "" {
		return ""
	}
	return mean + sd + ", beside the Monte Carlo error: by pairs of chains at half the step and " +
		"half the noise"
}
