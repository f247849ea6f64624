package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sgppl/sgppl/bench/internal/ratios"
)

// command takes a measure of sgppl: of a command that is run, or of the program.
func (b *bench) command(s ratios.Side) (float64, error) {
	program := filepath.Join(b.dir, "sgppl")
	if b.built[program] == "" {
		if _, err := b.build(program); err != nil {
			return 0, err
		}
		b.built[program] = program
	}
	switch s.Measure {
	case ratios.Build:
		return b.build(filepath.Join(b.dir, "again"), "GOCACHE="+b.empty("cache"))
	case ratios.Size:
		stripped := filepath.Join(b.dir, "stripped")
		if _, err := b.build(stripped, `GOFLAGS=-trimpath "-ldflags=-s -w"`); err != nil {
			return 0, err
		}
		info, err := os.Stat(stripped)
		if err != nil {
			return 0, err
		}
		return float64(info.Size()) / 1e6, nil
	}
	if key := strings.Join(s.Command, " "); b.built[key] == "" && s.Measure != ratios.First {
		b.built[key] = key // the first run may build an engine
		if _, err := b.command(s); err != nil {
			return 0, err
		}
	}
	args := slices.Clone(s.Command)
	for i, a := range args {
		args[i] = strings.ReplaceAll(a, "DATA", filepath.Join(b.shared, "data"))
	}
	if args[0] == "sample" {
		args = append(args, "--out", b.empty("run"), "--progress", "none")
	}
	cmd := exec.Command(program, args...)
	if s.Measure == ratios.First {
		cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+b.empty("cache"), "GOCACHE=")
	}
	begun := time.Now()
	if out, err := cmd.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("%v\n%s", err, out)
	}
	elapsed := time.Since(begun)
	switch s.Measure {
	case ratios.Memory:
		return peak(cmd.ProcessState), nil
	case ratios.CPU, ratios.First:
		return spent(cmd), nil
	}
	return elapsed.Seconds(), nil
}

// empty is a directory that is not there.
func (b *bench) empty(name string) string {
	dir := filepath.Join(b.dir, name)
	if err := os.RemoveAll(dir); err != nil {
		fail(err)
	}
	return dir
}

// build builds the program and returns the processor time that this took.
func (b *bench) build(to string, env ...string) (float64, error) {
	cmd := exec.Command("go", "build", "-o", to, "./cmd/sgppl")
	cmd.Env = append(os.Environ(), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("%v\n%s", err, out)
	}
	return spent(cmd), nil
}

// spent is the processor time of a command that has ended, and of those that it waited for.
func spent(cmd *exec.Cmd) float64 {
	return (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
}
