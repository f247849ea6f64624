package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/bench/internal/ratios"
)

// measure returns seconds a unit of work of a side, or MiB.
func (b *bench) measure(s ratios.Side) (float64, error) {
	switch {
	case s.Measure != 0:
		return b.command(s)
	case s.Own != "":
		self, err := os.Executable()
		if err != nil {
			return 0, err
		}
		if err := b.inputs(); err != nil {
			return 0, err
		}
		out, err := b.output(exec.Command(self, "-own", s.Own, "-seconds", fmt.Sprint(b.seconds)))
		if err != nil {
			return 0, err
		}
		return strconv.ParseFloat(strings.TrimSpace(out), 64)
	case s.Gradient != "":
		return b.gradient(s)
	case s.Answers:
		return b.answer(s)
	}
	return b.figure(s)
}

// gradient is a side of a case of bench/gradients, whose command builds it.
func (b *bench) gradient(s ratios.Side) (float64, error) {
	dir := filepath.Join(b.dir, "gradients", s.Gradient)
	if !b.cases[s.Gradient] {
		build := exec.Command("go", "run", "./bench/gradients", "-shared", b.shared, "-cache", dir,
			"-no-stan", "-only", "^"+s.Gradient+"$", "-rounds", "1", "-seconds", "0.01", "-out",
			filepath.Join(dir, "results.tsv"))
		if out, err := build.CombinedOutput(); err != nil {
			return 0, fmt.Errorf("%v\n%s", err, out)
		}
		b.cases[s.Gradient] = true
	}
	program, file := "sgppl-gradients", ".json"
	if s.Who == ratios.C {
		program, file = "limits-c", ".txt"
	}
	out, err := b.output(exec.Command(filepath.Join(dir, program), s.Gradient,
		filepath.Join(dir, s.Gradient+file), "1", fmt.Sprint(b.seconds)))
	if err != nil {
		return 0, err
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	ns, err := strconv.ParseFloat(lines[len(lines)-1], 64)
	return ns / 1e9, err
}

// source finds the source of a peer: below bench, or among the peers of the reference material.
func (b *bench) source(program string) (string, error) {
	here := filepath.Join("bench", program)
	if _, err := os.Stat(here); err == nil {
		return filepath.Abs(here)
	}
	there := filepath.Join(b.shared, "peers", program)
	_, err := os.Stat(there)
	return there, err
}

// onProcessorTime makes a script of Python that times by time.perf_counter, as the peers do, time
// by processor time.
const onProcessorTime = "import os, sys, time, runpy; time.perf_counter = time.process_time; " +
	"sys.argv = sys.argv[1:]; sys.path.insert(0, os.path.dirname(sys.argv[0])); " +
	"runpy.run_path(sys.argv[0], run_name='__main__')"

// run is the command that runs a source with arguments. C is compiled first; where it times by
// CLOCK_MONOTONIC it times by processor time then.
func (b *bench) run(program string, args ...string) (*exec.Cmd, error) {
	source, err := b.source(program)
	if err != nil {
		return nil, err
	}
	if strings.HasSuffix(source, ".py") {
		return exec.Command("/usr/bin/python3",
			append([]string{"-c", onProcessorTime, source}, args...)...), nil
	}
	if b.built[program] == "" {
		to := filepath.Join(b.dir, strings.ReplaceAll(program, "/", "-")+".run")
		clock, err := filepath.Abs(filepath.Join("bench", "table", "c", "clock.h"))
		if err != nil {
			return nil, err
		}
		args := []string{"-O3", "-march=native", "-w", "-include", clock, "-o", to, source}
		if !strings.HasPrefix(source, b.shared) {
			args = append(args, "-ffast-math") // for the vectors of libmvec
		}
		build := exec.Command("gcc", append(args, "-lopenblas", "-lpthread", "-lmvec", "-lm")...)
		if out, err := build.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%v\n%s", err, out)
		}
		b.built[program] = to
	}
	return exec.Command(b.built[program], args...), nil
}

// figure runs a program that prints lines "NAME VALUE UNIT" and returns the value of one.
func (b *bench) figure(s ratios.Side) (float64, error) {
	if err := b.inputs(); err != nil {
		return 0, err
	}
	cmd, err := b.run(s.Program, s.Figure)
	if err != nil {
		return 0, err
	}
	out, err := b.output(cmd)
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(out) {
		if value, found := strings.CutPrefix(line, s.Figure+" "); found {
			x, err := strconv.ParseFloat(strings.Fields(value)[0], 64)
			if !s.Seconds {
				x = 1 / x
			}
			return x, err
		}
	}
	return 0, fmt.Errorf("%s has no figure %s", s.Program, s.Figure)
}

// answer asks a program that answers lines.
func (b *bench) answer(s ratios.Side) (float64, error) {
	cmd, err := b.run(s.Program)
	if err != nil {
		return 0, err
	}
	cmd.Stdin = strings.NewReader(fmt.Sprintln(s.Figure, b.seconds))
	out, err := b.output(cmd)
	if err != nil {
		return 0, err
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	rate, err := strconv.ParseFloat(strings.TrimSpace(lines[len(lines)-1]), 64)
	return 1 / rate, err
}

// inputs makes the data that the peers read, once.
func (b *bench) inputs() error {
	if b.data != "" {
		return nil
	}
	dir := filepath.Join(b.dir, "data")
	source, err := b.source("gen_data.py")
	if err != nil {
		return err
	}
	cmd := exec.Command("/usr/bin/python3", source)
	cmd.Env = append(os.Environ(), "PEERS_DATA="+dir,
		"PEERS_REAL="+filepath.Join(b.shared, "data"))
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%v\n%s", err, out)
	}
	script, err := b.source("peers/topics/words.py")
	if err != nil {
		return err
	}
	documents := filepath.Join(dir, corpus)
	link := filepath.Join(b.dir, corpus+".gz")
	if err := os.Symlink(filepath.Join(b.shared, "data", "lda", "news20_test",
		"news20_test.ldac.gz"), link); err != nil {
		return err
	}
	if out, err := exec.Command("/usr/bin/python3", script, dir, "1", "10000", link).
		CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %v\n%s", documents, err, out)
	}
	b.data = dir
	return nil
}

// output runs a program on one thread and returns what it prints.
func (b *bench) output(cmd *exec.Cmd) (string, error) {
	cmd.Env = append(os.Environ(), "PEERS_DATA="+b.data, "PEERS_REPS=1", "PEERS_TRIES=1",
		fmt.Sprintf("PEERS_SECS=%g", b.seconds), "PEERS_THREADS=1", "OMP_NUM_THREADS=1",
		"OPENBLAS_NUM_THREADS=1", "GOMAXPROCS=1")
	var message bytes.Buffer
	cmd.Stderr = &message
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%v\n%s", err, message.Bytes())
	}
	return string(out), nil
}
