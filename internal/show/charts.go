package show

import (
	"fmt"
	"math"
	"slices"

	"github.com/sgppl/sgppl/internal/show/chart"
	"github.com/sgppl/sgppl/runtime/results/diagnose"
)

// The charts of one number's draws, each a function of the draws by chain.

const (
	rankBins    = 20
	histBins    = 30
	zoomDraws   = 4000  // that a trace has for zooming, of all chains
	growthSteps = 10    // of the growth of effective sizes
	growthDraws = 20000 // of all chains, beyond which it is looked at by doublings
	leastESS    = 400   // effective draws that R-hat and quantiles want (Vehtari et al. 2021)
)

// Trace is the draws of every chain in their order. Of many draws it has the least and the
// largest of stretches.
func Trace(chains [][]float64) chart.Chart {
	c := chart.Chart{Title: "Trace", X: chart.Axis{Name: "draw", Whole: true}, Y: chart.Axis{
		Name: "value"}}
	for k, x := range chains {
		at, y := stretched(x, max(2, zoomDraws/max(1, len(chains))))
		c.Series = append(c.Series, chart.Series{Mark: chart.Line, Name: chainName(k),
			Class: chart.Of(k), X: at, Y: y})
	}
	return c
}

func chainName(k int) string { return fmt.Sprintf("chain %d", k) }

// stretched returns a series of about most points for a chart: all of x, or the smallest
// and the largest value of each of most/2 equal parts.
func stretched(x []float64, most int) (at, y []float64) {
	n := len(x)
	if n <= most {
		for i := range x {
			at = append(at, float64(i+1))
		}
		return at, x
	}
	parts := most / 2
	for k := range parts {
		from, to := n*k/parts, n*(k+1)/parts
		least, last := from, from
		for i := from; i < to; i++ {
			if x[i] < x[least] {
				least = i
			}
			if x[i] > x[last] {
				last = i
			}
		}
		y = append(y, x[min(least, last)], x[max(least, last)])
		for j := range 2 {
			at = append(at, 1+float64(float64(n-1)*float64(2*k+j)/float64(2*parts-1)))
		}
	}
	return at, y
}

// finite are the numbers of all chains that are finite, sorted.
func finite(chains [][]float64) []float64 {
	var all []float64
	for _, c := range chains {
		for _, x := range c {
			if x-x == 0 {
				all = append(all, x)
			}
		}
	}
	slices.Sort(all)
	return all
}

// edges are the ends of n equal bins from lo to hi.
func edges(lo, hi float64, n int) []float64 {
	if lo == hi {
		lo, hi = lo-max(0.5, math.Abs(lo)/16), hi+max(0.5, math.Abs(hi)/16)
	}
	out := make([]float64, n+1)
	for i := range out {
		t := float64(i) / float64(n)
		out[i] = float64(lo*(1-t)) + float64(hi*t)
	}
	return out
}

// binned counts the numbers of a sorted list between edges, as shares of its length by the
// width of the bins, so that the area is 1. Numbers outside of the edges are in no bin.
func binned(sorted, edges []float64) []float64 {
	out := make([]float64, len(edges)-1)
	for k := range out {
		lo, _ := slices.BinarySearch(sorted, edges[k])
		hi, _ := slices.BinarySearch(sorted, edges[k+1])
		if k == len(out)-1 {
			for hi < len(sorted) && sorted[hi] == edges[k+1] {
				hi++
			}
		}
		if n := float64(len(sorted)); n > 0 {
			out[k] = float64(hi-lo) / n / (edges[k+1] - edges[k])
		}
	}
	return out
}

// Histogram is all draws together, with upright lines at the quantiles of 5, 50 and 95 %.
func Histogram(chains [][]float64, quantiles [3]float64) chart.Chart {
	c := chart.Chart{Title: "Histogram", X: chart.Axis{Name: "value"},
		Y: chart.Axis{Name: "density"}}
	all := finite(chains)
	if len(all) == 0 {
		c.Says = "There is no finite draw."
		return c
	}
	at := edges(all[0], all[len(all)-1], histBins)
	y := binned(all, at)
	top := slices.Max(y)
	c.Y.Hi = top * 1.05
	c.Series = append(c.Series, chart.Series{Mark: chart.Area, Name: "draws", Class: chart.Plain,
		X: at, Y: y})
	for i, q := range quantiles {
		high := top / 4
		if i == 1 {
			high = top / 2
		}
		c.Series = append(c.Series, chart.Series{Mark: chart.Line, Class: chart.Guide, Still: true,
			X: []float64{q, q}, Y: []float64{0, high}})
	}
	return c
}

// Ranks are histograms of the ranks of each chain's draws among all of them, level where
// chains agree (Vehtari et al. 2021, section 4.3). Equal draws share the mean of their ranks.
func Ranks(chains [][]float64) chart.Chart {
	c := chart.Chart{Title: "Ranks", X: chart.Axis{Name: "rank, as a share of all draws", Hi: 1},
		Y: chart.Axis{Name: "draws"}}
	all := finite(chains)
	at := edges(0, 1, rankBins)
	level := float64(len(all)) / float64(max(1, len(chains)*rankBins))
	most := 2 * level
	for k, x := range chains {
		count := make([]float64, rankBins)
		for _, v := range x {
			if v-v != 0 {
				continue
			}
			below, _ := slices.BinarySearch(all, v)
			upTo, _ := slices.BinarySearchFunc(all, v, func(a, b float64) int {
				if a <= b {
					return -1
				}
				return 1
			})
			b := min((below+upTo)*rankBins/(2*len(all)), rankBins-1)
			count[b]++
			most = max(most, count[b])
		}
		c.Series = append(c.Series, chart.Series{Mark: chart.Steps, Name: chainName(k),
			Class: chart.Of(k), X: at, Y: count})
	}
	c.Series = append(c.Series, chart.Series{Mark: chart.Line, Class: chart.Guide, Still: true,
		X: []float64{0, 1}, Y: []float64{level, level}})
	c.Y.Hi = max(most, 1)
	return c
}

// Autocorrelation is that of every chain, with the interval in which 95 of 100 lags of
// independent draws would be.
func Autocorrelation(chains [][]float64) chart.Chart {
	c := chart.Chart{Title: "Autocorrelation", X: chart.Axis{Name: "lag, in stored draws",
		Whole: true}, Y: chart.Axis{Lo: -0.25, Hi: 1}}
	lags := min(100, max(25, 400/max(1, len(chains))))
	if len(chains) > 0 {
		lags = min(lags, max(1, len(chains[0])-1))
		c.X.Hi = float64(lags)
		half := 1.96 / math.Sqrt(float64(max(1, len(chains[0]))))
		c.Series = append(c.Series, chart.Series{Mark: chart.Band, Class: chart.Guide, Still: true,
			X: []float64{0, float64(lags)}, Y: []float64{-half, -half}, Y2: []float64{half, half}})
	}
	var w diagnose.Workspace
	stuck := 0
	for k, x := range chains {
		r := w.Autocorrelation(x, lags)
		if r == nil {
			stuck++
			continue
		}
		at := make([]float64, len(r))
		for i := range at {
			at[i] = float64(i)
			c.Y.Lo = min(c.Y.Lo, r[i])
		}
		c.Series = append(c.Series, chart.Series{Mark: chart.Line, Name: chainName(k),
			Class: chart.Of(k), X: at, Y: r})
	}
	if stuck > 0 {
		c.Says = fmt.Sprintf("%d of %d chains have none: all draws the same, or not finite.", stuck,
			len(chains))
	}
	return c
}

// growthParts returns the fractions of every chain at which the growth of effective sizes is
// computed: tenths, or 1/16, 1/8, …, 1 for many draws, which costs about twice the last one.
func growthParts(draws int) []float64 {
	if draws > growthDraws {
		return []float64{1.0 / 16, 1.0 / 8, 1.0 / 4, 1.0 / 2, 1}
	}
	var out []float64
	for s := 1; s <= growthSteps; s++ {
		out = append(out, float64(s)/growthSteps)
	}
	return out
}

// Growth charts the effective sizes of bulk and tails against the number of draws: of the first
// tenth of every chain, the first two tenths, and so on. They should grow in proportion to the
// draws.
func Growth(chains [][]float64) chart.Chart {
	c := chart.Chart{Title: "Effective size", X: chart.Axis{Name: "draws of all chains"},
		Y: chart.Axis{Name: "effective draws"}, Key: true}
	if len(chains) == 0 {
		return c
	}
	var w diagnose.Workspace
	n, part := len(chains[0]), make([][]float64, len(chains))
	var at, bulk, tail []float64
	for _, share := range growthParts(n * len(chains)) {
		k := int(math.Round(float64(share * float64(n))))
		if k < 4 {
			continue
		}
		for i := range part {
			part[i] = chains[i][:k]
		}
		at = append(at, float64(k*len(chains)))
		b, t := w.ESS(part)
		bulk, tail = append(bulk, b), append(tail, t)
	}
	most := float64(leastESS)
	for i := range at {
		for _, v := range []float64{bulk[i], tail[i]} {
			if v > most {
				most = v
			}
		}
	}
	c.X.Hi, c.Y.Hi = float64(max(1, n*len(chains))), most*1.05
	c.Series = []chart.Series{
		{Mark: chart.Line, Class: chart.Guide + " d1", Still: true, Name: "400",
			X: []float64{0, c.X.Hi}, Y: []float64{leastESS, leastESS}},
		{Mark: chart.Line, Name: "bulk", Class: chart.Plain, X: at, Y: bulk},
		{Mark: chart.Line, Name: "tails", Class: chart.Other + " d1", X: at, Y: tail},
	}
	return c
}
