package checks

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/internal/show"
	"github.com/sgppl/sgppl/internal/show/chart"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/math/special"
)

// Posterior predictive checks: data sets that are simulated from the draws, compared with the
// observed ones (Gabry et al. 2019, section 5; Gelman et al. 2013, chapter 6).

const (
	overlaid     = 40 // data sets whose densities are drawn
	densityAt    = 96 // places of a density
	mostCounted  = 50 // values or bins of a bar chart
	mostGroups   = 30
	mostClasses  = 60
	unlikely     = 0.005 // tail probabilities beyond which a statistic is told to be unlike
	leastGrouped = 2     // groups by which a mean is drawn
)

// predictive is the section of data sets that were simulated.
func (c *checker) predictive() []show.Section {
	s := show.Section{Heading: "Posterior predictive checks"}
	if c.simWhy != "" {
		s.Text = []string{"There are none: " + c.simWhy}
		return []show.Section{s}
	}
	s.Text = []string{fmt.Sprintf("%d data sets like the observed one are simulated, each by a "+
		"draw of the posterior (seed %d). What was observed should look like one of them.",
		c.n, c.o.Seed)}
	if t := c.taken(); t != "" {
		s.Text = append(s.Text, t)
	}
	table := &show.Table{Head: []string{"statistic", "observed", "5%", "50%", "95%", "P(≥ observed)",
		"verdict"}, Left: map[string]bool{"verdict": true}}
	for i := range c.sites {
		site := &c.sites[i]
		at := c.observed(site)
		if len(at) == 0 {
			s.Text = append(s.Text, fmt.Sprintf("Without: %s (no entry of it is both observed and "+
				"predicted, or it is sparse).", site.Name))
			continue
		}
		if site.Kind == data.Index && site.Classes > mostClasses {
			s.Text = append(s.Text, fmt.Sprintf("Without: %s (%d classes, more than the %d that can be "+
				"told from each other).", site.Name, site.Classes, mostClasses))
			continue
		}
		s.Charts = append(s.Charts, c.distribution(site, at))
		s.Charts = append(s.Charts, c.grouped(site, at)...)
		c.statistics(table, site, at)
	}
	if len(s.Charts) == 0 {
		return []show.Section{s}
	}
	s.Text = append(s.Text, "A tail probability is the share of data sets whose statistic is at "+
		"least the observed one, where equal ones count half. Near 0 or 1 the model does not give data "+
		"like these; parameters that fit a statistic directly hide that.")
	s.Tables = append(s.Tables, table)
	return []show.Section{s}
}

// observed are the entries of a site that were observed and are predicted.
func (c *checker) observed(s *driver.Predicted) []int {
	var out []int
	for e := s.Offset; e < s.Offset+s.Len; e++ {
		if y := c.seen[e]; y-y == 0 && c.drawn[e] == c.drawn[e] {
			out = append(out, e)
		}
	}
	return out
}

// values are some entries of data set d, or of the observed one where d < 0.
func (c *checker) values(d int, at []int, out []float64) []float64 {
	from := c.seen
	if d >= 0 {
		from = c.drawn[d*c.width : (d+1)*c.width]
	}
	out = out[:0]
	for _, e := range at {
		out = append(out, from[e])
	}
	return out
}

// distribution is the picture of how the values of a site are distributed.
func (c *checker) distribution(s *driver.Predicted, at []int) chart.Chart {
	seen := c.values(-1, at, nil)
	sets := make([][]float64, 0, c.n)
	for d := range c.n {
		sets = append(sets, c.values(d, at, nil))
	}
	if discrete(s.Kind) {
		names := []string(nil)
		from := 0
		switch s.Kind {
		case data.Bool:
			names = []string{"0", "1"}
		case data.Index:
			names, from = c.classes(s), s.From
		}
		return Counts(s.Name, seen, sets, names, from)
	}
	lo, hi := math.Inf(-1), math.Inf(1)
	switch s.Kind {
	case data.Positive, data.Nonnegative:
		lo = 0
	case data.Unit:
		lo, hi = 0, 1
	case data.Interval:
		if in := c.b.Compiled.Spec.Schema.Input(s.Name); in.Lo.Name == "" && in.Hi.Name == "" {
			lo, hi = in.Lo.Value, in.Hi.Value
		}
	}
	some := make([][]float64, 0, overlaid)
	for i := range min(overlaid, len(sets)) {
		some = append(some, sets[(2*i+1)*len(sets)/(2*min(overlaid, len(sets)))])
	}
	return Densities(s.Name, seen, some, lo, hi)
}

// classes are the names of the classes of an index.
func (c *checker) classes(s *driver.Predicted) []string {
	labels := c.b.Bound.Labels[s.ClassDim]
	if in := c.b.Compiled.Spec.Schema.Input(s.Name); in != nil && len(labels) != s.Classes {
		if dim, one := in.Below.Name(); one {
			labels = c.b.Bound.Labels[dim]
		}
	}
	out := make([]string, s.Classes)
	for i := range out {
		out[i] = strconv.Itoa(i + s.From)
		if len(labels) == s.Classes {
			out[i] = labels[i]
		}
	}
	return out
}

// Densities draws the density of what was observed over those of data sets, by a Gaussian kernel
// of one width for all: 0.9 min(sd, IQR/1.34) n^(−1/5) of the observed values (Silverman 1986,
// equation 3.31), reflected at the ends lo and hi of the type.
func Densities(name string, seen []float64, sets [][]float64, lo, hi float64) chart.Chart {
	c := chart.Chart{Title: "Densities of " + name, X: chart.Axis{Name: name},
		Y: chart.Axis{Name: "density"}, Key: true}
	sorted := slices.Sorted(slices.Values(seen))
	width := bandwidth(sorted)
	from, to := sorted[0], sorted[len(sorted)-1]
	for _, set := range sets {
		x := slices.Sorted(slices.Values(set))
		from = min(from, finiteOr(x[len(x)/50], from))
		to = max(to, finiteOr(x[len(x)-1-len(x)/50], to))
	}
	// Data sets with very long tails do not squeeze what was observed into a line.
	span := sorted[len(sorted)-1] - sorted[0]
	if span <= 0 {
		span = max(1, math.Abs(sorted[0]))
	}
	from, to = max(from, sorted[0]-2*span), min(to, sorted[len(sorted)-1]+2*span)
	from, to = max(from-3*width, lo), min(to+3*width, hi)
	at := make([]float64, densityAt)
	for i := range at {
		t := float64(i) / (densityAt - 1)
		at[i] = float64(from*(1-t)) + float64(to*t)
	}
	for i, set := range sets {
		one := chart.Series{Mark: chart.Line, Class: chart.Soft, X: at,
			Y: density(slices.Sorted(slices.Values(set)), at, width, lo, hi)}
		if i == 0 {
			one.Name = strconv.Itoa(len(sets)) + " simulated"
		}
		c.Series = append(c.Series, one)
	}
	c.Series = append(c.Series, chart.Series{Mark: chart.Line, Name: "observed", Class: "truth",
		X: at, Y: density(sorted, at, width, lo, hi)})
	c.Says = fmt.Sprintf("Gaussian kernel of width %s.", strconv.FormatFloat(width, 'g', 3, 64))
	return c
}

func finiteOr(x, other float64) float64 {
	if x-x == 0 {
		return x
	}
	return other
}

// bandwidth is Silverman's for sorted numbers; that of a small part of their size where they
// are all the same.
func bandwidth(sorted []float64) float64 {
	n := float64(len(sorted))
	mean, square := 0.0, 0.0
	for _, x := range sorted {
		mean += x / n
	}
	for _, x := range sorted {
		square += float64((x - mean) * (x - mean))
	}
	sd := math.Sqrt(square / max(1, n-1))
	if iqr := sortedQuantile(sorted, 0.75) - sortedQuantile(sorted, 0.25); iqr > 0 {
		sd = min(sd, iqr/1.34)
	}
	if !(sd > 0) {
		return max(math.Abs(mean), 1) / 50
	}
	return 0.9 * sd * special.Exp(-special.Log(n)/5)
}

// sortedQuantile is linear between the order statistics (type 7 of Hyndman and Fan).
func sortedQuantile(sorted []float64, p float64) float64 {
	at := float64(len(sorted)-1) * p
	i := int(at)
	q := sorted[i]
	if part := at - float64(i); part > 0 && sorted[i+1] != q {
		q = float64((1-part)*q) + float64(part*sorted[i+1])
	}
	return q
}

// density is that of sorted numbers at some places, reflected at lo and hi.
func density(sorted, at []float64, width, lo, hi float64) []float64 {
	const reach = 5 // widths, beyond which the kernel is nothing to see
	out := make([]float64, len(at))
	scale := 1 / (width * math.Sqrt(2*math.Pi) * float64(len(sorted)))
	sum := func(x float64) float64 {
		total := 0.0
		first, _ := slices.BinarySearch(sorted, x-reach*width)
		for _, y := range sorted[first:] {
			if y > x+reach*width {
				break
			}
			z := (x - y) / width
			total += special.Exp(-z * z / 2)
		}
		return total
	}
	for i, x := range at {
		total := sum(x)
		if !math.IsInf(lo, 0) {
			total += sum(2*lo - x)
		}
		if !math.IsInf(hi, 0) {
			total += sum(2*hi - x)
		}
		out[i] = float64(total * scale)
	}
	return out
}

// Counts draws how often values were observed, as areas, with the median and the interval from 5
// to 95 % of data sets, as points and bars. names are those of values from the given one; nil for
// numbers, whose frequencies are drawn by their square roots (a rootogram; Kleiber and Zeileis
// 2016), in bins where the values are many.
func Counts(name string, seen []float64, sets [][]float64, names []string, from int) chart.Chart {
	c := chart.Chart{Title: "Frequencies of " + name, X: chart.Axis{Name: name, Whole: true},
		Y: chart.Axis{Name: "frequency"}, Key: true}
	lo, per, bins := float64(from), 1.0, len(names)
	if names == nil {
		c.Y.Name = "√ frequency"
		lo, per, bins = counted(seen, sets)
		if per > 1 {
			c.Says = fmt.Sprintf("In bins of %g values.", per)
		}
	} else {
		c.X.Names = names
		lo = float64(from)
	}
	root := func(n float64) float64 {
		if names == nil {
			return math.Sqrt(n)
		}
		return n
	}
	count := func(x []float64) []float64 {
		out := make([]float64, bins)
		for _, v := range x {
			if k := (v - lo) / per; k >= 0 && k < float64(bins) {
				out[int(k)]++
			}
		}
		return out
	}
	all := make([][]float64, bins)
	for _, set := range sets {
		for k, n := range count(set) {
			all[k] = append(all[k], n)
		}
	}
	of := count(seen)
	edges, y := make([]float64, bins+1), make([]float64, bins)
	mid, median := make([]float64, bins), make([]float64, bins)
	low, high := make([]float64, bins), make([]float64, bins)
	top := 1.0
	for k := range bins {
		slices.Sort(all[k])
		y[k] = root(of[k])
		median[k], low[k], high[k] = root(sortedQuantile(all[k], 0.5)),
			root(sortedQuantile(all[k], 0.05)), root(sortedQuantile(all[k], 0.95))
		mid[k] = lo + float64(per*float64(k)) + (per-1)/2
		if names != nil {
			mid[k] = float64(k)
		}
		top = max(top, y[k], high[k])
		edges[k] = mid[k] - per/2
	}
	edges[bins] = mid[bins-1] + per/2
	c.Y.Hi = 1.05 * top
	c.Series = []chart.Series{
		{Mark: chart.Area, Name: "observed", Class: chart.Plain, X: edges, Y: y},
		{Mark: chart.Bars, Name: "90 % of simulated", Class: chart.Other, X: mid, Y: low, Y2: high},
		{Mark: chart.Points, Name: "their median", Class: chart.Other, X: mid, Y: median},
	}
	return c
}

// counted finds the bins of whole numbers: from the least to the largest value that was
// observed, or that is in the middle 98 % of data sets.
func counted(seen []float64, sets [][]float64) (lo, per float64, bins int) {
	lo, hi := slices.Min(seen), slices.Max(seen)
	for _, set := range sets {
		x := slices.Sorted(slices.Values(set))
		lo, hi = min(lo, x[len(x)/100]), max(hi, x[len(x)-1-len(x)/100])
	}
	span := hi - lo + 1
	per = max(1, math.Ceil(span/mostCounted))
	return lo, per, int(math.Ceil(span / per))
}
