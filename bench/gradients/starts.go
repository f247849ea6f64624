package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// startCases are programs from short to long. Their data are those of the gradients.
var startCases = []string{"eight_groups_noncentred", "hierarchical", "mixture_k", "hmm_forward",
	"lkj_effects", "capture_recapture", "learning_trials"}

// starts measures the time from the start of sgppl sample PROGRAM.stan to the message that a draw
// was taken: by the virtual machine, by a native engine that was built before, and by one that is
// built. It writes a line of a program, with milliseconds: elapsed, and of processors.
func starts(dir, out string) error {
	program := filepath.Join(dir, "sgppl")
	if err := command("go", "build", "-o", program, "./cmd/sgppl"); err != nil {
		return err
	}
	var table bytes.Buffer
	fmt.Fprintln(&table, "case\tlines\timport\tvm\tvm_cpu\tbuilt\tbuilt_cpu\tnew\tnew_cpu")
	for _, name := range append(slices.Clone(startCases), "many_effects") {
		text, data, err := startCase(name)
		if err != nil {
			return err
		}
		s := &starter{program: program, dir: dir, name: name, text: text}
		if err := put(filepath.Join(dir, name+".json"), data); err != nil {
			return err
		}
		if _, _, err := s.draw("native", 0); err != nil { // puts the runtime into Go's cache
			return err
		}
		fields := []string{name, strconv.Itoa(strings.Count(text, "\n")), s.imports()}
		for _, engine := range []string{"vm", "native", "new"} {
			var elapsed, used []float64
			for k := range *rounds {
				version := 0
				if engine == "new" {
					version = k + 1
				}
				a, b, err := s.draw(strings.Replace(engine, "new", "native", 1), version)
				if err != nil {
					return err
				}
				elapsed, used = append(elapsed, a.Seconds()*1e3), append(used, b.Seconds()*1e3)
			}
			fields = append(fields, medianOf(elapsed), medianOf(used))
		}
		fmt.Fprintln(&table, strings.Join(fields, "\t"))
		fmt.Println(strings.Join(fields, "\t"))
	}
	return os.WriteFile(out, table.Bytes(), 0o666)
}

func medianOf(x []float64) string {
	return strconv.FormatFloat(slices.Sorted(slices.Values(x))[len(x)/2], 'g', 3, 64)
}

// startCase is a program and its data.
func startCase(name string) (text string, data []byte, err error) {
	if name == "many_effects" {
		return manyEffects(40)
	}
	k := slices.IndexFunc(cases, func(c testCase) bool { return c.name == name })
	b, err := os.ReadFile(cases[k].stan)
	if err != nil {
		return "", nil, err
	}
	data, err = cases[k].json()
	return string(b), data, err
}

// manyEffects is a long program: a regression with the effects of so many groupings.
func manyEffects(groupings int) (text string, data []byte, err error) {
	const rows, levels = 100, 5
	var inputs, params, effects, model strings.Builder
	values := map[string]any{"N": rows, "y": make([]float64, rows)}
	for g := range groupings {
		fmt.Fprintf(&inputs, "  int<lower=1> J_%d;\n  array[N] int<lower=1, upper=J_%d> g_%d;\n"+
			"  vector[N] x_%d;\n", g, g, g, g)
		fmt.Fprintf(&params, "  vector[J_%d] z_%d;\n  real<lower=0> s_%d;\n  real b_%d;\n", g, g, g, g)
		fmt.Fprintf(&effects, "  vector[J_%d] r_%d = s_%d * z_%d;\n", g, g, g, g)
		fmt.Fprintf(&model, "  for (n in 1:N) mu[n] += r_%d[g_%d[n]] + b_%d * x_%d[n];\n"+
			"  z_%d ~ std_normal();\n  s_%d ~ student_t(3, 0, 2.5);\n  b_%d ~ normal(0, 1);\n",
			g, g, g, g, g, g, g)
		of, x := make([]int, rows), make([]float64, rows)
		for i := range rows {
			of[i], x[i] = 1+(i*(g+3))%levels, float64((i*(g+7))%13)/6-1
		}
		values[fmt.Sprint("J_", g)], values[fmt.Sprint("g_", g)], values[fmt.Sprint("x_", g)] = levels,
			of, x
	}
	data, err = json.Marshal(values)
	return "data {\n  int<lower=1> N;\n  vector[N] y;\n" + inputs.String() +
		"}\nparameters {\n  real b0;\n  real<lower=0> sigma;\n" + params.String() +
		"}\ntransformed parameters {\n" + effects.String() +
		"}\nmodel {\n  vector[N] mu = rep_vector(b0, N);\n" + model.String() +
		"  sigma ~ exponential(1);\n  y ~ normal(mu, sigma);\n}\n", data, err
}

// A starter runs one program.
type starter struct {
	program, dir, name, text string
	runs                     int
}

// imports is the processor time of sgppl import, the median of the rounds.
func (s *starter) imports() string {
	var used []float64
	for range *rounds {
		c := exec.Command(s.program, "import", filepath.Join(s.dir, s.name+"_0.stan"))
		if err := c.Run(); err != nil {
			return ""
		}
		used = append(used, (c.ProcessState.UserTime()+c.ProcessState.SystemTime()).Seconds()*1e3)
	}
	return medianOf(used)
}

// draw runs a version of the program to its end. Versions differ in the name, which is the name of
// the package that is built.
func (s *starter) draw(engine string, version int) (first, used time.Duration, err error) {
	s.runs++
	model := filepath.Join(s.dir, fmt.Sprintf("%s_%d.stan", s.name, version))
	if err := put(model, []byte(s.text)); err != nil {
		return 0, 0, err
	}
	c := exec.Command(s.program, "sample", model, "--data", filepath.Join(s.dir, s.name+".json"),
		"--chains", "1", "--warmup", "1", "--draws", "1", "--engine", engine, "--progress", "json",
		"--out", filepath.Join(s.dir, fmt.Sprint("run-", s.name, s.runs)))
	c.Env = append(os.Environ(), "SGPPL_CACHE="+filepath.Join(s.dir, "cache"))
	messages, err := c.StderrPipe()
	if err != nil {
		return 0, 0, err
	}
	start := time.Now()
	if err := c.Start(); err != nil {
		return 0, 0, err
	}
	var all bytes.Buffer
	lines := bufio.NewScanner(messages)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var event struct{ Draws int }
		if first == 0 && json.Unmarshal(lines.Bytes(), &event) == nil && event.Draws > 0 {
			first, used = time.Since(start), processorTime(c.Process.Pid)
		}
		all.Write(append(lines.Bytes(), '\n'))
	}
	if err := cmp.Or(lines.Err(), c.Wait()); err != nil || first == 0 {
		return 0, 0, fmt.Errorf("%s: %v\n%s", s.name, err, all.Bytes())
	}
	return first, used, nil
}

// processorTime is what all threads of a process and of those that it started have used, as Linux
// says; 0 elsewhere. What ended processes have used is counted by hundredths of a second.
func processorTime(pid int) time.Duration {
	sum := time.Duration(0)
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
	for _, file := range threads {
		text, err := os.ReadFile(file)
		if f := strings.Fields(string(text)); err == nil && len(f) > 0 {
			ns, _ := strconv.ParseInt(f[0], 10, 64)
			sum += time.Duration(ns)
		}
	}
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, rest, _ := strings.Cut(string(text), ") ")
	if f := strings.Fields(rest); len(f) > 14 {
		for _, ticks := range f[13:15] { // cutime, cstime
			n, _ := strconv.ParseInt(ticks, 10, 64)
			sum += time.Duration(n) * 10 * time.Millisecond
		}
	}
	return sum
}
