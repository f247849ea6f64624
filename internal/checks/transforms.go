package checks

import (
	"fmt"
	"slices"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/internal/show"
	"github.com/sgppl/sgppl/internal/show/chart"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/fn"
	"github.com/sgppl/sgppl/runtime/math/rng"
	"github.com/sgppl/sgppl/runtime/math/special"
	"github.com/sgppl/sgppl/runtime/results/diagnose"
)

// Probability integral transforms of observations under their leave-one-out predictive: the
// share of what is predicted that is smaller, each draw with its importance weight (Gelfand, Dey
// and Chang 1992; Gabry et al. 2019, section 4). They are uniform where the model predicts
// as well as it says. Of counted values the share of those that are equal is split by a
// random number, which keeps uniformity (Czado, Gneiting and Held 2009, section 2.1). So is the
// part 1/(S + 1) that S draws leave open.

const (
	pitValues   = 50 // places at which transforms are counted
	pitBins     = 20 // of the histogram, at most
	pitCoverage = 0.95
	mostPIT     = 2000 // observations whose transforms are taken
)

// transforms are the section of them.
func (c *checker) transforms() []show.Section {
	s := show.Section{Heading: "LOO-PIT"}
	if c.simWhy != "" {
		s.Text = []string{"There are none: " + c.simWhy}
		return []show.Section{s}
	}
	s.Text = []string{"Where in its predictive distribution, given the others, each observation " +
		"lies: uniform where the model predicts as well as it says. Observations that crowd in the " +
		"middle: predictions are too wide; at the ends: too narrow; at one end: biased. The band " +
		"holds the whole line of 95 of 100 uniform samples (Säilynoja et al. 2022)."}
	var left []string
	for i := range c.sites {
		site := &c.sites[i]
		at, why := c.matched(site)
		if why != "" {
			left = append(left, site.Name+" ("+why+")")
			continue
		}
		u := c.transformed(site, at)
		if len(u) < 2 {
			continue
		}
		if discrete(site.Kind) {
			s.Text = append(s.Text, fmt.Sprintf("%s is counted: the share of what is equal is split "+
				"by a random number, of seed %d.", site.Name, c.o.Seed))
		}
		charts, outside := PIT(site.Name, u)
		if outside {
			c.doubt("the LOO-PIT of %s is not uniform", site.Name)
		}
		s.Charts = append(s.Charts, charts...)
	}
	for _, name := range left {
		s.Text = append(s.Text, "Without: "+name+".")
	}
	if len(s.Charts) == 0 && len(left) == 0 {
		return nil
	}
	return []show.Section{s}
}

// matched finds, for every entry of a site that was observed, the observation that is left out
// with it, as its place in c.at; −1 where there is none. why says what is in the way.
func (c *checker) matched(s *driver.Predicted) (at []int, why string) {
	switch s.Kind {
	case data.Real, data.Positive, data.Unit, data.Interval, data.Nonnegative, data.Int, data.Count,
		data.Bool:
	case data.Index:
		return nil, "the classes of an index need have no order"
	default:
		return nil, "its entries are of vectors"
	}
	if c.n != c.draws {
		return nil, "its draws are others"
	}
	place := map[int]int{}
	for i, k := range c.at {
		place[k] = i
	}
	first, each := 0, 1
	if c.l.Axis != "" {
		if len(s.Dims) == 0 || s.Dims[0] != c.l.Axis {
			return nil, "it has no rows of " + c.l.Axis
		}
		each = s.Len / max(1, s.Shape[0])
	} else {
		found := 0
		offset := 0
		for _, v := range c.l.Arrays {
			if v.Name == s.Name {
				found++
				first = offset
				if !slices.Equal(v.Shape, s.Shape) || !slices.Equal(v.Dims, s.Dims) {
					found++
				}
			}
			offset += v.Len()
		}
		parts := 0
		for _, d := range c.p.Draws {
			if d.Name == s.Name {
				parts++
				if d.Place != (fn.ID{}) { // a part, or another order
					parts++
				}
			}
		}
		if found != 1 || parts != 1 {
			return nil, "its entries are observed in parts, or several together"
		}
	}
	at = make([]int, s.Len)
	for e := range at {
		k := first + e/each
		if c.keep != nil {
			k = c.keep[e/each]
		}
		at[e] = -1
		if i, ok := place[k]; ok {
			at[e] = i
		}
	}
	return at, ""
}

// transformed are the transforms of the entries of a site.
func (c *checker) transformed(s *driver.Predicted, at []int) []float64 {
	var entries []int
	for e := range at {
		if y := c.seen[s.Offset+e]; at[e] >= 0 && y-y == 0 {
			entries = append(entries, e)
		}
	}
	if n := len(entries); n > mostPIT {
		some := make([]int, mostPIT)
		for i := range some {
			some[i] = entries[(2*i+1)*n/(2*mostPIT)]
		}
		entries = some
	}
	source := rng.New(c.o.Seed, 0, rng.Predict).At(1<<60 + uint64(s.Offset))
	var out, col []float64
	for _, e := range entries {
		col = c.column(s.Offset+e, col)
		y, w := c.seen[s.Offset+e], c.weights[at[e]]
		below, equal := 0.0, 0.0
		for d, x := range col {
			switch {
			case x < y:
				below += special.Exp(w[d])
			case x == y:
				equal += special.Exp(w[d])
			}
		}
		// As the rank of y among itself and the draws: exactly uniform, however few they are.
		v, n := source.Float64(), float64(len(col))
		u := (float64((below+float64(equal*v))*n) + v) / (n + 1)
		out = append(out, min(max(u, 0), 1))
	}
	return out
}

// PIT draws transforms: their histogram, and the difference of their distribution function from
// the uniform one, with the band of uniform samples. outside says that it leaves the band.
func PIT(name string, u []float64) (charts []chart.Chart, outside bool) {
	sorted := slices.Sorted(slices.Values(u))
	bins := min(pitBins, max(4, len(u)/8))
	at := make([]float64, bins+1)
	for i := range at {
		at[i] = float64(i) / float64(bins)
	}
	density := make([]float64, bins)
	for _, x := range sorted {
		density[min(int(x*float64(bins)), bins-1)] += float64(bins) / float64(len(u))
	}
	h := chart.Chart{Title: "LOO-PIT of " + name, X: chart.Axis{Name: "transform", Hi: 1},
		Y: chart.Axis{Name: "density", Hi: 1.05 * max(2, slices.Max(density))},
		Series: []chart.Series{{Mark: chart.Area, Name: "observations", Class: chart.Plain, X: at,
			Y: density},
			{Mark: chart.Line, Class: chart.Guide, Still: true, X: []float64{0, 1},
				Y: []float64{1, 1}}}}
	band := diagnose.NewRankBand(len(u), pitValues, pitCoverage)
	n := float64(len(u))
	var x, y, lo, hi []float64
	for i := range pitValues - 1 {
		z := float64(i+1) / pitValues
		// A transform on the edge belongs to the part above it.
		count, _ := slices.BinarySearch(sorted, z)
		if count < band.Lo[i] || count > band.Hi[i] {
			outside = true
		}
		x, y = append(x, z), append(y, float64(count)/n-z)
		lo, hi = append(lo, float64(band.Lo[i])/n-z), append(hi, float64(band.Hi[i])/n-z)
	}
	d := chart.Chart{Title: "Distribution of LOO-PIT of " + name, Key: true,
		X: chart.Axis{Name: "transform", Hi: 1},
		Y: chart.Axis{Name: "share below, minus uniform"},
		Series: []chart.Series{
			{Mark: chart.Band, Name: "95 % of uniform samples", Class: chart.Guide, X: x, Y: lo,
				Y2: hi},
			{Mark: chart.Line, Class: chart.Guide, Still: true, X: []float64{0, 1},
				Y: []float64{0, 0}},
			{Mark: chart.Line, Name: "observations", Class: chart.Plain, X: x, Y: y}}}
	d.Says = "Inside the band: nothing speaks against the predictions."
	if outside {
		d.Says = "Outside the band: the predictions do not fit the observations."
	}
	return []chart.Chart{h, d}, outside
}
