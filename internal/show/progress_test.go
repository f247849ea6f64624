package show

import (
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/sgppl/sgppl/runtime/results/run"
)

// A line fits its terminal, whatever its width: the bar first, then the draws,
// then what matters most of the rest.
func TestBarTextFits(t *testing.T) {
	v := run.Event{Event: "progress", Step: 52000, Steps: 81000, Warmup: 1000, Draws: 637, Of: 1000,
		StepsRate: 52134, RowsRate: 5.2e6, Left: 83,
		StepSize: 0.00125, LogDensity: -123456.7,
		Health: []run.Health{{Block: "theta", Statistic: "configurational_temperature",
			Verdict: "off"}}}
	for _, c := range []struct {
		columns int
		want    string
	}{
		{200, "637/1000 draws, 52.1 k steps/s, 5.2 M rows/s, 1m23s left, h 0.00125, lp≈-123457, " +
			"health off: theta configurational_temperature"},
		{142, "637/1000 draws, 52.1 k steps/s, 5.2 M rows/s, 1m23s left, h 0.00125, health off: " +
			"theta configurational_temperature"},
		{100, "637/1000 draws, 52.1 k steps/s, 1m23s left"},
		{72, "637/1000 draws, 52.1 k steps/s, 1m23s left"},
		{60, "637/1000 draws, 52.1 k steps/s"},
		{30, "637/1000 draws"},
		{12, ""},
		{0, ""},
	} {
		if got := BarText(&v, c.columns); got != c.want {
			t.Errorf("%d columns: %q, want %q", c.columns, got, c.want)
		}
	}
	for columns := range 200 {
		for _, e := range []*run.Event{nil, &v,
			{Warmup: 10, StepsRate: run.Float(math.NaN()), LogDensity: run.Float(math.NaN())}} {
			if got := utf8.RuneCountInString(BarText(e, columns)); got > 0 &&
				got+2+min(columns/3, 24) > columns {
				t.Errorf("%d columns: %d of text", columns, got)
			}
		}
	}
	if got := Line(v); !strings.HasSuffix(got,
		"draws, step 52000 of 81000, 52.1 k steps/s, 5.2 M rows/s, 1m23s left, h 0.00125, "+
			"lp≈-123457, health off: theta configurational_temperature") {
		t.Error(got)
	}
}
