// Command papers runs the experiments of the papers that sgppl's samplers are from, and writes
// the tables and figures of the pages of bench from what they gave (bench/papers.md lists all).
//
//	go run ./bench/papers NAME…       runs experiments, seeds 1, 2 and 3
//	go run ./bench/papers             writes tables and figures from bench/papers/results
//
// It runs at the root of the repository. The data are those of $SGPPL_SHARED, by default
// ../shared next to the repository. Results are added to bench/papers/results/NAME.csv run by
// run; a run whose rows are there is not made again.
package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/bench/internal/papers"
	"github.com/sgppl/sgppl/internal/reference"
)

func main() {
	if err := command(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "papers:", err)
		os.Exit(1)
	}
}

func command(names []string) error {
	if len(names) == 0 {
		return papers.Write("bench")
	}
	shared, ok := reference.Dir()
	if !ok {
		return errors.New("there are no data: SGPPL_SHARED is not set, and ../shared is absent")
	}
	work, err := os.MkdirTemp("", "papers-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	b := &bench{shared: shared, work: work}
	for _, name := range names {
		i := slices.IndexFunc(experiments, func(x experiment) bool { return x.name == name })
		if i < 0 {
			var have []string
			for _, x := range experiments {
				have = append(have, x.name)
			}
			return fmt.Errorf("there is no experiment %q: one of %s", name,
				strings.Join(have, ", "))
		}
		if err := b.run(&experiments[i]); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// A bench has where the data of experiments are, and where their runs go.
type bench struct {
	shared, work string
	program      string // sgppl, once it is built
}

// data is the path of a file of data.
func (b *bench) data(elem ...string) string {
	return filepath.Join(append([]string{b.shared, "data"}, elem...)...)
}

// An experiment is some runs, whose results have a file.
type experiment struct {
	name string
	// keys are the columns by which runs differ, values the columns of what a run gives.
	keys, values []string
	runs         func(b *bench) ([]run, error)
}

// A run of an experiment.
type run struct {
	key []string
	// do makes the run and returns its rows, without the keys.
	do func() ([][]string, error)
}

// experiments are all of them.
var experiments = slices.Concat(wells, regressions, spheres, admixtures, networks, music)

// seeds of every experiment, fixed before any run.
var seeds = []string{"1", "2", "3"}

// run makes the runs of an experiment whose results are not there yet.
func (b *bench) run(x *experiment) error {
	file := filepath.Join("bench", "papers", "results", x.name+".csv")
	head := slices.Concat(x.keys, x.values)
	have, err := papers.ReadResults(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		have = &papers.Results{Head: head}
		if err := appendRows(file, [][]string{head}); err != nil {
			return err
		}
	case err != nil:
		return err
	case !slices.Equal(have.Head, head):
		return fmt.Errorf("%s has the columns %v, not %v", file, have.Head, head)
	}
	runs, err := x.runs(b)
	if err != nil {
		return err
	}
	for _, r := range runs {
		if slices.ContainsFunc(have.Rows,
			func(row []string) bool { return slices.Equal(row[:len(r.key)], r.key) }) {
			continue
		}
		rows, err := r.do()
		if err != nil {
			return fmt.Errorf("%v: %w", r.key, err)
		}
		for i := range rows {
			rows[i] = slices.Concat(r.key, rows[i])
		}
		fmt.Println(strings.Join(rows[len(rows)-1], ","))
		if err := appendRows(file, rows); err != nil {
			return err
		}
	}
	return nil
}

// appendRows adds rows to a file of results.
func appendRows(file string, rows [][]string) error {
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	w := csv.NewWriter(f)
	err = w.WriteAll(rows)
	return errors.Join(err, f.Close())
}
