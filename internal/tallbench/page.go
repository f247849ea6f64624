package main

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
)

// The lines between which a table of the page stands.
func marks(table string) (begins, ends string) {
	return "<!-- " + table + " -->\n", "<!-- end of " + table + " -->\n"
}

// writePage writes the tables of the page from the results.
func writePage(path string, done []*result, checks []*checked) error {
	page, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	text := string(page)
	for name, table := range map[string]string{"summary": summaryTable(done),
		"runs": runsTable(done), "refusals": refusalsTable(done),
		"surrogates": surrogatesTable(checks)} {
		begins, ends := marks(name)
		before, rest, is := strings.Cut(text, begins)
		_, after, closed := strings.Cut(rest, ends)
		if !is || !closed {
			return fmt.Errorf("%s has no lines %q and %q", path, begins, ends)
		}
		text = before + begins + "\n" + table + "\n" + ends + after
	}
	return os.WriteFile(path, []byte(text), 0o666)
}

// of are the results of a case, by seed.
func of(name string, done []*result) []*result {
	var out []*result
	for _, r := range done {
		if r.Case == name {
			out = append(out, r)
		}
	}
	slices.SortFunc(out, func(a, b *result) int { return int(a.Seed) - int(b.Seed) })
	return out
}

// summaryTable has a line for each case that has runs by minibatches.
func summaryTable(done []*result) string {
	var t strings.Builder
	t.WriteString("| posterior | N | d | seeds | right | largest error of a mean (its Monte " +
		"Carlo error) | standard deviations, of the truth's | rows a step | effective draws for " +
		"10⁶ rows: median, design | set-up, passes | truth |\n")
	t.WriteString("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n")
	for _, b := range cases() {
		var runs []*result
		for _, r := range of(b.name, done) {
			if r.Sampler == "minibatches" {
				runs = append(runs, r)
			}
		}
		if len(runs) == 0 {
			continue
		}
		var per, setup, rows []float64
		right, worst, lo, hi := 0, &result{}, math.Inf(1), 0.0
		for _, r := range runs {
			if r.right() {
				right++
			}
			if r.ErrMean > worst.ErrMean {
				worst = r
			}
			lo, hi = min(lo, r.SDLow), max(hi, r.SDHigh)
			per, setup, rows = append(per, r.PerMillion), append(setup, r.Plan.SetUp),
				append(rows, float64(r.Plan.Batch+r.Plan.Always))
		}
		design := "–"
		if b.per > 0 {
			design = fmt.Sprintf("%.4g", b.per)
		}
		name := b.name
		if b.fresh {
			name += " (new)"
		}
		fmt.Fprintf(&t, "| %s | %d | %d | %d | %d of %d | %.3f (%.3f), %s | %.3f to %.3f | %.0f "+
			"| %.3g, %s | %.0f | %s |\n", name, runs[0].Plan.Rows, runs[0].Plan.Dim, len(runs),
			right, len(runs),
			worst.ErrMean, worst.ErrMeanMC, worst.WorstMean, lo, hi, median(rows), median(per),
			design, median(setup), runs[0].Truth)
	}
	return t.String()
}

func median(x []float64) float64 {
	slices.Sort(x)
	return (x[(len(x)-1)/2] + x[len(x)/2]) / 2
}

// runsTable has a line for each run by minibatches.
func runsTable(done []*result) string {
	var t strings.Builder
	t.WriteString("| posterior | seed | set-up: passes, s | h | rows a step | share of noise | " +
		"attempts before | draws a chain | s | least ESS | R-hat | ESS for 10⁶ rows | report | " +
		"bias below: means, log sd | error of a mean (Monte Carlo) | beyond 4 of these | sd | " +
		"beyond 4 Monte Carlo errors | off by more than 5 % | right |\n")
	t.WriteString("|" + strings.Repeat(" --- |", 20) + "\n")
	for _, b := range cases() {
		for _, r := range of(b.name, done) {
			if r.Sampler != "minibatches" {
				continue
			}
			p := &r.Plan
			fmt.Fprintf(&t, "| %s | %d | %.0f, %.1f | %.2f | %d + %d | %.2f | %d | %d | %.1f | "+
				"%.0f | %.3f | %.3g | %s | %.3f, %.3f | %s %.3f (%.3f) | %.3f | %.3f to %.3f "+
				"(%s) | %.3f | %d of %d | %s |\n",
				r.Case, r.Seed, p.SetUp, r.SetUpSeconds, p.Step, p.Batch, p.Always, p.Share,
				r.Attempts, r.Draws, r.Seconds, r.ESS, r.Rhat, r.PerMillion, r.Verdict, r.BiasMean,
				r.BiasSD,
				r.WorstMean, r.ErrMean, r.ErrMeanMC, r.BeyondMean, r.SDLow, r.SDHigh, r.WorstSD,
				r.BeyondSD, r.Outside, r.Numbers,
				map[bool]string{true: "yes", false: "**no**"}[r.right()])
		}
	}
	return t.String()
}

var digits = regexp.MustCompile(`[0-9]+`)

// refusalsTable has a line for each case and reason that took full passes.
func refusalsTable(done []*result) string {
	var t strings.Builder
	t.WriteString("| posterior | N | d | seeds that took full passes | of | wanted | draws | " +
		"reason |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n")
	for _, b := range cases() {
		runs := of(b.name, done)
		var seeds []string
		var reasons, kinds []string // those that differ by numbers alone are of one kind
		for _, r := range runs {
			if r.Sampler == "nuts" {
				seeds = append(seeds, fmt.Sprint(r.Seed))
				kind := digits.ReplaceAllString(r.Why, "")
				if !slices.Contains(kinds, kind) {
					kinds, reasons = append(kinds, kind), append(reasons, r.Why)
				}
			}
		}
		if len(seeds) == 0 && !b.nutsWanted || len(runs) == 0 {
			continue
		}
		right := "not taken"
		for _, r := range runs {
			if r.Sampler == "nuts" && r.Compared {
				right = fmt.Sprintf("right: %t; error %.3f (%.3f), %s; sd %.3f to %.3f", r.right(),
					r.ErrMean, r.ErrMeanMC, r.WorstMean, r.SDLow, r.SDHigh)
			}
		}
		wanted := "no"
		if b.nutsWanted {
			wanted = "yes"
		} else if b.either {
			wanted = "either"
		}
		fmt.Fprintf(&t, "| %s | %d | %d | %s | %d | %s | %s | %s |\n", b.name, runs[0].Plan.Rows,
			runs[0].Plan.Dim, strings.Join(seeds, ", "), len(runs), wanted, right,
			strings.Join(reasons, "; "))
	}
	return t.String()
}
