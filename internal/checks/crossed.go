package checks

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/internal/show"
	"github.com/sgppl/sgppl/internal/show/chart"
	"github.com/sgppl/sgppl/runtime/results/diagnose"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// worstK is how many observations with a large Pareto k are named in the table.
const worstK = 10

// crossSections are those of cross-validation and of the transforms.
func (c *checker) crossSections() []show.Section {
	s := show.Section{Heading: "Leave-one-out cross-validation"}
	if c.looWhy != "" {
		s.Text = []string{"There is none: " + c.looWhy}
		return []show.Section{s}
	}
	sum := diagnose.SumLOO(c.points, c.draws)
	text := "The expected log predictive density of observations that the fit has not seen, by " +
		"Pareto smoothed importance sampling (PSIS-LOO); larger is better. "
	if c.keep == nil {
		text += "p_loo, the effective number of params, is about as large as their number, or smaller. "
	}
	s.Text = append(s.Text, text+c.observations())
	if t := c.taken(); t != "" {
		s.Text = append(s.Text, t+" sgppl loo takes all, and has the sums over them.")
	}
	if t := c.r.Settings.Temperature; t != 0 && t != 1 {
		s.Text = append(s.Text, fmt.Sprintf("The run was sampled at temperature %g: its draws are not "+
			"of the posterior, and cross-validation by them is not that of the model.", t))
	}
	table := &show.Table{Head: []string{"", "estimate", "se"}}
	for _, row := range []struct {
		name string
		x    diagnose.Estimate
	}{{"elpd_loo", sum.ELPD}, {"p_loo", sum.P}, {"looic", sum.IC}} {
		if c.keep != nil {
			break // sums over some rows cannot be compared with sums over all
		}
		table.Add(row.name, show.Format("%.2f", run.Float(row.x.Value)),
			show.Format("%.2f", run.Float(row.x.SE)))
	}
	n := float64(len(c.points))
	table.Add("elpd_loo of an observation", show.Format("%.3f", run.Float(sum.ELPD.Value/n)),
		show.Format("%.3f", run.Float(sum.ELPD.SE/n)))
	s.Tables = append(s.Tables, table)
	if worst := c.worst(sum.Threshold); len(worst) > 0 {
		c.doubt("the Pareto k of %d of %d observations is above its threshold: single ones weigh much "+
			"in the posterior", len(worst), len(c.points))
		s.Text = append(s.Text, "What the draws say of leaving out an observation with a Pareto k "+
			"above the line is not to be trusted: fit the model again without it, or look why it "+
			"is surprising.")
		t := &show.Table{Head: []string{"observation", "Pareto k", "elpd_loo"}}
		for _, i := range worst[:min(len(worst), worstK)] {
			t.Add(c.called(i), show.Format("%.2f", run.Float(c.points[i].K)),
				show.Format("%.2f", run.Float(c.points[i].ELPD)))
		}
		s.Tables = append(s.Tables, t)
	}
	s.Charts = append(s.Charts, c.paretoK(sum.Threshold))
	return append([]show.Section{s}, c.transforms()...)
}

// observations says what an observation is.
func (c *checker) observations() string {
	if c.l.Axis == "" {
		return fmt.Sprintf("An observation is an entry; there are %d, and %d draws.", len(c.points),
			c.draws)
	}
	text := fmt.Sprintf("An observation is a row of %s; there are %d, and %d draws.", c.l.Axis,
		len(c.points), c.draws)
	if c.none > 0 {
		text += fmt.Sprintf(" %d rows have no part in the likelihood.", c.none)
	}
	return text
}

// called is the name of an observation, with what its row or entry is called.
func (c *checker) called(i int) string {
	name := Name(c.l, c.at[i])
	if c.l.Axis == "" {
		k := c.at[i]
		for _, v := range c.l.Arrays {
			if k >= v.Len() {
				k -= v.Len()
				continue
			}
			if label := session.EntryName(v.Shape, session.AxisNames(v, c.b.Bound.Labels),
				k); label != "" {
				name += " " + label
			}
			return name
		}
	}
	if labels := c.b.Bound.Labels[c.l.Axis]; c.at[i] < len(labels) {
		name += " " + labels[c.at[i]]
	}
	return name
}

// worst lists the observations whose k is above the threshold, the worst first.
func (c *checker) worst(threshold float64) []int {
	var out []int
	for i, p := range c.points {
		if !(p.K <= threshold) {
			out = append(out, i)
		}
	}
	slices.SortStableFunc(out, func(a, b int) int {
		switch x, y := c.points[a].K, c.points[b].K; {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	return out
}

// paretoK is the picture of the Pareto k.
func (c *checker) paretoK(threshold float64) chart.Chart {
	k := make([]float64, len(c.points))
	for i, p := range c.points {
		k[i] = p.K
	}
	return ParetoK(k, c.at, threshold, c.called)
}

// ParetoK draws the k of observations, with their numbers at, against the threshold above which
// they are named.
func ParetoK(k []float64, at []int, threshold float64, called func(i int) string) chart.Chart {
	c := chart.Chart{Title: "Pareto k", X: chart.Axis{Name: "observation", Whole: true},
		Y: chart.Axis{Name: "Pareto k"}, Key: true}
	good := chart.Series{Mark: chart.Points, Name: "good", Class: chart.Plain}
	bad := chart.Series{Mark: chart.Crosses, Name: "above the line", Class: chart.Wrong}
	lo, hi := 0.0, max(threshold, 0.7)
	for _, v := range k {
		if v-v == 0 {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	c.Y.Lo, c.Y.Hi = lo-0.05*(hi-lo), hi+0.05*(hi-lo)
	for i, v := range k {
		switch {
		case v <= threshold:
			good.X, good.Y = append(good.X, float64(at[i])), append(good.Y, v)
		default:
			if v-v != 0 {
				v = c.Y.Hi // no tail could be fitted: at the edge
			}
			bad.X, bad.Y = append(bad.X, float64(at[i])), append(bad.Y, v)
			bad.Labels = append(bad.Labels, called(i)+": "+strconv.FormatFloat(k[i], 'g', 3, 64))
		}
	}
	first, last := float64(at[0]), float64(at[len(at)-1])
	c.Series = []chart.Series{
		{Mark: chart.Line, Name: "threshold " + strconv.FormatFloat(threshold, 'f', 2, 64),
			Class: chart.Guide + " d1", Still: true, X: []float64{first, last},
			Y: []float64{threshold, threshold}},
		good,
	}
	c.Says = "All are below the threshold."
	if len(bad.X) > 0 {
		c.Series = append(c.Series, bad)
		c.Says = fmt.Sprintf("%d of %d are above the threshold.", len(bad.X), len(k))
	}
	if math.IsInf(threshold, 0) || threshold != threshold {
		c.Says = "There are too few draws for a threshold."
	}
	return c
}
