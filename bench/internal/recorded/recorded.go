// Package recorded has measurements that are stored in files in the format of Go's benchmarks, and
// the tables that pages of bench show of them. Command bench/record measures.
package recorded

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/perf/benchfmt"
)

// Suffix is the end of the name of a file of measurements.
const Suffix = ".txt"

// A Recording is what one run of bench/record found.
type Recording struct {
	Date    string // yyyy-mm-dd
	Commit  string // of the tree that was measured, with a + where it had changes
	CPU     string // the name of the processor, "" where it is not known
	Command string // what was run
	Rows    []Row
}

// A Row is a benchmark with its values by unit: one for each round.
type Row struct {
	Name   string // without "Benchmark", and without the number of processors
	Units  []string
	Values map[string][]float64
}

// Read reads a file of measurements.
func Read(path string) (*Recording, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return parse(f, path)
}

func parse(r io.Reader, name string) (*Recording, error) {
	out := &Recording{}
	processors := regexp.MustCompile(`-\d+$`)
	lines := benchfmt.NewReader(r, name)
	for lines.Scan() {
		switch x := lines.Result().(type) {
		case *benchfmt.SyntaxError:
			return nil, x
		case *benchfmt.Result:
			out.Date, out.Commit = x.GetConfig("date"), x.GetConfig("commit")
			out.CPU, out.Command = x.GetConfig("cpu"), x.GetConfig("command")
			row := out.row(processors.ReplaceAllString(x.Name.String(), ""))
			for _, v := range x.Values {
				unit, value := v.Unit, v.Value
				if v.OrigUnit != "" { // the reader makes seconds of nanoseconds
					unit, value = v.OrigUnit, v.OrigValue
				}
				if !slices.Contains(row.Units, unit) {
					row.Units = append(row.Units, unit)
				}
				row.Values[unit] = append(row.Values[unit], value)
			}
		}
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if len(out.Rows) == 0 || out.Date == "" || out.Commit == "" || out.Command == "" {
		return nil, fmt.Errorf("%s: measurements with date, commit and command were expected", name)
	}
	return out, nil
}

// row returns the row of a name, a new one where there is none.
func (r *Recording) row(name string) *Row {
	i := slices.IndexFunc(r.Rows, func(x Row) bool { return x.Name == name })
	if i < 0 {
		i = len(r.Rows)
		r.Rows = append(r.Rows, Row{Name: name, Values: map[string][]float64{}})
	}
	return &r.Rows[i]
}

// Table returns, in Markdown, the rows whose names match a pattern: a column for each unit, cells
// with the median and in brackets the smallest and the largest. A row is called by what the first
// group of the pattern matches, or by its whole name; underscores are shown as spaces. Units that
// are 0 in all rows, as Go's benchmarks write for what they do not report, have no column.
func (r *Recording) Table(pattern string) (string, error) {
	match, err := regexp.Compile(pattern)
	if err != nil {
		return "", err
	}
	var rows []Row
	var units []string
	for _, x := range r.Rows {
		m := match.FindStringSubmatch(x.Name)
		if m == nil {
			continue
		}
		for _, u := range x.Units {
			if !slices.Contains(units, u) && slices.Max(x.Values[u]) != 0 {
				units = append(units, u)
			}
		}
		if len(m) > 1 {
			x.Name = m[1]
		}
		x.Name = strings.ReplaceAll(x.Name, "_", " ")
		rows = append(rows, x)
	}
	if len(rows) == 0 {
		return "", fmt.Errorf("no measurement has a name like %q", pattern)
	}
	var b strings.Builder
	rounds := 0
	b.WriteString("| |")
	for _, u := range units {
		fmt.Fprintf(&b, " %s |", strings.ReplaceAll(u, "_", " "))
	}
	b.WriteString("\n| --- |" + strings.Repeat(" --- |", len(units)) + "\n")
	for _, x := range rows {
		fmt.Fprintf(&b, "| %s |", x.Name)
		for _, u := range units {
			b.WriteString(" " + cell(x.Values[u]) + " |")
			rounds = max(rounds, len(x.Values[u]))
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "\nRounds: %d. Measured on %s at %s%s.\n", rounds, r.Date, r.Commit,
		map[bool]string{true: ", on " + r.CPU, false: ""}[r.CPU != ""])
	return b.String(), nil
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

// Line writes the values of one round of a benchmark, as Read reads them. Spaces of the name
// become underscores.
func Line(w io.Writer, name string, values ...Value) error {
	text := "Benchmark" + strings.ReplaceAll(name, " ", "_") + " 1"
	for _, v := range values {
		text += fmt.Sprintf(" %.6g %s", v.Value, strings.ReplaceAll(v.Unit, " ", "_"))
	}
	_, err := fmt.Fprintln(w, text)
	return err
}

// A Value is a number with its unit.
type Value struct {
	Value float64
	Unit  string
}

// Commit names the tree in the working directory: eight digits, with a + where it has changes.
func Commit() string {
	out, err := exec.Command("git", "describe", "--always", "--abbrev=8", "--exclude=*",
		"--dirty=+").Output()
	if err != nil {
		return "unknown"
	}
	return strings.TrimSpace(string(out))
}

// Processor is the name that the processor gives itself, or "" where the system does not tell.
func Processor() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(text)) {
		if name, value, found := strings.Cut(line, ":"); found &&
			strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// Write stores the lines of benchmarks under a header.
func Write(path, command string, lines []byte) error {
	text := fmt.Sprintf("date: %s\ncommit: %s\n", time.Now().Format(time.DateOnly), Commit())
	if cpu := Processor(); cpu != "" && !bytes.Contains(lines, []byte("\ncpu:")) {
		text += "cpu: " + cpu + "\n"
	}
	text += "command: " + command + "\n"
	return os.WriteFile(path, append([]byte(text), lines...), 0o666)
}

// A table of a page stands between "<!-- recorded FILE PATTERN -->" and "<!-- end of recorded -->":
// FILE is below record/results, without its ending.
var place = regexp.MustCompile(
	`(?s)(<!-- recorded (\S+) (\S+) -->\n).*?(<!-- end of recorded -->\n)`)

// Pages are the pages in a directory that have tables of recordings, as they should be, by their
// paths. Results are in a directory of their own.
func Pages(dir, results string) (map[string][]byte, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.md"))
	if err != nil {
		return nil, err
	}
	out := map[string][]byte{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		var failed error
		made := place.ReplaceAllFunc(text, func(part []byte) []byte {
			m := place.FindSubmatch(part)
			r, err := Read(filepath.Join(results, string(m[2])+Suffix))
			if err == nil {
				var table string
				if table, err = r.Table(string(m[3])); err == nil {
					return slices.Concat(m[1], []byte("\n"+table+"\n"), m[4])
				}
			}
			failed = fmt.Errorf("%s: %w", name, err)
			return part
		})
		if failed != nil {
			return nil, failed
		}
		if place.Match(text) {
			out[name] = made
		}
	}
	return out, nil
}
