package show

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/show/chart"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// wave are n numbers from shift to shift + by, in a mixed order.
func wave(n int, by, shift float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = float64((i*7919)%n)/float64(n)*by + shift
	}
	return out
}

// ar are numbers each of which is rho times the one before, plus noise.
func ar(n int, rho float64, seed uint64) []float64 {
	out, x := make([]float64, n), 0.0
	for i := range out {
		sum := 0.0
		for range 12 { // near normal
			seed = seed*6364136223846793005 + 1442695040888963407
			sum += float64(seed>>11) / (1 << 53)
		}
		x = rho*x + math.Sqrt(1-rho*rho)*(sum-6)
		out[i] = x
	}
	return out
}

// TestNumbers: charts of draws that agree, that do not, that are constant, whose numbers are
// missing or too large, have no number that is none, and no markup of names.
func TestNumbers(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	list := []Number{
		{SummaryVar{Name: "agree", Mean: 0.5, Q5: 0.05, Q50: 0.5, Q95: 0.95},
			[][]float64{wave(500, 1, 0), wave(500, 1, 0)}},
		{SummaryVar{Name: "apart & <b>", Label: "\"row\"", Rhat: 1.8},
			[][]float64{wave(50, 1, 0), wave(50, 1, 1)}},
		{SummaryVar{Name: "constant", Mean: 3}, [][]float64{{3, 3, 3}}},
		{SummaryVar{Name: "holes", Mean: run.Float(inf), Q5: 1, Q50: 2, Q95: 4},
			[][]float64{{1, nan, 2, inf}, {nan, nan, nan, nan}}},
		{SummaryVar{Name: "nothing", Q5: run.Float(nan)}, [][]float64{{nan}, {nan}}},
		{SummaryVar{Name: "huge"}, [][]float64{{-1e308, 1e308, 1e300}}},
	}
	p := &Page{}
	p.numbers(list, 31)
	got := p.Body.String()
	for _, bad := range []string{"NaN", "Inf", "<b>\"", "apart & "} {
		if strings.Contains(got, bad) {
			t.Errorf("the page has %q", bad)
		}
	}
	for _, want := range []string{"The 6 of 31 numbers", "There is no finite draw",
		"1 of 1 chains have none"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing", want)
		}
	}
	if n := strings.Count(got, "<figure"); n != 5*len(list) {
		t.Errorf("%d figures", n)
	}
	again := &Page{}
	if again.numbers(list, 31); !bytes.Equal(again.Body.Bytes(), p.Body.Bytes()) {
		t.Error("the same draws have other pictures")
	}
}

// TestRanks: ranks of chains that agree are level, of chains that do not one below the other.
func TestRanks(t *testing.T) {
	c := Ranks([][]float64{wave(400, 1, 0), wave(400, 1, 0)})
	for _, s := range c.Series[:2] {
		for _, n := range s.Y {
			if n != 400/rankBins {
				t.Errorf("%v", s.Y)
			}
		}
	}
	if level := c.Series[2].Y[0]; level != 400/rankBins {
		t.Errorf("level at %g", level)
	}
	c = Ranks([][]float64{{1, 2}, {3, 4}})
	if a, b := c.Series[0].Y, c.Series[1].Y; a[0] != 0 || a[rankBins-1] != 0 || b[0] != 0 ||
		slices.Max(a[:rankBins/2]) != 1 || slices.Max(b[:rankBins/2]) != 0 {
		t.Errorf("%v and %v", a, b)
	}
}

// TestHistogram: the area is 1, whatever the draws, and every finite draw is in a bin.
func TestHistogram(t *testing.T) {
	for _, x := range [][]float64{wave(777, 3, -1), {4, 4, 4}, {1, 2, math.NaN()}, {-7, 1e9}} {
		s := Histogram([][]float64{x}, [3]float64{}).Series[0]
		area := 0.0
		for i, y := range s.Y {
			area += y * (s.X[i+1] - s.X[i])
		}
		if math.Abs(area-1) > 1e-12 {
			t.Errorf("%g of %v", area, s.Y)
		}
	}
}

// TestAutocorrelation: that of an autoregression is the power of its coefficient.
func TestAutocorrelation(t *testing.T) {
	c := Autocorrelation([][]float64{ar(20000, 0.8, 1), ar(20000, 0, 2)})
	for k, rho := range []float64{0.8, 0} {
		s := c.Series[1+k]
		for _, lag := range []int{0, 1, 2, 5} {
			if want := math.Pow(rho, float64(lag)); math.Abs(s.Y[lag]-want) > 0.03 {
				t.Errorf("rho %g lag %d: %g", rho, lag, s.Y[lag])
			}
		}
	}
	if band := c.Series[0]; math.Abs(band.Y2[0]-1.96/math.Sqrt(20000)) > 1e-12 {
		t.Errorf("%v", band)
	}
}

// TestGrowth: the effective sizes of independent draws are about as many as the draws, of all
// tenths; those of a chain that sticks do not grow in proportion.
func TestGrowth(t *testing.T) {
	c := Growth([][]float64{ar(2000, 0, 1), ar(2000, 0, 2)})
	for _, s := range c.Series[1:] {
		if len(s.X) != growthSteps || s.X[growthSteps-1] != 4000 {
			t.Fatalf("%v", s.X)
		}
		for i := range s.X {
			if r := s.Y[i] / s.X[i]; r < 0.6 || r > 1.7 {
				t.Errorf("%s: %g effective of %g", s.Name, s.Y[i], s.X[i])
			}
		}
	}
	stuck := ar(2000, 0, 3)
	for i := 1000; i < 2000; i++ {
		stuck[i] = 5
	}
	if s := Growth([][]float64{stuck, ar(2000, 0, 2)}).Series[1]; s.Y[9] > s.Y[4]/4 {
		t.Errorf("%v", s.Y)
	}
}

// TestStretched: of many draws the extremes stay, and their number is bounded.
func TestStretched(t *testing.T) {
	x := ar(100000, 0, 1)
	x[77777], x[33333] = 40, -40
	at, y := stretched(x, 1000)
	if len(at) != 1000 || len(y) != 1000 || slices.Max(y) != 40 || slices.Min(y) != -40 ||
		at[0] != 1 || at[999] != 100000 {
		t.Errorf("%d and %d, from %g to %g", len(at), len(y), slices.Min(y), slices.Max(y))
	}
	if c := Trace([][]float64{x, x}); len(c.Series[0].Y) != zoomDraws/2 {
		t.Errorf("%d", len(c.Series[0].Y))
	}
}

// TestEnergy: the E-BFMI of independent energies is 2, of an autoregression 2 (1 − ρ), and the
// caption says which chain has the least.
func TestEnergy(t *testing.T) {
	a, b := ar(20000, 0, 1), ar(20000, 0.95, 2)
	if got := EBFMI(a); math.Abs(got-2) > 0.05 {
		t.Errorf("%g", got)
	}
	if got := EBFMI(b); math.Abs(got-0.1) > 0.02 {
		t.Errorf("%g", got)
	}
	c := Energy([][]float64{a, b})
	if !strings.Contains(c.Says, "of chain 1: low") {
		t.Error(c.Says)
	}
	for _, s := range c.Series {
		area := 0.0
		for i, y := range s.Y {
			area += y * (s.X[i+1] - s.X[i])
		}
		if math.Abs(area-1) > 1e-12 {
			t.Errorf("%s: %g", s.Name, area)
		}
	}
	if c := Energy([][]float64{{1, 1, 1, 1}}); !strings.Contains(c.Says, "do not vary") {
		t.Error(c.Says)
	}
	thinned := &run.Record{}
	thinned.Settings.Thin = 5
	if s := energySection([][]float64{a}, thinned); len(s.Charts) != 0 {
		t.Error("energies of thinned draws have a picture of transitions")
	}
}

// TestPairs: with divergent draws the number is found in which they lie apart; without, the
// pair that depends; and crosses are the divergent draws alone.
func TestPairs(t *testing.T) {
	n := 2000
	a, b, c := ar(n, 0, 1), ar(n, 0, 2), ar(n, 0, 3)
	dependent, gone := make([]float64, n), make([]float64, n)
	count := 0
	for i := range a {
		dependent[i] = math.Exp(a[i]) + 0.1*b[i]
		if c[i] < -1.5 {
			gone[i] = 1
			count++
		}
	}
	number := func(name string, x []float64) Number {
		return Number{SummaryVar{Name: name}, [][]float64{x[:n/2], x[n/2:]}}
	}
	list := []Number{number("a", a), number("b", b), number("c", c), number("d", dependent),
		number("same", make([]float64, n))}
	found := apartPairs(list, gone)
	if len(found) != mostPairs || found[0][1].Name != "c" || found[1][1].Name != "c" {
		t.Errorf("%v", found)
	}
	if found = correlatedPairs(list); len(found) != 1 || found[0][0].Name != "a" ||
		found[0][1].Name != "d" {
		t.Errorf("%v", found)
	}
	picture := Pair(&list[0], &list[2], false, false, gone)
	dots, crosses := picture.Series[0], picture.Series[1]
	if len(crosses.X) != count || crosses.Mark != chart.Crosses || len(dots.X) != pairDraws {
		t.Errorf("%d crosses of %d, %d dots", len(crosses.X), count, len(dots.X))
	}
	for _, y := range crosses.Y {
		if !(y < -1.5) {
			t.Errorf("a cross at %g", y)
		}
	}
	if logs := Pair(&list[3], &list[0], true, false, nil); logs.X.Name != "log d" ||
		logs.Series[0].Mark != chart.Points || len(logs.Series) != 1 {
		t.Errorf("%+v", logs.X)
	}
	if list[3].Chains[0][0] != dependent[0] {
		t.Error("the draws were changed")
	}
}

// TestDistance: of two halves that do not overlap 1, of equal numbers 0.
func TestDistance(t *testing.T) {
	for _, c := range []struct {
		x, gone []float64
		want    float64
	}{
		{[]float64{1, 2, 3, 4}, []float64{0, 0, 1, 1}, 1},
		{[]float64{1, 1, 1, 1}, []float64{0, 0, 1, 1}, 0},
		{[]float64{1, 2, 3, 4}, []float64{1, 0, 0, 1}, 0.5},
	} {
		if got := distance(c.x, c.gone); got != c.want {
			t.Errorf("%v: %g", c, got)
		}
	}
}

// TestPageSize: the page of 100 numbers at 4 chains of 1,000 draws is smaller than 1.5 MB, and so
// is that of 16 chains.
func TestPageSize(t *testing.T) {
	for _, c := range []struct{ chains, draws int }{{4, 1000}, {16, 1000}} {
		p := &Page{}
		var list []Number
		for i := range reportPictures {
			n := Number{SummaryVar: SummaryVar{Name: fmt.Sprintf("beta[%d]", i)}}
			for k := range c.chains {
				n.Chains = append(n.Chains, ar(c.draws, 0.3, uint64(100*i+k)))
			}
			list = append(list, n)
		}
		p.numbers(list, 100)
		n := len(p.Document("size"))
		t.Logf("%d bytes", n)
		if n > 1_300_000 { // leaves space for what else a page has
			t.Errorf("%d chains: %d bytes", c.chains, n)
		}
	}
}
