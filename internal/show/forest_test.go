package show

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/runtime/results/run"
)

// TestForests: arrays of 2 to 60 entries with finite quantiles have a forest; numbers and
// others have none.
func TestForests(t *testing.T) {
	entry := func(name string, q float64) SummaryVar {
		return SummaryVar{Name: name, Q5: run.Float(q - 1), Q50: run.Float(q), Q95: run.Float(q + 1)}
	}
	vars := []SummaryVar{entry("mu", 0), entry("a[0]", 1), entry("one[0]", 1), entry("a[1]", 2),
		entry("bad[0]", math.NaN()), entry("bad[1]", 1)}
	for i := range 61 {
		vars = append(vars, entry(fmt.Sprintf("many[%d]", i), 0))
	}
	names, of := forests(vars)
	if len(names) != 1 || names[0] != "a" || len(of["a"]) != 2 || of["a"][1].Name != "a[1]" {
		t.Errorf("%v", names)
	}
}

// TestForest: the ends of the intervals are where the axis says, 0 is marked where it lies
// within, and names of files do not become markup.
func TestForest(t *testing.T) {
	var w bytes.Buffer
	list := []SummaryVar{
		{Name: "a[0]", Label: "<b>x</b>", Q5: -1, Q50: 0, Q95: 1},
		{Name: "a[1]", Q5: 1, Q50: 2, Q95: 3},
	}
	writeForest(&w, "a", list)
	got := w.String()
	for _, want := range []string{`M420 17H910`, `M910 51H1400`, `cx="665" cy="17"`,
		`cx="1155" cy="51"`,
		`class="axis d1" d="M665 0V68"`, ">-1</text>", ">3</text>", "a[0] &lt;b&gt;x"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is missing in\n%s", want, got)
		}
	}
	w.Reset()
	writeForest(&w, "a", list[1:])
	if strings.Contains(w.String(), "axis d1") {
		t.Error("0 is marked beside the axis")
	}
}
