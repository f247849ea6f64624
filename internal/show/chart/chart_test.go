package chart

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// figure is the text of a chart.
func figure(c Chart) string {
	var w bytes.Buffer
	c.Figure(&w)
	return w.String()
}

// TestPlaces: numbers stand where the axes say, and ends of axes are the corners.
func TestPlaces(t *testing.T) {
	c := Chart{Title: "t", X: Axis{Lo: 10, Hi: 20}, Y: Axis{Lo: -1, Hi: 1}, Series: []Series{
		{Mark: Line, Class: "c0", X: []float64{10, 15, 20}, Y: []float64{-1, 0, 1}},
		{Mark: Steps, Class: "c1", X: []float64{10, 15, 20}, Y: []float64{0, 1}},
		{Mark: Crosses, Class: "bad", X: []float64{20}, Y: []float64{-1}, Labels: []string{"a<b"}},
		{Mark: Bars, Class: "c2", X: []float64{15}, Y: []float64{-1}, Y2: []float64{1}},
		{Mark: Band, Class: "c3", X: []float64{10, 20}, Y: []float64{-1, -1}, Y2: []float64{0, 0}},
		{Mark: Area, Class: "c0", X: []float64{10, 20}, Y: []float64{1}},
	}}
	got := figure(c)
	for _, want := range []string{"M130 500L530 278L930 56", "M130 278H530V56H930",
		"M930 500m-8-8l16 16m0-16l-16 16\"><title>a&lt;b</title>", "M530 500V56", "M130 500H930V278H130Z",
		"M130 500V56H930V500Z"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is missing in\n%s", want, got)
		}
	}
}

// TestGaps: numbers that are not finite break a line, are no points, and say null to the script.
func TestGaps(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	c := Chart{X: Axis{Lo: 0, Hi: 4}, Y: Axis{Lo: 0, Hi: 1}, Series: []Series{
		{Mark: Line, X: []float64{0, 1, 2, 3}, Y: []float64{0, nan, inf, 1}},
		{Mark: Points, X: []float64{0, 1}, Y: []float64{nan, 1}},
	}}
	got := figure(c)
	if strings.Contains(got, "NaN") || strings.Contains(got, "Inf") ||
		!strings.Contains(got, "M130 500M730 56") || !strings.Contains(got, `"y":[0,null,null,1]`) {
		t.Error(got)
	}
	for _, y := range [][]float64{{}, {nan}, {3, 3}, {-1e308, 1e308}, {1e-320, 0}} {
		x := make([]float64, len(y))
		for i := range x {
			x[i] = float64(i)
		}
		got := figure(Chart{Series: []Series{{Mark: Line, X: x, Y: y}}})
		if strings.Contains(got, "NaN") || strings.Contains(got, "Inf") {
			t.Errorf("%v: %s", y, got)
		}
	}
}

// TestManyPoints: of a long line the largest and the least are drawn, and the script is given
// every number to the 65534th part of their range.
func TestManyPoints(t *testing.T) {
	const n = 5000
	x, y := make([]float64, n), make([]float64, n)
	for i := range x {
		x[i], y[i] = float64(i), math.Sin(float64(i))
	}
	y[1234], y[4321], y[77] = 5, -5, math.NaN()
	c := Chart{X: Axis{Lo: 0, Hi: n}, Y: Axis{Lo: -5, Hi: 5},
		Series: []Series{{Mark: Line, Class: "c0", X: x, Y: y}}}
	got := figure(c)
	for _, want := range []string{" 56L", " 500L"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not drawn", want)
		}
	}
	if len(got) > 20000 {
		t.Errorf("%d bytes", len(got))
	}
	var p plot
	text := regexp.MustCompile(`json">(.*)</script>`).FindStringSubmatch(got)[1]
	if err := json.Unmarshal([]byte(text), &p); err != nil {
		t.Fatal(err)
	}
	s := p.Series[0]
	raw, err := base64.StdEncoding.DecodeString(s.Bits)
	if err != nil || len(raw) != 2*n || len(s.Even) != 2 || s.Even[0] != 0 || s.Even[1] != 1 {
		t.Fatal(err, len(raw), s.Even)
	}
	for i, want := range y {
		code := int(raw[2*i]) | int(raw[2*i+1])<<8
		back := s.Ends[0] + (s.Ends[1]-s.Ends[0])*float64(code)/(gap-1)
		if want != want {
			if code != gap {
				t.Errorf("a gap is %d", code)
			}
		} else if !(math.Abs(back-want) <= 10.0/gap) {
			t.Errorf("%g for %g", back, want)
		}
	}
}

// TestTicks: ticks are round, within the axis, and differ.
func TestTicks(t *testing.T) {
	for _, c := range []struct {
		lo, hi float64
		whole  bool
		want   string
	}{
		{0, 1, false, "0 0.2 0.4 0.6 0.8 1.0"}, {-1, 1, false, "-1.0 -0.5 0 0.5 1.0"},
		{0, 3, true, "0 1 2 3"}, {1, 1000, true, "200 400 600 800 1000"},
		{0.001, 0.0012, false, "0.00100 0.00105 0.00110 0.00115 0.00120"},
		{1e9, 3e9, false, "1e+09 1.5e+09 2e+09 2.5e+09 3e+09"},
		{0, math.Inf(1), false, ""}, {5, 5, false, ""},
	} {
		a := Axis{Whole: c.whole}
		var got []string
		for _, tick := range a.ticks(c.lo, c.hi, mostTicks) {
			got = append(got, tick.text)
			x, err := strconv.ParseFloat(tick.text, 64)
			if err != nil || math.Abs(x-tick.at) > 1e-9*(c.hi-c.lo) {
				t.Errorf("%g is written %s", tick.at, tick.text)
			}
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%g to %g: %s", c.lo, c.hi, text)
		}
	}
}

// TestNames: nothing that a name says becomes markup or ends the script's data, and names of
// places are ticks.
func TestNames(t *testing.T) {
	evil := `</script><b a="'`
	got := figure(Chart{Title: evil, Says: evil, Key: true, X: Axis{Name: evil,
		Names: []string{evil, "b"}}, Series: []Series{{Mark: Points, Name: evil, Class: Of(5),
		X: []float64{0, 1}, Y: []float64{1, 2}, Labels: []string{evil, "b"}}}})
	if n := strings.Count(got, "</script>"); n != 1 || strings.Contains(got, "<b a") {
		t.Errorf("%d ends of scripts in %s", n, got)
	}
	if !strings.Contains(got, ">b</text>") || !strings.Contains(got, "2 of them") {
		t.Error(got)
	}
}

// TestSixteen: sixteen series differ.
func TestSixteen(t *testing.T) {
	seen := map[string]bool{}
	for k := range 16 {
		seen[Of(k)] = true
	}
	if len(seen) != 16 {
		t.Error(seen)
	}
}

// TestAssets: the library is there with its licence, and nothing in the script ends its element.
func TestAssets(t *testing.T) {
	s := Script()
	if !strings.Contains(s, "Leon Sorokin") || !strings.Contains(s, "uPlot (v1.6.32)") ||
		strings.Contains(s, "</script") || strings.Count(s, "*/") < 2 ||
		!strings.Contains(Style(), ".uplot") {
		t.Error("the library, its licence or its style is missing, or ends the script")
	}
	if len(s)+len(Style()) > 80_000 {
		t.Errorf("%d bytes", len(s)+len(Style()))
	}
}
