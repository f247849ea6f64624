// Package gradients makes the tables of bench/gradients.md from the results that the command
// bench/gradients has written.
package gradients

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A Row is a case: nanoseconds of a gradient, medians over turns, and their least and largest. A
// side that was not measured has NaN.
type Row struct {
	Name, From            string
	Dim                   int
	Own, C, Stan          float64
	OwnSpan, CSpan, SSpan string
}

// Read parses a file of results: lines of fields between tabs below a line of their names.
func Read(text []byte) ([]Row, error) {
	var rows []Row
	for i, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
		f := strings.Split(line, "\t")
		if len(f) != 9 {
			return nil, fmt.Errorf("line %d has %d fields, not 9", i+1, len(f))
		}
		if i == 0 {
			continue
		}
		r := Row{Name: f[0], From: f[1], OwnSpan: f[6], CSpan: f[7], SSpan: f[8]}
		var err error
		if r.Dim, err = strconv.Atoi(f[2]); err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
		for k, x := range []*float64{&r.Own, &r.C, &r.Stan} {
			*x = math.NaN()
			if text := f[3+k]; text != "" {
				if *x, err = strconv.ParseFloat(text, 64); err != nil || *x <= 0 {
					return nil, fmt.Errorf("line %d: %q is no time", i+1, text)
				}
			}
		}
		if math.IsNaN(r.Own) {
			return nil, fmt.Errorf("line %d: sgppl was not measured", i+1)
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// The comments around what Page writes.
const (
	begin = "<!-- made of gradients/results.tsv: go test ./bench -run Fresh -update -->\n"
	end   = "<!-- end -->\n"
)

// Page returns the page with the tables of the rows between its two comments.
func Page(page []byte, rows []Row) ([]byte, error) {
	before, rest, ok := bytes.Cut(page, []byte(begin))
	_, after, closed := bytes.Cut(rest, []byte(end))
	if !ok || !closed {
		return nil, fmt.Errorf("the page lacks the comments around its tables")
	}
	return slices.Concat(before, []byte(begin), []byte(tables(rows)), []byte(end), after), nil
}

func tables(rows []Row) string {
	var b strings.Builder
	b.WriteString("\n| model | coordinates | sgppl | Stan | Stan ÷ sgppl |\n" +
		"| --- | --- | --- | --- | --- |\n")
	for _, r := range rows {
		if math.IsNaN(r.Stan) {
			continue
		}
		fmt.Fprintf(&b, "| %s | %d | %s (%s) | %s (%s) | %.3g |\n", r.Name, r.Dim, duration(r.Own),
			span(r.OwnSpan), duration(r.Stan), span(r.SSpan), r.Stan/r.Own)
	}
	sentence(&b, "models", rows, func(r Row) bool { return true })
	sentence(&b, "programs that are imported", rows,
		func(r Row) bool { return r.From == "corpus" || r.From == "imported" })
	b.WriteString("\n| model | sgppl | C | sgppl ÷ C |\n| --- | --- | --- | --- |\n")
	for _, r := range rows {
		if !math.IsNaN(r.C) {
			fmt.Fprintf(&b, "| %s | %s (%s) | %s (%s) | %.3g |\n", r.Name, duration(r.Own),
				span(r.OwnSpan), duration(r.C), span(r.CSpan), r.Own/r.C)
		}
	}
	b.WriteString("\n")
	return b.String()
}

// sentence writes the median and the least of the ratios of some rows.
func sentence(b *strings.Builder, what string, rows []Row, of func(Row) bool) {
	var ratios []float64
	least := Row{Stan: math.Inf(1), Own: 1}
	for _, r := range rows {
		if math.IsNaN(r.Stan) || !of(r) {
			continue
		}
		ratios = append(ratios, r.Stan/r.Own)
		if r.Stan/r.Own < least.Stan/least.Own {
			least = r
		}
	}
	if n := len(ratios); n > 0 {
		slices.Sort(ratios)
		fmt.Fprintf(b, "\nThe median of the ratios of %d %s is %.3g; the least is %.3g, of %s.\n",
			n, what, (ratios[(n-1)/2]+ratios[n/2])/2, least.Stan/least.Own, least.Name)
	}
}

// duration writes nanoseconds with three digits, in the unit that suits.
func duration(ns float64) string {
	if ns < 1000 {
		return fmt.Sprintf("%.3g ns", ns)
	}
	return fmt.Sprintf("%s µs", strconv.FormatFloat(rounded(ns/1000), 'f', -1, 64))
}

// rounded has three significant digits.
func rounded(x float64) float64 {
	y, err := strconv.ParseFloat(fmt.Sprintf("%.3g", x), 64)
	if err != nil {
		return x
	}
	return y
}

// span writes the least and the largest time, of a file "1.2e+04-1.3e+04".
func span(text string) string {
	// The sign of an exponent is always there.
	text = strings.ReplaceAll(text, "e+", "E")
	lo, hi, ok := strings.Cut(text, "-")
	a, err := strconv.ParseFloat(lo, 64)
	b, err2 := strconv.ParseFloat(hi, 64)
	if !ok || err != nil || err2 != nil {
		return text
	}
	return duration(a) + " to " + duration(b)
}
