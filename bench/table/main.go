// Command table measures the rows of the table in bench/README.md: work that sgppl does, next to
// programs in C and to those that users would take instead. It stores what it finds in
// bench/table/results.json and writes the page anew.
//
//	go run ./bench/table [-rounds 7] [-seconds 0.3] [-only REGEXP]
//
// All sides of a row take turns, a process each, so a busy machine disturbs all of them alike.
// Times are processor time of one thread, but for rows that say otherwise. The C programs and the
// scripts of peers are in the directory peers of the reference material ($SGPPL_SHARED, by default
// ../shared), which also says what they need; a side that cannot run is left out, with a message.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"github.com/sgppl/sgppl/bench/internal/ratios"
	"github.com/sgppl/sgppl/bench/internal/recorded"
)

func main() {
	rounds := flag.Int("rounds", 7, "how often the sides take turns")
	seconds := flag.Float64("seconds", 0.3, "what a turn takes")
	only := flag.String("only", "", "rows whose names match this expression")
	work := flag.String("own", "", "do this work of sgppl and print seconds a call")
	flag.Parse()
	if *work != "" {
		fail(own(*work, *seconds))
		return
	}
	wanted, err := regexp.Compile(*only)
	fail(err)
	b, err := newBench(*seconds)
	fail(err)
	defer os.RemoveAll(b.dir)
	for _, r := range ratios.Rows {
		if !wanted.MatchString(r.Name) {
			continue
		}
		m, err := b.row(r, *rounds)
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", r.Name, err)
			continue
		}
		fmt.Print(ratios.Table([]ratios.Measurement{m}))
		// Each row is stored at once, so that nothing is lost if the command is stopped.
		fail(ratios.Store(filepath.Join("bench", "table", "results.json"),
			[]ratios.Measurement{m}))
	}
	pages, err := ratios.Pages("bench")
	fail(err)
	for name, text := range pages {
		fail(os.WriteFile(name, text, 0o666))
	}
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// A bench runs sides.
type bench struct {
	dir     string // of programs that are built, removed at the end
	shared  string // the reference material
	data    string // the inputs that the peers' generator makes
	seconds float64
	built   map[string]string // the program of a source
	absent  map[string]bool   // sources that do not run
	cases   map[string]bool   // of bench/gradients, that are built
}

func newBench(seconds float64) (*bench, error) {
	shared := os.Getenv("SGPPL_SHARED")
	if shared == "" {
		shared = filepath.Join("..", "shared")
	}
	shared, err := filepath.Abs(shared)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "table")
	if err != nil {
		return nil, err
	}
	return &bench{dir: dir, shared: shared, seconds: seconds, built: map[string]string{},
		absent: map[string]bool{}, cases: map[string]bool{}}, nil
}

// row measures a row, its sides in turns.
func (b *bench) row(r ratios.Row, rounds int) (ratios.Measurement, error) {
	m := ratios.Measurement{Row: r.Name, Date: time.Now().Format(time.DateOnly),
		Commit: recorded.Commit(), CPU: recorded.Processor(), Sides: map[string][]float64{}}
	for round := range rounds {
		for _, s := range r.Sides {
			if b.absent[s.Who+s.Program] {
				continue
			}
			x, err := b.measure(s)
			switch {
			case err == nil:
				m.Sides[s.Who] = append(m.Sides[s.Who], x)
			case s.Who == ratios.Sgppl || round > 0:
				return m, fmt.Errorf("%s: %w", s.Who, err)
			default:
				b.absent[s.Who+s.Program] = true
				fmt.Fprintf(os.Stderr, "%s is left out: %v\n", s.Who, err)
			}
		}
	}
	return m, nil
}
