package papers

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// TestResults: rows are found by their columns, and numbers are read from them.
func TestResults(t *testing.T) {
	r := &Results{Head: []string{"scheme", "seed", "kl"}, Rows: [][]string{{"split", "1", "0.5"},
		{"euler", "1", "diverged"}, {"split", "2", "1.5"}}}
	x := r.Where("scheme", "split")
	if got := x.Numbers("kl"); !slices.Equal(got, []float64{0.5, 1.5}) {
		t.Errorf("%v", got)
	}
	if got := r.Where("scheme", "euler", "seed", "1").Numbers("kl"); len(got) != 1 ||
		!math.IsNaN(got[0]) {
		t.Errorf("what is no number is read as %v", got)
	}
	if got := r.Values("scheme"); !slices.Equal(got, []string{"split", "euler"}) {
		t.Errorf("%v", got)
	}
	if m, sd := Mean(x.Numbers("kl")), SD(x.Numbers("kl")); m != 1 ||
		math.Abs(sd-math.Sqrt(0.5)) > 1e-15 {
		t.Errorf("mean %g, sd %g", m, sd)
	}
	defer func() {
		if recover() == nil {
			t.Error("a column that is not there is read")
		}
	}()
	r.Numbers("ess")
}

// TestFigure: points stand where the axes say, those beyond the ends are left out and break the
// line, and the key has each name once.
func TestFigure(t *testing.T) {
	line := Series{Name: "a < b", X: []float64{1, 10, 100, 1000}, Y: []float64{0, 5, 20, 10}}
	f := Figure{Title: "t", Panels: []Panel{{X: Axis{Log: true, Lo: 1, Hi: 1000},
		Y: Axis{Lo: 0, Hi: 10}, Series: []Series{line, line, {Name: "theirs", Mark: Rings,
			X: []float64{10}, Y: []float64{5}}}}}}
	svg := string(f.SVG())
	// From 58 to 306 across three decades, and from 204 up to 26.
	if want := `<path d="M58 204L140.7 115M306 26" `; strings.Count(svg, want) != 2 {
		t.Errorf("no %s in\n%s", want, svg)
	}
	if !strings.Contains(svg, `<circle cx="140.7" cy="115" r="4" fill="none"`) {
		t.Errorf("no ring at its place in\n%s", svg)
	}
	if strings.Count(svg, ">a &lt; b</text>") != 1 {
		t.Errorf("the key has a name not once in\n%s", svg)
	}
	if strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") {
		t.Errorf("a number that is none in\n%s", svg)
	}
}

// TestTicks: ticks are round, within the ends, and few.
func TestTicks(t *testing.T) {
	for _, c := range []struct {
		axis Axis
		want []float64
	}{
		{Axis{Lo: 0, Hi: 10}, []float64{0, 2, 4, 6, 8, 10}},
		{Axis{Lo: -0.55, Hi: -0.31}, []float64{-0.55, -0.5, -0.45, -0.4, -0.35}},
		{Axis{Log: true, Lo: 0.1, Hi: 5000}, []float64{0.1, 1, 10, 100, 1000}},
		{Axis{Log: true, Lo: 20, Hi: 150}, []float64{20, 50, 100}},
	} {
		s := c.axis.scale(nil, 0, 100)
		got := s.ticks()
		if !slices.EqualFunc(got, c.want, func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }) {
			t.Errorf("%+v: %v, want %v", c.axis, got, c.want)
		}
	}
}
