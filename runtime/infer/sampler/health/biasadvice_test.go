package health

import (
	"math"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/infer/sampler/settings"
)

// TestBiasAdvice: what is said of a bias names the number, its bound, and what would
// settle it; nothing is said of one that is bounded.
func TestBiasAdvice(t *testing.T) {
	c := settings.Config{Dynamics: settings.Dynamics{Sampler: "sghmc"},
		Goal: settings.Goal{MaxBias: 0.1}, Draws: 1000, Batching: settings.Batching{Batch: 16}}
	timed := c
	timed.TimeLimit = 60
	for _, x := range []struct {
		row     Row
		c       settings.Config
		seconds float64
		want    string // apart by |
	}{
		{Row{"w[3]", "bias_mean", 0.02, 0, 0.07, "unsure"}, c, 60,
			"bias_mean of w[3] is not bounded yet|by 0.1 sd|below 0.16|--draws 3100 would do."},
		{Row{"w[3]", "bias_mean", 0.02, 0, 0.07, "unsure"}, timed, 60,
			"below 0.16|--time 4m would do."},
		{Row{"b", "bias_sd", -0.04, 0, 0.015, "unsure"}, c, 0,
			"bias_sd of b|by 5 %|below 7 %|--draws 11000 would do."},
		{Row{"b", "bias_mean", 0.12, 0, 0.05, "unsure"}, c, 0,
			"below 0.22 sd; more --draws or --time will tell."},
		{Row{"b", "bias_mean", 0.0999, 0, 0.01, "unsure"}, c, 0,
			"below 0.12 sd; more --draws or --time will tell."},
		{Row{"b", "bias_mean", 0, 0, math.Inf(1), "unsure"}, c, 0, "is not known yet"},
		{Row{"tau", "bias_mean", 0.2, 0, 0.01, "off"}, c, 0,
			"bias_mean of tau is off: means may be wrong by 0.2 sd|--sampler nuts"},
		{Row{"all", "noise_share", 0.2, math.NaN(), math.NaN(), "unsure"}, c, 0,
			"noise_share is large|a larger --batch"},
		{Row{"all", "noise_growth", 2, 1, 0.1, "off"}, c, 0,
			"noise_growth is not 1|too wide|a larger --batch"},
		{Row{"all", "anchor_distance", 3, 0, math.NaN(), "unsure"}, c, 0,
			"anchor_distance is large|--sampler nuts"},
	} {
		says := AdviceAfter([]Row{x.row}, x.c, x.seconds)
		for _, part := range strings.Split(x.want, "|") {
			if len(says) != 1 || !strings.Contains(says[0], part) {
				t.Errorf("%+v: %q is expected in %q", x.row, part, says)
			}
		}
	}
	well := []Row{{"a", "bias_mean", 0.01, 0, 0.01, "ok"}, {"b", "bias_sd", -0.02, 0, 0.005, "ok"}}
	if says := Advice(well, c); len(says) > 0 {
		t.Error(says)
	}
	if got := Bounds(well); !strings.HasPrefix(got,
		"bias: means are right within 0.03 sd (a), standard deviations within 3 % (b)") {
		t.Error(got)
	}
	if got := Bounds([]Row{{"a", "bias_mean", 0.5, 0, 0.01, "off"}, well[1]}); got != "" {
		t.Error(got)
	}
}
