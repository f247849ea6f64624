// Command tall measures the seconds to 400 effective draws of a logistic
// regression against the number of its rows: by sgppl without settings, by nuts, and
// by mSGNHT on plain minibatches. bench/tall.md says what came out.
//
//	go build -o sgppl ./cmd/sgppl
//	go run ./bench/tall -sgppl ./sgppl -dir /dev/shm -rows 1e3,1e4,1e5,1e6
//
// It simulates the data into the directory, removes them in the end, and adds a line
// for each run to bench/tall/runs.csv. With -page it runs nothing and writes the table
// of bench/tall.md and the picture bench/tall.svg from these lines.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

func main() {
	program := flag.String("sgppl", "sgppl", "the program")
	dir := flag.String("dir", os.TempDir(), "where data and runs go")
	sizes := flag.String("rows", "1e3,1e4,1e5,1e6", "numbers of rows")
	ways := flag.String("ways", "auto,nuts,msgnht", "which of auto, nuts and msgnht to run")
	limit := flag.Float64("limit", 1e5, "the most rows for nuts and msgnht")
	engine := flag.String("engine", "native",
		"native or vm; they give the same draws, and vm has one copy of the data in memory")
	seed := flag.Int("seed", 1, "seed of the samplers")
	here := flag.String("bench", "bench", "the directory of tall.md")
	page := flag.Bool("page", false, "write the page and the picture from the runs")
	flag.Parse()
	err := error(nil)
	if *page {
		err = writePage(*here)
	} else {
		err = measure(*program, *dir, *here, *sizes, *ways, *engine, *limit, *seed)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "tall:", err)
		os.Exit(1)
	}
}

func measure(program, dir, here, sizes, ways, engine string, limit float64, seed int) error {
	work, err := os.MkdirTemp(dir, "tall-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	for text := range strings.SplitSeq(sizes, ",") {
		n, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return err
		}
		if err := simulate(work, int(n)); err != nil {
			return err
		}
		for way := range strings.SplitSeq(ways, ",") {
			if way != "auto" && n > limit {
				continue
			}
			r, err := run(program, work, way, engine, int(n), seed)
			if err != nil {
				return err
			}
			fmt.Println(r.csv())
			if err := appendLine(filepath.Join(here, "tall", "runs.csv"), r.csv()); err != nil {
				return err
			}
		}
	}
	return nil
}

func appendLine(file, line string) error {
	f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintln(f, line); err != nil {
		return err
	}
	return f.Close()
}
