// Command record measures what tables of the pages of bench show, stores it, and writes the pages
// anew.
//
//	go run ./bench/record            lists the recordings
//	go run ./bench/record NAME...    measures these
//
// It runs in the root of the repository. What a command prints is stored in bench/record/results:
// benchmarks in Go's format, which benchstat reads too, or a table in Markdown.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/bench/internal/recorded"
)

func main() {
	if len(os.Args) < 2 {
		for _, r := range recorded.Recordings {
			fmt.Printf("%-12s %s\n", r.Name, r.Command)
		}
		return
	}
	for _, name := range os.Args[1:] {
		if err := measure(name); err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
			os.Exit(1)
		}
	}
	pages, _, err := recorded.Pages("bench", false)
	for name, text := range pages {
		err = errors.Join(err, os.WriteFile(name, text, 0o666))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// measure runs the command of a recording and stores what it prints.
func measure(name string) error {
	i := slices.IndexFunc(recorded.Recordings,
		func(r recorded.Source) bool { return r.Name == name })
	if i < 0 {
		return errors.New("no recording has this name; `go run ./bench/record` lists them")
	}
	s := recorded.Recordings[i]
	var all []byte
	if s.Kernels == nil {
		out, err := output(s.Command)
		if err != nil {
			return err
		}
		all = out
	}
	for range s.Rounds {
		for _, k := range s.Kernels {
			out, err := output(s.Command, "SGPPL_KERNELS="+k)
			if err != nil {
				return err
			}
			all = append(all, recorded.Prefixed(out, k)...)
		}
	}
	file := filepath.Join("bench", recorded.Results, filepath.FromSlash(name)+recorded.Suffix)
	return recorded.Write(file, s.Command, all)
}

// output is what a command prints, which is shown too.
func output(command string, env ...string) ([]byte, error) {
	var out bytes.Buffer
	words := strings.Fields(command)
	c := exec.Command(words[0], words[1:]...)
	c.Env = append(os.Environ(), env...)
	c.Stdout, c.Stderr = io.MultiWriter(os.Stdout, &out), os.Stderr
	if err := c.Run(); err != nil {
		return nil, fmt.Errorf("%s: %w", command, err)
	}
	return out.Bytes(), nil
}
