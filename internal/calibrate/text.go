package calibrate

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/sgppl/sgppl/runtime/base/printable"
)

// Text is a report for people.
func Text(r *Report) string {
	var b strings.Builder
	p := func(format string, args ...any) { printable.Fprintf(&b, format+"\n", args...) }
	if len(r.Dims) > 0 {
		var sizes []string
		for name, n := range r.Dims {
			sizes = append(sizes, fmt.Sprintf("%s = %d", name, n))
		}
		sort.Strings(sizes)
		p("%s with %s, seed %d", r.Model, strings.Join(sizes, ", "), r.Seed)
	} else {
		p("%s, seed %d", r.Model, r.Seed)
	}
	for _, n := range r.Notes {
		p("note: %s", n)
	}
	for _, s := range r.Skipped {
		p("no %s: %s%s", s.Check, s.Reason, prefixed("; ", s.Instead))
	}
	p("")
	r.Gradient.text(p)
	r.Finite.text(p)
	if r.Calibration != nil {
		r.Calibration.text(p)
	}
	return b.String()
}

func prefixed(by, s string) string {
	if s == "" {
		return ""
	}
	return by + s
}

// shown bounds the lines of one list in the text; JSON has them all.
const shown = 10

func (g *GradientReport) text(p func(string, ...any)) {
	line := fmt.Sprintf("gradient     %-7s  %d coordinates at %d points against central differences",
		g.Verdict, g.Entries, g.Points)
	if g.Worst != nil {
		line += fmt.Sprintf(", worst relative error %.1e (%s)", float64(g.Worst.Relative),
			g.Worst.Entry)
	}
	p("%s", line)
	if g.Unresolved > 0 {
		p("  %d could not be told: their differences do not settle", g.Unresolved)
	}
	for i, o := range g.Off {
		if i == shown {
			p("  … and %d more", len(g.Off)-shown)
			break
		}
		p("  %s: the gradient is %.8g, the difference %.8g, at %d of %d points; term: %s%s",
			o.Entry, float64(o.Gradient), float64(o.Difference), o.OffPoints, g.Points, o.Term,
			at(o.Line))
	}
}

func at(line int) string {
	if line == 0 {
		return ""
	}
	return fmt.Sprintf(" (line %d)", line)
}

func (f *FiniteReport) text(p func(string, ...any)) {
	p("terms        %-7s  %d terms and the gradient at %d %s", f.Verdict, f.Terms, f.Points, f.From)
	for i, u := range f.Undrawn {
		if i == shown {
			p("  … and %d more", len(f.Undrawn)-shown)
			break
		}
		p("  %d of %d could not be drawn: %s", u.Points, f.Points, u.Error)
	}
	if len(f.Undrawn) > 0 {
		p("  inputs without a distribution are drawn by their type alone: --data or --set may " +
			"give better ones")
	}
	for i, o := range f.Off {
		if i == shown {
			p("  … and %d more", len(f.Off)-shown)
			break
		}
		p("  %s is %s at %d of %d points%s", o.where(), o.Value, o.Points, f.Points, at(o.Line))
	}
}

func (c *Calibration) text(p func(string, ...any)) {
	p("calibration  %-7s  %d replications of %d draws by %s after %d iterations of warm-up; "+
		"least effective sample size %.0f", c.Verdict, c.Replications, c.Draws, c.Sampler, c.Warmup,
		float64(c.ESS))
	if c.FromTruth {
		p("  chains start at the truth: whether they find every mode from elsewhere is not tested")
	}
	if c.Short > 0 {
		p("  in %d of them the effective sample size stayed below %d: their draws depend on each other",
			c.Short, 2*c.Draws)
	}
	if c.Divergences > 0 {
		p("  %d of %d trajectories diverged", c.Divergences, c.Iterations)
	}
	for i, f := range c.Failures {
		if i == shown {
			p("  … and %d more", len(c.Failures)-shown)
			break
		}
		p("  replication %d failed: %s", f.Replication, f.Error)
	}
	if len(c.Quantities) == 0 {
		return
	}
	p("  bands hold with %.4g for all %d quantities together: %.6g each, after Bonferroni",
		float64(c.Coverage), len(c.Quantities), float64(c.Each))
	if len(c.Constant) > 0 {
		p("  never change, and have no ranks: %s", strings.Join(c.Constant, ", "))
	}
	width := len("quantity")
	list := slices.Clone(c.Quantities)
	// Those outside first, then by p.
	slices.SortStableFunc(list, func(a, b Quantity) int {
		switch {
		case a.Inside != b.Inside && b.Inside:
			return -1
		case a.Inside != b.Inside:
			return 1
		}
		return 0
	})
	if len(list) > maxQuantities {
		slices.SortStableFunc(list, func(a, b Quantity) int {
			switch {
			case a.P < b.P:
				return -1
			case a.P > b.P:
				return 1
			}
			return 0
		})
	}
	rest := max(0, len(list)-maxQuantities)
	list = list[:len(list)-rest]
	for _, q := range list {
		width = max(width, utf8.RuneCountInString(q.Name))
	}
	p("")
	p("  %-*s  %-*s  %-7s  band", width, "quantity", histogramBins, "ranks", "p")
	for i := range list {
		q := &list[i]
		verdict := "inside"
		if !q.Inside {
			verdict = "outside: " + q.Shape
		}
		p("  %-*s  %s  %-7.2g  %s", width, q.Name, q.bars(), float64(q.P), verdict)
	}
	if rest > 0 {
		p("  … and %d quantities inside with larger p", rest)
	}
}

// maxQuantities bounds the lines of the table: those of the least p are shown.
const maxQuantities = 40

// bars is a histogram of ranks in one line: half the height is the expected count.
func (q *Quantity) bars() string {
	bars := []rune("▁▂▃▄▅▆▇█")
	mean := float64(len(q.Ranks)) / float64(len(q.Histogram))
	var out strings.Builder
	for _, n := range q.Histogram {
		out.WriteRune(bars[min(len(bars)-1, int(float64(n)/mean*float64(len(bars))/2))])
	}
	return out.String()
}

// Failures says in a line each which checks failed.
func (r *Report) Failures() []string {
	var out []string
	if n := len(r.Gradient.Off); r.Gradient.Verdict == Failed {
		out = append(out, fmt.Sprintf("the gradient is off in %s", plural(n, "coordinate")))
	}
	if n := len(r.Finite.Off); n > 0 {
		out = append(out, fmt.Sprintf("%s not finite at %s", plural(n, "term"), r.Finite.From))
	}
	if n := len(r.Finite.Undrawn); n > 0 {
		out = append(out, "prior draws that cannot be made")
	}
	if c := r.Calibration; c != nil && c.Verdict == Failed {
		n := 0
		for _, q := range c.Quantities {
			if !q.Inside {
				n++
			}
		}
		if n > 0 {
			out = append(out, fmt.Sprintf("%s outside the bands", plural(n, "quantity")))
		}
		if len(c.Failures) > 0 {
			out = append(out, fmt.Sprintf("%s failed", plural(len(c.Failures), "replication")))
		}
	}
	return out
}

func plural(n int, what string) string {
	switch {
	case n == 1:
		return "1 " + what
	case strings.HasSuffix(what, "y"):
		return fmt.Sprintf("%d %sies", n, strings.TrimSuffix(what, "y"))
	}
	return fmt.Sprintf("%d %ss", n, what)
}
