package recorded

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
)

// Table returns, in Markdown, the rows whose names match a pattern, and below them when and how
// they were measured.
//
// Benchmarks have a column for each unit that matches the other pattern, cells with the median and in brackets the smallest and
// the largest. A row is called by what the first group of the pattern matches, or by its whole
// name; underscores are shown as spaces. Units that are 0 in all rows, as Go's benchmarks write for
// what they do not report, have no column. A row of a stored table has the name of its first cell,
// and stays as it is.
func (r *Recording) Table(pattern, units string) (string, error) {
	match, err := regexp.Compile(pattern)
	if err != nil {
		return "", err
	}
	wanted, err := regexp.Compile(units)
	if err != nil {
		return "", err
	}
	head, rows, rounds := r.stored(match)
	if r.Head == nil {
		head, rows, rounds = r.medians(match, wanted)
	}
	if len(rows) == 0 {
		return "", fmt.Errorf("no measurement has a name like %q", pattern)
	}
	return Markdown(head, rows) + "\n" + r.note(rounds) + "\n", nil
}

// stored are the rows of a stored table.
func (r *Recording) stored(match *regexp.Regexp) (head []string, rows [][]string, rounds string) {
	for _, cells := range r.Lines {
		if match.MatchString(cells[0]) {
			rows = append(rows, cells)
		}
	}
	return r.Head, rows, r.Rounds
}

// medians are rows of benchmarks.
func (r *Recording) medians(match, wanted *regexp.Regexp) (head []string, rows [][]string,
	rounds string) {
	var of []Row
	var units []string
	for _, x := range r.Rows {
		m := match.FindStringSubmatch(x.Name)
		if m == nil {
			continue
		}
		for _, u := range x.Units {
			if !slices.Contains(units, u) && slices.Max(x.Values[u]) != 0 && wanted.MatchString(u) {
				units = append(units, u)
			}
		}
		if len(m) > 1 {
			x.Name = m[1]
		}
		of = append(of, x)
	}
	head = []string{""}
	for _, u := range units {
		head = append(head, strings.ReplaceAll(u, "_", " "))
	}
	most := 0
	for _, x := range of {
		row := []string{strings.ReplaceAll(x.Name, "_", " ")}
		for _, u := range units {
			row = append(row, cell(x.Values[u]))
			most = max(most, len(x.Values[u]))
		}
		rows = append(rows, row)
	}
	return head, rows, fmt.Sprint(most)
}

// note says below a table when, on what and how it was measured.
func (r *Recording) note(rounds string) string {
	if rounds == "" {
		rounds = "not noted"
	}
	verb := map[string]string{"": "Measured", fromPage: "Typed", fromFile: "Stored"}[r.From]
	text := fmt.Sprintf("Rounds: %s. %s on %s at %s", rounds, verb, r.Date, r.Commit)
	const space = "\u00a0" // at which no line breaks
	command := "`" + strings.ReplaceAll(r.Command, " ", space) + "`"
	by := ", by " + command
	if r.From == fromPage {
		by = " from what " + command + " gave"
	}
	if r.Command == "" {
		by = ""
	}
	if r.CPU != "" {
		by += ", on " + r.CPU
	}
	return strings.ReplaceAll(Wrapped(text+by+".", 100), space, " ")
}

// Markdown is a table in Markdown.
func Markdown(head []string, rows [][]string) string {
	var b strings.Builder
	line := func(cells []string) {
		text := "|"
		for _, c := range cells {
			if c != "" {
				text += " " + c
			}
			text += " |"
		}
		b.WriteString(text + "\n")
	}
	line(head)
	rule := make([]string, len(head))
	for i := range rule {
		rule[i] = "---"
	}
	line(rule)
	for _, r := range rows {
		line(r)
	}
	return b.String()
}

// Wrapped breaks a text at its spaces into lines of at most so many characters.
func Wrapped(text string, width int) string {
	var lines []string
	line := ""
	for word := range strings.SplitSeq(text, " ") {
		if line != "" && len([]rune(line))+1+len([]rune(word)) > width {
			lines, line = append(lines, line), ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return strings.Join(append(lines, line), "\n")
}

// cell is the median of values with the smallest and the largest.
func cell(x []float64) string {
	switch len(x) {
	case 0:
		return "–"
	case 1:
		return Digits(x[0])
	}
	return fmt.Sprintf("%s [%s–%s]", Digits(Median(x)), Digits(slices.Min(x)), Digits(slices.Max(x)))
}

// Median returns the middle of the values, or the mean of the two in the middle.
func Median(values []float64) float64 {
	x := slices.Sorted(slices.Values(values))
	n := len(x)
	return (x[n/2] + x[(n-1)/2]) / 2
}

// Digits writes a number with three digits that count, and commas between thousands.
func Digits(x float64) string {
	if x == 0 || math.IsNaN(x) || math.IsInf(x, 0) {
		return fmt.Sprint(x)
	}
	scale := math.Pow(10, 2-math.Floor(math.Log10(math.Abs(x))))
	x = math.Round(x*scale) / scale
	if math.Abs(x) < 1000 {
		return fmt.Sprint(x)
	}
	s := fmt.Sprintf("%.0f", x)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
