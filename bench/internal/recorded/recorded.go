// Package recorded has measurements that are stored in files, and the tables that pages of bench
// show of them. Command bench/record measures.
//
// A file has lines "key: value" first: the date, the commit, the command, the processor. What a
// command printed follows: benchmarks in Go's format, a line a round, or one table in Markdown.
// Tables that were typed into pages before commands stored what they print have a line "from: page"
// as well. Their date and commit are those of the typing, and they may lack a command.
package recorded

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// Suffix is the end of the name of a file of measurements.
const Suffix = ".txt"

// A Recording is what a file of measurements has.
type Recording struct {
	Date    string // yyyy-mm-dd
	Commit  string // of the tree that was measured, with a + where it had changes
	CPU     string // the name of the processor, "" where it is not known
	Command string // what was run
	From    string // "" where the command's output is here, or one of the constants below
	Rounds  string // how often it was measured, where lines do not tell
	Rows    []Row

	Head  []string // the columns of a table, which has no Rows
	Lines [][]string
}

// Where values are from that no command wrote into a recording.
const (
	fromPage = "page" // they were typed into a page
	fromFile = "file" // they are in a file of another format
)

// A Row is a benchmark with its values by unit: one for each round.
type Row struct {
	Name   string // without "Benchmark", and without the number of processors
	Units  []string
	Values map[string][]float64
}

// Read reads a file of measurements.
func Read(path string) (*Recording, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return parse(string(text), path)
}

var processors = regexp.MustCompile(`-\d+$`)

func parse(text, name string) (*Recording, error) {
	out := &Recording{}
	keys := map[string]*string{"date": &out.Date, "commit": &out.Commit, "cpu": &out.CPU,
		"command": &out.Command, "from": &out.From, "rounds": &out.Rounds}
	var lines []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		key, value, found := strings.Cut(line, ": ")
		if to := keys[key]; found && to != nil && *to == "" {
			*to = strings.TrimSpace(value)
		} else if strings.HasPrefix(line, "|") {
			lines = append(lines, line)
		}
	}
	if err := out.benchmarks(strings.NewReader(text), name); err != nil {
		return nil, err
	}
	if err := out.table(lines); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(out.Rows)+len(out.Lines) == 0 || out.Date == "" || out.Commit == "" ||
		out.Command == "" && out.From == "" {
		return nil, fmt.Errorf("%s: measurements with date, commit and command were expected", name)
	}
	if out.From != "" && out.From != fromPage {
		return nil, fmt.Errorf("%s: values are from %q, not from %q", name, fromPage, out.From)
	}
	return out, nil
}

// benchmarks reads lines in the format of Go's benchmarks.
func (r *Recording) benchmarks(from io.Reader, name string) error {
	lines := benchfmt.NewReader(from, name)
	for lines.Scan() {
		switch x := lines.Result().(type) {
		case *benchfmt.SyntaxError:
			return x
		case *benchfmt.Result:
			row := r.row(processors.ReplaceAllString(x.Name.String(), ""))
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
	return lines.Err()
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

// table reads a table in Markdown: its head, a line of dashes, and its rows.
func (r *Recording) table(lines []string) error {
	if len(lines) == 0 {
		return nil
	}
	if len(r.Rows) > 0 || len(lines) < 3 || strings.Trim(lines[1], "|-: ") != "" {
		return fmt.Errorf("benchmarks, or one table with its head, were expected")
	}
	for i, line := range lines {
		cells := strings.Split(strings.TrimSuffix(strings.TrimPrefix(line, "|"), "|"), "|")
		for k := range cells {
			cells[k] = strings.TrimSpace(cells[k])
		}
		switch {
		case i == 0:
			r.Head = cells
		case len(cells) != len(r.Head):
			return fmt.Errorf("a row has %d cells, not %d: %s", len(cells), len(r.Head), line)
		case i > 1:
			r.Lines = append(r.Lines, cells)
		}
	}
	return nil
}
