// Command fuzzall runs every fuzz target of the module, one after another, and
// prints a line for each: executions, inputs that reached new code, seconds, and
// whether it failed. Call it at the root of the module:
//
//	go run ./internal/fuzzall -time 20m            # CPU time of each target
//	go run ./internal/fuzzall -time 1m -only 'runtime/engine/data/format\.Fuzz(JSON|CSV)$'
//
// The input of a failure stays in testdata/fuzz of its package, as go test leaves
// it. The exit status is 1 where a target failed.
package main

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// A target is a fuzz function.
type target struct {
	dir  string // of its package, from the root of the module
	name string
}

func (t target) String() string { return filepath.ToSlash(t.dir) + "." + t.name }

func main() {
	each := flag.Duration("time", time.Minute, "CPU time of each target")
	parallel := flag.Int("parallel", 1, "workers of a target; each takes its share of the time")
	only := flag.String("only", "", "a regular expression of targets, as PACKAGE.FuzzNAME")
	memory := flag.String("memory", "2GiB",
		"the memory limit of the Go runtime in a worker, as GOMEMLIMIT")
	list := flag.Bool("list", false, "print the targets and leave")
	flag.Parse()
	wanted, err := regexp.Compile(*only)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	targets, err := find(".")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(5)
	}
	failed := 0
	for _, t := range targets {
		switch {
		case !wanted.MatchString(t.String()):
		case *list:
			fmt.Println(t)
		default:
			if !run(t, *each/time.Duration(*parallel), *parallel, *memory) {
				failed++
			}
		}
	}
	if failed > 0 {
		fmt.Printf("%d targets failed\n", failed)
		os.Exit(1)
	}
}

var function = regexp.MustCompile(`(?m)^func (Fuzz\w+)\(\w+ \*testing\.F\)`)

// find lists the fuzz targets below a directory, by package and name.
func find(root string) ([]target, error) {
	var out []target
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range function.FindAllSubmatch(text, -1) {
			out = append(out, target{filepath.Dir(path), string(m[1])})
		}
		return err
	})
	slices.SortFunc(out, func(a, b target) int {
		return cmp.Or(cmp.Compare(a.dir, b.dir), cmp.Compare(a.name, b.name))
	})
	return out, err
}

// run fuzzes a target, prints its line, and says whether it passed.
func run(t target, each time.Duration, parallel int, memory string) bool {
	c := exec.Command("go", "test", "./"+filepath.ToSlash(t.dir), "-run", "^$", "-fuzz",
		"^"+t.name+"$",
		"-fuzztime", each.String(), "-fuzzminimizetime", "2s", "-parallel", fmt.Sprint(parallel),
		"-timeout", "0")
	c.Env = append(os.Environ(), "GOMEMLIMIT="+memory)
	start := time.Now()
	output, err := c.CombinedOutput()
	execs, interesting := figures(output)
	verdict := "passed"
	if err != nil {
		verdict = "FAILED"
	}
	fmt.Printf("%-45s %12s executions %6s interesting %6.0f s  %s\n", t, execs, interesting,
		time.Since(start).Seconds(), verdict)
	if err != nil {
		fmt.Printf("%s\n", bytes.TrimSpace(output))
	}
	return err == nil
}

var progress = regexp.MustCompile(`execs: (\d+) .*\(total: (\d+)\)`)

// figures are the executions and interesting inputs that go test said last.
func figures(output []byte) (execs, interesting string) {
	all := progress.FindAllSubmatch(output, -1)
	if len(all) == 0 {
		return "no", "no"
	}
	last := all[len(all)-1]
	return string(last[1]), string(last[2])
}
