package checks

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/internal/show"
	"github.com/sgppl/sgppl/internal/show/chart"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// A statistic is a number of a data set.
type statistic struct {
	name string
	of   func(x []float64) float64
}

// statisticsOf are those of a kind of data.
func statisticsOf(k data.Kind, seen []float64) []statistic {
	if k == data.Index {
		return nil // classes have no mean
	}
	out := []statistic{{"mean", mean}, {"sd", sd}}
	if k == data.Bool {
		return out[:1]
	}
	out = append(out, statistic{"min", slices.Min[[]float64]},
		statistic{"max", slices.Max[[]float64]})
	if slices.Contains(seen, 0) || k == data.Count {
		out = append(out, statistic{"share of zeros", zeros})
	}
	return out
}

func mean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

func sd(x []float64) float64 {
	m, square := mean(x), 0.0
	for _, v := range x {
		square += float64((v - m) * (v - m))
	}
	return math.Sqrt(square / float64(len(x)-1))
}

func zeros(x []float64) float64 {
	n := 0.0
	for _, v := range x {
		if v == 0 {
			n++
		}
	}
	return n / float64(len(x))
}

// statistics adds rows of a site to the table.
func (c *checker) statistics(t *show.Table, s *driver.Predicted, at []int) {
	seen := c.values(-1, at, nil)
	var buf []float64
	var unlike []string
	for _, stat := range statisticsOf(s.Kind, seen) {
		was := stat.of(seen)
		if was-was != 0 {
			continue // the deviation of a single entry
		}
		sets := make([]float64, c.n)
		for d := range sets {
			buf = c.values(d, at, buf)
			sets[d] = stat.of(buf)
		}
		p := TailProbability(was, sets)
		slices.Sort(sets)
		verdict := ""
		if Unlike(p, c.n, 1) {
			verdict = "unlike the data sets"
			unlike = append(unlike, stat.name)
		}
		cells := []string{stat.name + " of " + s.Name, show.Format("%.4g", run.Float(was))}
		for _, q := range []float64{0.05, 0.5, 0.95} {
			cells = append(cells, show.Format("%.4g", run.Float(sortedQuantile(sets, q))))
		}
		t.Add(append(cells, strconv.FormatFloat(p, 'f', 3, 64), verdict)...)
	}
	if len(unlike) > 0 {
		c.doubt("the %s of %s %s unlike what the model simulates", strings.Join(unlike, ", "), s.Name,
			map[bool]string{true: "is", false: "are"}[len(unlike) == 1])
	}
}

// TailProbability is the share of simulated statistics that are at least the observed one;
// equal ones count half.
func TailProbability(was float64, sets []float64) float64 {
	n := 0.0
	for _, x := range sets {
		switch {
		case x > was:
			n++
		case x == was:
			n += 0.5
		}
	}
	return n / float64(len(sets))
}

// Unlike reports whether a tail probability among n data sets is so near to 0 or 1 that a statistic
// is told to be unlike them: nearer than 0.005, or, of many statistics that are looked at together,
// than 0.025 by their number (Bonferroni). An observed statistic is one of n + 1: few data sets
// cannot say that it is unlike them.
func Unlike(p float64, n, together int) bool {
	edge := min(unlikely, 0.025/float64(together))
	low := min(p, 1-p)
	return (float64(low*float64(n))+1)/float64(n+1) < edge
}

// grouped are pictures of means by group: for every index that goes along the first axis of a site
// and has not too many values.
func (c *checker) grouped(s *driver.Predicted, at []int) []chart.Chart {
	if s.Kind == data.Index || len(s.Dims) == 0 || s.Dims[0] == "" {
		return nil
	}
	var out []chart.Chart
	schema := &c.b.Compiled.Spec.Schema
	for i := range schema.Inputs {
		in := &schema.Inputs[i]
		v := c.target.Bound.Values[in.Name]
		if in.Kind != data.Index || in.Name == s.Name || len(in.Shape) != 1 || v == nil ||
			v.CSR != nil || v.Len() != s.Shape[0] {
			continue
		}
		dim, one := in.Shape[0].Name()
		groups, known := in.Below.Eval(c.target.Bound.Dims)
		if !one || dim != s.Dims[0] || !known || groups < leastGrouped || groups > mostGroups {
			continue
		}
		of := v.Floats()
		each := s.Len / s.Shape[0]
		members := make([][]int, groups)
		for _, e := range at {
			if g := of[(e-s.Offset)/each]; g >= 0 && int(g) < groups {
				members[int(g)] = append(members[int(g)], e)
			}
		}
		out = append(out, c.byGroup(s.Name, in, members))
	}
	return out
}

// byGroup is the picture of the means of a site by the values of an index.
func (c *checker) byGroup(name string, in *data.Input, members [][]int) chart.Chart {
	names := make([]string, len(members))
	dim, _ := in.Below.Name()
	labels := c.b.Bound.Labels[dim]
	for g := range names {
		names[g] = strconv.Itoa(g + in.From)
		if len(labels) == len(names) {
			names[g] = labels[g]
		}
	}
	seen, sets := make([]float64, len(members)), make([][]float64, len(members))
	var buf []float64
	for g, at := range members {
		if len(at) == 0 {
			seen[g] = math.NaN()
			continue
		}
		buf = c.values(-1, at, buf)
		seen[g] = mean(buf)
		for d := range c.n {
			buf = c.values(d, at, buf)
			sets[g] = append(sets[g], mean(buf))
		}
	}
	out, outside := Groups(name, in.Name, names, seen, sets)
	if len(outside) > 0 {
		c.doubt("the mean of %s is unlike what the model simulates in %s of %s", name,
			some(outside), in.Name)
	}
	return out
}

// some joins the first few names.
func some(names []string) string {
	n := min(len(names), 3)
	text := strings.Join(names[:n], ", ")
	if len(names) > n {
		text += fmt.Sprintf(" and %d more", len(names)-n)
	}
	return text
}

// Groups draws the mean of every group, as crosses, with the median and the interval from 5 to
// 95 % of those of data sets. A group without entries has no mean. It returns the groups that are
// unlike the data sets, see Unlike.
func Groups(
	name, by string, names []string, seen []float64, sets [][]float64,
) (c chart.Chart, outside []string) {
	c = chart.Chart{Title: "Means of " + name + " by " + by, X: chart.Axis{Name: by, Names: names},
		Y: chart.Axis{Name: "mean of " + name}, Key: true}
	var at, low, median, high, marks []float64
	var labels []string
	for g := range names {
		if len(sets[g]) == 0 {
			continue
		}
		slices.Sort(sets[g])
		q := [3]float64{sortedQuantile(sets[g], 0.05), sortedQuantile(sets[g], 0.5),
			sortedQuantile(sets[g], 0.95)}
		at, low, median, high = append(at, float64(g)), append(low, q[0]), append(median, q[1]),
			append(high, q[2])
		marks = append(marks, seen[g])
		labels = append(labels, fmt.Sprintf("%s: %.4g", names[g], seen[g]))
		if p := TailProbability(seen[g], sets[g]); Unlike(p, len(sets[g]), len(names)) {
			outside = append(outside, names[g])
		}
	}
	c.Series = []chart.Series{
		{Mark: chart.Bars, Name: "90 % of simulated", Class: chart.Other, X: at, Y: low, Y2: high},
		{Mark: chart.Points, Name: "their median", Class: chart.Other, X: at, Y: median},
		{Mark: chart.Crosses, Name: "observed", Class: "truth", X: at, Y: marks, Labels: labels},
	}
	if len(outside) > 0 {
		c.Says = "Unlike the data sets: " + some(outside) + "."
	}
	return c, outside
}
