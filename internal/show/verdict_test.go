package show

import (
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/results/run"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

func TestVerdict(t *testing.T) {
	row := func(block, statistic, verdict string) run.Health {
		return run.Health{Block: block, Statistic: statistic, Verdict: verdict}
	}
	for _, c := range []struct {
		rows []run.Health
		want string
	}{
		{nil, ""},
		{[]run.Health{row("all", "noise_estimate", "")}, ""},
		{[]run.Health{row("s", "rhat", "ok"), row("all", "local_step", "")},
			"ok: the one statistic does not speak against these draws"},
		{[]run.Health{row("s", "rhat", "ok"), row("s", "ess_bulk", "unsure")},
			"unsure: the run is too short to tell, or looks suspicious, by 1 of 2 statistics " +
				"(ess_bulk of s)"},
		{[]run.Health{row("s", "rhat", "unsure"), row("all", "divergences", "off")},
			"off: these are not draws of the posterior, by 1 of 2 statistics (divergences)"},
		{[]run.Health{row("a", "rhat", "off"), row("b", "rhat", "off"), row("c", "rhat", "off"),
			row("d", "rhat", "off")},
			"off: these are not draws of the posterior, by 4 of 4 statistics (rhat of a, rhat of " +
				"b, rhat of c and 1 more)"},
	} {
		if got := Verdict(c.rows); got != c.want {
			t.Errorf("%s\nwant %s", got, c.want)
		}
	}
}

// Unknowns for missing entries stand behind the params, which keep their order.
func TestMissingLast(t *testing.T) {
	var names []string
	for _, v := range missingLast([]trace.Variable{{Name: "x.missing"}, {Name: "b"},
		{Name: "y.missing"}, {Name: "a"}}) {
		names = append(names, v.Name)
	}
	if got := strings.Join(names, " "); got != "b a x.missing y.missing" {
		t.Error(got)
	}
}
