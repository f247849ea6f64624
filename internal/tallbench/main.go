// Command tallbench is the yardstick for posteriors of many rows: it samples models as
// `sgppl sample` does without settings, and holds means and standard deviations against
// truths: exact ones, importance weights of all rows, or long runs of nuts.
//
//	go run ./internal/tallbench -seeds 5 -ess 4000 -to runs.jsonl -truths truths
//	go run ./internal/tallbench -surrogate -seeds 3 -to surrogates.jsonl -truths truths
//	go run ./internal/tallbench -page bench/tall-acceptance.md -to runs.jsonl
//
// The first command goes through all cases, the cheap ones first, and leaves out runs that
// the file has. The second runs surrogates in their place. The third makes the tables of the page
// from both files.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/model"
)

func main() {
	only := flag.String("only", "", "a regular expression of cases")
	seeds := flag.Int("seeds", 1, "seeds from 1")
	first := flag.Int("first", 1, "the first of them")
	ess := flag.Float64("ess", 400, "--target-ess")
	to := flag.String("to", "",
		"a file of results, one a line, that is added to; runs that it has are left out")
	truths := flag.String("truths", "", "a directory where truths are kept")
	compare := flag.Bool("compare", true, "compare with the truth")
	page := flag.String("page", "", "write the tables of this page from the file, and run nothing")
	list := flag.Bool("list", false, "list the cases")
	surrogates := flag.Bool("surrogate", false,
		"run the surrogates of cases that have one, in place of `sgppl sample` without settings")
	flag.Parse()
	wanted := regexp.MustCompile(*only)
	done, err := readResults[result](*to)
	if err == nil && *page != "" {
		var checks []*checked
		if checks, err = readResults[checked](filepath.Join(filepath.Dir(*to), checkedFile)); err == nil {
			err = writePage(*page, done, checks)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if *page != "" {
		return
	}
	if *truths != "" {
		if err := os.MkdirAll(*truths, 0o777); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	failed := false
	for _, b := range cases() {
		if !wanted.MatchString(b.name) {
			continue
		}
		if *list {
			fmt.Println(b.name)
			continue
		}
		if *surrogates {
			if err := b.surrogates(*seeds, *first, *to, *truths); err != nil {
				fmt.Fprintln(os.Stderr, b.name, err)
				failed = true
			}
			continue
		}
		var m *model.Model
		for s := range max(*seeds, b.seeds*min(1, *seeds-1)) {
			// a case may ask for more seeds than a table has
			seed := uint64(*first + s)
			if has(done, b.name, seed) {
				continue
			}
			if m == nil {
				var err error
				if m, err = b.bind(); err != nil {
					fmt.Fprintln(os.Stderr, b.name, err)
					failed = true
					break
				}
			}
			r, err := b.run(m, seed, *ess, *truths, *compare)
			if err != nil {
				fmt.Fprintln(os.Stderr, b.name, "seed", seed, err)
				failed = true
				continue
			}
			fmt.Println(r.line())
			if err := appendResult(*to, r); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
		}
	}
	if failed {
		os.Exit(1)
	}
}

func has(done []*result, name string, seed uint64) bool {
	for _, r := range done {
		if r.Case == name && r.Seed == seed {
			return true
		}
	}
	return false
}

// bind compiles the model and gives it its data.
func (b *bench) bind() (*model.Model, error) {
	c, diags := driver.Compile(source.New(b.name+".sg", b.model), driver.Options{})
	if c == nil {
		var text strings.Builder
		diags.Render(&text, false)
		return nil, errors.New(text.String())
	}
	if b.make != nil {
		values, err := b.make()
		if err != nil {
			return nil, err
		}
		bound, _, errs := data.Validate(&c.Spec.Schema, values, b.dims, data.Options{})
		if len(errs) > 0 {
			return nil, errs[0]
		}
		return c.VM(bound, nil)
	}
	specs, err := b.files()
	if err != nil {
		return nil, err
	}
	bound, _, errs := data.Bind(&c.Spec.Schema, specs, nil, data.Options{})
	if len(errs) > 0 {
		return nil, errs[0]
	}
	return c.VM(bound, nil)
}

// readResults reads a file of results; there may be none.
func readResults[T any](path string) ([]*T, error) {
	text, err := os.ReadFile(path)
	if path == "" || errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var out []*T
	for line := range strings.Lines(string(text)) {
		r := new(T)
		if err := json.Unmarshal([]byte(line), r); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		out = append(out, r)
	}
	return out, nil
}

// appendResult adds a line to a file of results.
func appendResult(path string, r any) error {
	if path == "" {
		return nil
	}
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	if _, err := f.Write(append(text, '\n')); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
