// Peers compares whole runs of nuts with Stan's, by Debian's rstan, on identical data: 4 chains of
// 1000 iterations of warm-up and 1000 draws.
//
//	apt-get install r-cran-rstan r-cran-posterior r-cran-jsonlite
//	go run ./bench/peers/nuts
//
// Seconds are of processor time of the processes that do the work, so that a
// busy machine disturbs little; ESS is the least bulk effective sample size of
// parameters and tracked values, by the same estimator on both sides. Both
// take turns, model by model.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sgppl/sgppl/bench/peers/nuts/simulated"
)

// A side is what one program did on one model. Seconds are of processor time.
type side struct {
	compile float64 // model text to something that runs
	// a run without compiling, with the start of the process, its files and the summary
	whole float64
	wall  float64 // the same by the clock, on one core
	ess   float64
	rate  float64 // leapfrog steps a second of the sampler's own time; BenchmarkNuts has sgppl's
}

var (
	repeats = flag.Int("repeats", 5, "runs of each")
	rscript = flag.String("rscript", "Rscript", "the R that has rstan; none to leave Stan out")
	only    = flag.String("model", "", "one of the models")
)

// schools are the data of examples/models/eight_schools.json with their number,
// which Stan wants.
const schools = `{"J": 8, "y": [28, 8, -3, 7, -1, 1, 18, 12], "sigma": [15, 10, 16, 11, 9, 11, 10, 18]}`

func main() {
	flag.Parse()
	if err := compare(); err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(1)
	}
}

func compare() error {
	dir, err := os.MkdirTemp("", "peers")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if _, err := os.Stat("bench/peers/nuts/rstan.R"); err != nil {
		return fmt.Errorf("run it in the root of the repository: %w", err)
	}
	program := filepath.Join(dir, "sgppl")
	if _, err := spend(exec.Command("go", "build", "-o", program, "./cmd/sgppl")); err != nil {
		return err
	}
	models := []struct {
		name, path string
		data       []byte
	}{
		{"eight_schools", "examples/models/eight_schools.sg", []byte(schools)},
		{"radon", "bench/models/radon.sg", simulated.Radon().JSON()},
		{"regression", "bench/models/regression.sg", simulated.Logistic().JSON()},
	}
	// The runtime is built once an installation, as Stan's headers are.
	prime := exec.Command(program, "sample", "examples/models/two_normals.sg", "--data",
		"examples/models/two_normals.json", "--engine", "native",
		"--sampler", "nuts", "--out", filepath.Join(dir, "run"), "--progress", "none")
	prime.Env = environment(dir)
	installed, err := spend(prime)
	if err != nil {
		return err
	}
	fmt.Printf("The first model of an installation takes %.1f s.\n\n", installed)
	fmt.Println("| model | | compile, s | run, s | by the clock, s | ESS | ESS/s | ESS/s with " +
		"compiling |")
	fmt.Println("| --- | --- | --- | --- | --- | --- | --- | --- |")
	var rates []string
	for _, m := range models {
		if *only != "" && m.name != *only {
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, m.name+".json"), m.data, 0o666); err != nil {
			return err
		}
		s, err := own(program, dir, m.name, m.path)
		if err != nil {
			return err
		}
		row(m.name, "sgppl", s)
		if *rscript == "none" {
			continue
		}
		if s, err = stan(dir, m.name); err != nil {
			return err
		}
		row(m.name, "rstan", s)
		rates = append(rates, fmt.Sprintf("%s %.3g", m.name, s.rate))
	}
	if len(rates) > 0 {
		fmt.Println("\nLeapfrog steps a second of rstan's sampler:", strings.Join(rates, ", "))
	}
	return nil
}

func row(model, who string, s *side) {
	fmt.Printf("| %s | %s | %.2f | %.3f | %.2f | %.0f | %.0f | %.0f |\n", model, who, s.compile,
		s.whole, s.wall, s.ess, s.ess/s.whole, s.ess/(s.compile+s.whole))
}

// spend runs a command and returns the processor time of it and its children.
func spend(c *exec.Cmd) (float64, error) {
	var out bytes.Buffer
	if c.Stdout == nil {
		c.Stdout = &out
	}
	c.Stderr = &out
	if err := c.Run(); err != nil {
		return 0, fmt.Errorf("%s: %w\n%s", strings.Join(c.Args, " "), err, out.String())
	}
	return (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds(), nil
}

// environment has a cache of compiled models of its own.
func environment(dir string) []string {
	env := append(os.Environ(), "XDG_CACHE_HOME="+filepath.Join(dir, "cache"))
	if build, err := exec.Command("go", "env", "GOCACHE").Output(); err == nil {
		env = append(env, "GOCACHE="+strings.TrimSpace(string(build)))
	}
	return env
}

// own measures sgppl: a first run compiles, the others find the engine.
func own(program, dir, name, path string) (*side, error) {
	out := filepath.Join(dir, "run-"+name)
	run := func(seed int) (float64, float64, error) {
		c := exec.Command(program, "sample", path, "--data", filepath.Join(dir, name+".json"),
			"--sampler", "nuts", "--engine", "native",
			"--threads", "1", "--seed", fmt.Sprint(seed), "--out", out, "--force", "--progress",
			"none")
		c.Env = environment(dir)
		start := time.Now()
		s, err := spend(c)
		return s, time.Since(start).Seconds(), err
	}
	first, _, err := run(1)
	if err != nil {
		return nil, err
	}
	var whole, wall, ess []float64
	for i := range *repeats {
		s, w, err := run(i + 1)
		if err != nil {
			return nil, err
		}
		e, err := effective(program, out)
		if err != nil {
			return nil, err
		}
		whole, wall, ess = append(whole, s), append(wall, w), append(ess, e)
	}
	m := median(whole)
	return &side{compile: math.Max(0, first-m), whole: m, wall: median(wall), ess: median(ess)}, nil
}

// effective is the least bulk ESS of a run.
func effective(program, out string) (float64, error) {
	text, err := exec.Command(program, "summary", out, "--json").Output()
	if err != nil {
		return 0, err
	}
	var s struct {
		Vars []struct {
			ESS float64 `json:"ess_bulk"`
		}
	}
	if err := json.Unmarshal(text, &s); err != nil {
		return 0, err
	}
	ess := math.Inf(1)
	for _, v := range s.Vars {
		ess = min(ess, v.ESS)
	}
	return ess, nil
}

// stan measures rstan.
func stan(dir, name string) (*side, error) {
	var out bytes.Buffer
	c := exec.Command(*rscript, "bench/peers/nuts/rstan.R", "bench/peers/nuts/stan", dir,
		fmt.Sprint(*repeats), name)
	c.Stdout = &out
	if _, err := spend(c); err != nil {
		return nil, err
	}
	var r struct {
		Compile, Sampling, Clock, ESS float64
		Rate                          float64 `json:"leapfrog_rate"`
	}
	text := out.String()
	if err := json.Unmarshal([]byte(text[strings.Index(text, "{"):]), &r); err != nil {
		return nil, fmt.Errorf("%w: %s", err, text)
	}
	return &side{compile: r.Compile, whole: r.Sampling, wall: r.Clock, ess: r.ESS, rate: r.Rate}, nil
}

func median(x []float64) float64 {
	x = slices.Sorted(slices.Values(x))
	return x[len(x)/2]
}
