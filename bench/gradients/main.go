// Gradients compares log densities with gradients of small models: of generated packages, of the
// loops in C that are written for single models (limits), and of Stan programs as rstan compiles
// them. All are called in a loop of their own language, so no time of calls from R is in them, and
// measured in processor time. The sides take turns.
//
//	apt-get install r-cran-rstan r-cran-jsonlite
//	go run ./bench/gradients -shared DIR
//
// It writes results.tsv, of which bench/gradients.md is made by go test ./bench -run Fresh -update.
// Without rstan or a compiler of C those columns stay empty, and the command says so.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var (
	shared = flag.String("shared", "../shared", "the directory with posteriordb")
	cache  = flag.String("cache", "", "where compiled programs are kept; none: a new directory")
	only   = flag.String("only", "", "cases whose name or origin fits this regular expression; "+
		"the file keeps its lines of the others")
	rounds  = flag.Int("rounds", 7, "how often every side has its turn")
	seconds = flag.Float64("seconds", 0.1, "processor time of one turn")
	noStan  = flag.Bool("no-stan", false, "leave Stan out")
	begin   = flag.Bool("starts", false, "measure the time to the first draw instead, and write "+
		"starts.tsv beside the file of results")
	results = flag.String("out", "bench/gradients/results.tsv", "the file of results")
)

func main() {
	flag.Parse()
	if err := measure(); err != nil {
		fmt.Fprintln(os.Stderr, "gradients:", err)
		os.Exit(1)
	}
}

// A side is a program that prints a line that begins with the number of coordinates, and then
// nanoseconds of a gradient, a line for each turn. Its arguments are the data, the number of turns,
// their seconds, and a state.
type side struct {
	program string
	data    string
	before  []string // arguments before the data
	x       []string
	times   []float64
	dim     string
}

func measure() error {
	dir := *cache
	if dir == "" {
		made, err := os.MkdirTemp("", "gradients")
		if err != nil {
			return err
		}
		defer os.RemoveAll(made)
		dir = made
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	if *begin {
		return starts(dir, filepath.Join(filepath.Dir(*results), "starts.tsv"))
	}
	w := &workshop{dir: dir}
	w.tools()
	wanted, err := regexp.Compile(*only)
	if err != nil {
		return err
	}
	all := slices.DeleteFunc(slices.Clone(cases), func(c testCase) bool {
		return !wanted.MatchString(c.name) && !wanted.MatchString(c.from)
	})
	if err := w.generate(all); err != nil {
		return err
	}
	lines := map[string]string{}
	for _, c := range all {
		sides, err := w.sides(c)
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		for range *rounds {
			for _, s := range sides {
				if s != nil {
					if err := s.turn(); err != nil {
						return fmt.Errorf("%s: %w", c.name, err)
					}
				}
			}
		}
		line := []string{c.name, c.from, sides[0].dim}
		for _, s := range sides {
			line = append(line, s.median())
		}
		for _, s := range sides {
			line = append(line, s.spread())
		}
		lines[c.name] = strings.Join(line, "\t")
		fmt.Println(lines[c.name])
	}
	return store(lines)
}

// store writes the file of results in the order of the cases. Lines of cases that were not measured
// stay as they are there.
func store(lines map[string]string) error {
	old, err := os.ReadFile(*results)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for line := range strings.Lines(string(old)) {
		name, _, _ := strings.Cut(line, "\t")
		if _, measured := lines[name]; !measured {
			lines[name] = strings.TrimSuffix(line, "\n")
		}
	}
	var table bytes.Buffer
	fmt.Fprintln(&table, "case\tfrom\tdim\tsgppl\tc\tstan\tsgppl_spread\tc_spread\tstan_spread")
	for _, c := range cases {
		if line, ok := lines[c.name]; ok {
			fmt.Fprintln(&table, line)
		}
	}
	return os.WriteFile(*results, table.Bytes(), 0o666)
}

// turn runs a side once.
func (s *side) turn() error {
	args := append(slices.Clone(s.before), s.data, "1", fmt.Sprint(*seconds))
	c := exec.Command(s.program, append(args, s.x...)...)
	c.Env = append(os.Environ(), "GOMAXPROCS=1", "OMP_NUM_THREADS=1")
	var messages bytes.Buffer
	c.Stderr = &messages
	out, err := c.Output()
	if err != nil {
		return fmt.Errorf("%s: %w: %s", s.program, err, messages.String())
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	s.dim = strings.Fields(lines[0])[0]
	for _, l := range lines[1:] {
		ns, err := strconv.ParseFloat(l, 64)
		if err != nil {
			return fmt.Errorf("%s printed %q", s.program, out)
		}
		s.times = append(s.times, ns)
	}
	return nil
}

func (s *side) median() string {
	if s == nil {
		return ""
	}
	return strconv.FormatFloat(slices.Sorted(slices.Values(s.times))[len(s.times)/2], 'g', 4, 64)
}

// spread is the least and the largest of the times.
func (s *side) spread() string {
	if s == nil {
		return ""
	}
	return fmt.Sprintf("%.4g-%.4g", slices.Min(s.times), slices.Max(s.times))
}
